#include "dinosaurs.h"

#include "item_table.h"

int main() {
  return examples::run_example("Research", [](partita::Api& api) {
    examples::dinosaurs::Research research(api);
    return dig(research);
  });
}
