// work_in_process WORKLOAD COUNT: does one thing COUNT times in this process, on the memory engine.
//
// in_process_test.py runs it under callgrind with two counts; the difference is the cost of one.
#include <cstdlib>
#include <functional>
#include <iostream>
#include <map>
#include <string>
#include <vector>

#include "partita/database.h"

namespace partita {
namespace {

constexpr int kKeys = 50;

// About 1 KB in 15 attributes; every write changes what the indexes keep.
Item item(int number) {
  Item made{{"pk", Value::string("key " + std::to_string(number % kKeys))},
            {"number", Value::number(number)}};
  for (int i = 0; i < 3; ++i) {
    made.set("group" + std::to_string(i), Value::string("group " + std::to_string(number % kKeys)));
  }
  for (int i = 0; i < 10; ++i) {
    made.set("attribute" + std::to_string(i), Value::string(std::string(80, 'x')));
  }
  return made;
}

// With so many global indexes that keep whole items.
void create_table(Database& database, int indexes) {
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
  if (!database.create_table(table)) std::abort();
}

std::vector<Item> make_items() {
  std::vector<Item> items;
  for (int i = 0; i < 2 * kKeys; ++i) items.push_back(item(i));
  return items;
}

// Calls `write` with so many different items, again and again.
void write_together(std::size_t size, int count,
                    const std::function<bool(Database&, const std::vector<ItemView>&)>& write) {
  const auto database = Database::in_memory();
  create_table(*database, 0);
  const std::vector<Item> items = make_items();
  std::vector<ItemView> next(size);
  for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) {
    for (std::size_t j = 0; j < size; ++j) next[j] = items[(i + j) % items.size()];
    if (!write(*database, next)) std::abort();
  }
}

bool batch(Database& database, const std::vector<ItemView>& items) {
  std::vector<WriteRequest> writes(items.size());
  for (std::size_t i = 0; i < items.size(); ++i) writes[i].put_item = items[i];
  const TableWrites tables[] = {{.table_name = "Work", .requests = writes}};
  return database.batch_write_item({.request_items = tables}).has_value();
}

bool transaction(Database& database, const std::vector<ItemView>& items) {
  std::vector<TransactWrite> actions;
  for (const ItemView put : items) actions.push_back({.table_name = "Work", .item = put});
  return database.transact_write_items({.transact_items = actions}).has_value();
}

void put_items(int indexes, int count) {
  const auto database = Database::in_memory();
  create_table(*database, indexes);
  const std::vector<Item> items = make_items();
  for (int i = 0; i < count; ++i) {
    const Item& next = items[static_cast<std::size_t>(i) % items.size()];
    if (!database->put_item({.table_name = "Work", .item = next})) std::abort();
  }
}

const std::map<std::string, std::function<void(int)>> kWorkloads = {
    {"put", [](int count) { put_items(0, count); }},
    {"batch-of-25", [](int count) { write_together(25, count, batch); }},
    {"transaction-of-2", [](int count) { write_together(2, count, transaction); }},
    {"put-with-3-indexes", [](int count) { put_items(3, count); }},
};

}  // namespace
}  // namespace partita

int main(int argc, char** argv) {
  const auto workload = argc == 3 ? partita::kWorkloads.find(argv[1]) : partita::kWorkloads.end();
  if (workload == partita::kWorkloads.end()) {
    std::cerr << "usage: work_in_process WORKLOAD COUNT\n";
    return 2;
  }
  workload->second(std::atoi(argv[2]));
  return 0;
}
