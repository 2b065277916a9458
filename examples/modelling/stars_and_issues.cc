#include "stars_and_issues.h"

#include "item_table.h"

int main() {
  return examples::run_example("Code", [](partita::Api& api) {
    examples::stars::CodeHost host(api);
    return write_book(host);
  });
}
