// The items, table and requests that the tests of work count.
#pragma once

#include <cstdlib>
#include <string>
#include <vector>

#include "partita/database.h"

namespace partita::work {

inline constexpr int kKeys = 50;

// About 1 KB in 15 attributes; every write changes what the indexes keep. With as many groups as
// keys an entry stays in its place, with twice as many it moves.
inline Item item(int number, int groups) {
  Item made{{"pk", Value::string("key " + std::to_string(number % kKeys))},
            {"number", Value::number(number)}};
  for (int i = 0; i < 3; ++i) {
    made.set("group" + std::to_string(i),
             Value::string("group " + std::to_string(number % groups)));
  }
  for (int i = 0; i < 10; ++i) {
    made.set("attribute" + std::to_string(i), Value::string(std::string(80, 'x')));
  }
  return made;
}

// With so many global indexes that keep whole items.
inline void create_table(Database& database, int indexes, bool stream = false) {
  CreateTableRequest table;
  table.table_name = "Work";
  table.attribute_definitions = {{"pk", ScalarType::S}};
  table.key_schema = {{"pk", KeyType::Hash}};
  table.billing_mode = BillingMode::PayPerRequest;
  for (int i = 0; i < indexes; ++i) {
    const std::string attribute = "group" + std::to_string(i);
    table.attribute_definitions.push_back({attribute, ScalarType::S});
    if (!table.global_secondary_indexes) table.global_secondary_indexes.emplace();
    GlobalSecondaryIndex& index = table.global_secondary_indexes->emplace_back();
    index.index_name = "index" + std::to_string(i);
    index.key_schema = {{attribute, KeyType::Hash}};
    index.projection.type = ProjectionType::All;
  }
  if (stream) {
    table.stream_specification = StreamSpecification{true, StreamViewType::NewAndOldImages};
  }
  if (!database.create_table(table)) std::abort();
}

inline std::vector<Item> make_items(int groups = kKeys) {
  std::vector<Item> items;
  for (int i = 0; i < 2 * kKeys; ++i) items.push_back(item(i, groups));
  return items;
}

inline bool batch(Database& database, const std::vector<ItemView>& items) {
  std::vector<WriteRequest> writes(items.size());
  for (std::size_t i = 0; i < items.size(); ++i) writes[i].put_item = items[i];
  const TableWrites tables[] = {{.table_name = "Work", .requests = writes}};
  return database.batch_write_item({.request_items = tables}).has_value();
}

inline bool transaction(Database& database, const std::vector<ItemView>& items) {
  std::vector<TransactWrite> actions;
  actions.reserve(items.size());
  for (const ItemView put : items) actions.push_back({.table_name = "Work", .item = put});
  return database.transact_write_items({.transact_items = actions}).has_value();
}

}  // namespace partita::work
