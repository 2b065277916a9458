// growth_in_process reads ITEMS, or page BYTES: fills a table in this process, on the memory
// engine, then reads from it. Under callgrind, which is told when the reading begins, only that is
// counted.
//
//   reads ITEMS   2,000 GetItem of random keys in a table of ITEMS small items
//   page BYTES    20 Queries of one collection that holds BYTES in items of 1 KB
#include <cstdlib>
#include <iostream>
#include <random>
#include <string>
#include <string_view>

#include <valgrind/callgrind.h>

#include "partita/database.h"

namespace partita {
namespace {

constexpr int kReads = 2000;
constexpr int kPages = 20;

std::unique_ptr<Database> database_with_table() {
  auto database = Database::in_memory();
  CreateTableRequest table;
  table.table_name = "Work";
  table.attribute_definitions = {{"pk", ScalarType::S}, {"sk", ScalarType::N}};
  table.key_schema = {{"pk", KeyType::Hash}, {"sk", KeyType::Range}};
  table.billing_mode = BillingMode::PayPerRequest;
  if (!database->create_table(table)) std::abort();
  return database;
}

Item key_of(std::string_view partition, std::int64_t number) {
  return Item{{"pk", Value::string(partition)}, {"sk", Value::number(number)}};
}

// Taking the database down is not to be counted.
[[noreturn]] void end() { std::_Exit(0); }

std::string partition_of(std::int64_t number) { return "user#" + std::to_string(number); }

void reads(std::int64_t items) {
  const auto database = database_with_table();
  for (std::int64_t i = 0; i < items; ++i) {
    const Item item = key_of(partition_of(i), i);
    if (!database->put_item({.table_name = "Work", .item = item})) std::abort();
  }
  std::mt19937_64 random(1);
  CALLGRIND_START_INSTRUMENTATION;
  for (int i = 0; i < kReads; ++i) {
    const auto number = static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(items));
    const Item key = key_of(partition_of(number), number);
    const auto answer = database->get_item({.table_name = "Work", .key = key});
    if (!answer || !answer->item) std::abort();
  }
  end();
}

void page(std::int64_t bytes) {
  const auto database = database_with_table();
  for (std::int64_t i = 0; i * 1024 < bytes; ++i) {
    Item item = key_of("one", i);
    item.set("payload", Value::string(std::string(1000, 'x')));
    if (!database->put_item({.table_name = "Work", .item = item})) std::abort();
  }
  const Value one = Value::string("one");
  const ExpressionAttributeValue values[] = {{":pk", one.view()}};
  QueryRequest query;
  query.table_name = "Work";
  query.key_condition_expression = "pk = :pk";
  query.expression_attributes.values = values;
  CALLGRIND_START_INSTRUMENTATION;
  for (int i = 0; i < kPages; ++i) {
    const auto answer = database->query(query);
    if (!answer || answer->count == 0) std::abort();
  }
  end();
}

}  // namespace
}  // namespace partita

int main(int argc, char** argv) {
  const std::string_view what = argc == 3 ? argv[1] : "";
  if (what == "reads") {
    partita::reads(std::atoll(argv[2]));
  } else if (what == "page") {
    partita::page(std::atoll(argv[2]));
  } else {
    std::cerr << "usage: growth_in_process reads ITEMS | page BYTES\n";
    return 2;
  }
  return 0;
}
