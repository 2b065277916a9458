#include "big_time_deals.h"

#include "item_table.h"

int main() {
  return examples::run_example("BigTimeDeals", [](partita::Api& api) {
    examples::deals::BigTimeDeals site(api);
    return fill(site);
  });
}
