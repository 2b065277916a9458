// Sample: items to hold a design against, made by hand or read from a table.
//
//   Sample sample;
//   sample.add<order>(Order{.id = "1", …});         // as it would be stored
//   sample.add_from(table, 1000);                   // the first 1000 items of a table
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "partita/item.h"
#include "partita/model/table.h"
#include "partita/result.h"

namespace partita::model {

class Sample {
 public:
  struct Entry {
    std::string table;  // the name in its definition
    Item item;
  };

  void add(std::string_view table, ItemView item) {
    entries_.push_back({std::string(table), Item(item)});
  }
  template <const auto& Entity>
  Result<void> add(const typename std::remove_cvref_t<decltype(Entity)>::Object& object) {
    PARTITA_TRY(const Item item, Entity.encode(object));
    add(Entity.plan.table->name, item);
    return {};
  }
  // Scans until there are so many items more.
  Result<void> add_from(const Store& table, std::size_t items_max = 1000);

  const std::vector<Entry>& entries() const { return entries_; }
  bool empty() const { return entries_.empty(); }

 private:
  std::vector<Entry> entries_;
};

}  // namespace partita::model
