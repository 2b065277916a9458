#include "metrics.h"

#include "item_table.h"

int main() {
  return examples::run_example("Metrics", [](partita::Api& api) {
    examples::metrics::Metrics metrics(api);
    return measure(metrics);
  });
}
