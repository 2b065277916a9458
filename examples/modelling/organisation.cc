#include "organisation.h"

#include "item_table.h"

int main() {
  return examples::run_example("Organisations", [](partita::Api& api) {
    examples::organisations::Organisations organisations(api);
    return add_acme(organisations);
  });
}
