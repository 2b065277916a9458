#include "social_graph.h"

#include "item_table.h"

int main() {
  return examples::run_example("Social", [](partita::Api& api) {
    examples::social::SocialGraph graph(api);
    return add_people(graph);
  });
}
