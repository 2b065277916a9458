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

#include "workload.h"

namespace partita::work {
namespace {

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

void put_items(int indexes, int count, int groups = kKeys, bool stream = false) {
  const auto database = Database::in_memory();
  create_table(*database, indexes, stream);
  const std::vector<Item> items = make_items(groups);
  for (int i = 0; i < count; ++i) {
    const Item& next = items[static_cast<std::size_t>(i) % items.size()];
    if (!database->put_item({.table_name = "Work", .item = next})) std::abort();
  }
}

const std::map<std::string, std::function<void(int)>> kWorkloads = {
    {"put", [](int count) { put_items(0, count); }},
    {"put-with-stream", [](int count) { put_items(0, count, kKeys, true); }},
    {"batch-of-25", [](int count) { write_together(25, count, batch); }},
    {"transaction-of-2", [](int count) { write_together(2, count, transaction); }},
    {"put-with-3-indexes", [](int count) { put_items(3, count); }},
    {"put-that-moves-in-3-indexes", [](int count) { put_items(3, count, 2 * kKeys); }},
};

}  // namespace
}  // namespace partita::work

int main(int argc, char** argv) {
  const auto workload =
      argc == 3 ? partita::work::kWorkloads.find(argv[1]) : partita::work::kWorkloads.end();
  if (workload == partita::work::kWorkloads.end()) {
    std::cerr << "usage: work_in_process WORKLOAD COUNT\n";
    return 2;
  }
  workload->second(std::atoi(argv[2]));
  return 0;
}
