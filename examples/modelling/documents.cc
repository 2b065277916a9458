#include "documents.h"

#include "item_table.h"

int main() {
  return examples::run_example("Documents", [](partita::Api& api) {
    examples::documents::Documents documents(api);
    return write_manual(documents);
  });
}
