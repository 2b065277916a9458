#include "e_commerce.h"

#include "item_table.h"

int main() {
  return examples::run_example("Shop", [](partita::Api& api) {
    examples::shop::Shop shop(api);
    return open_shop(shop);
  });
}
