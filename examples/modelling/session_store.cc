#include "session_store.h"

#include "item_table.h"

int main() {
  return examples::run_example("SessionStore", [](partita::Api& api) -> partita::Result<void> {
    examples::sessions::SessionStore store(api);
    PARTITA_CHECK(store.create_table());
    PARTITA_CHECK(store.create_session("alexdebrie"));
    PARTITA_CHECK(store.create_session("alexdebrie"));
    PARTITA_CHECK(store.create_session("dave"));
    return {};
  });
}
