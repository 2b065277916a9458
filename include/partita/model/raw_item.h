// RawItem: the attributes of an item that can be changed one by one, for schema upgrades.
//
//   raw.rename("mass", "weight"); raw.set("diet", Value::string("herbivore")); raw.remove("old");
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "partita/item.h"

namespace partita::model {

class RawItem {
 public:
  explicit RawItem(ItemView item);

  std::optional<ValueView> find(std::string_view name) const;
  void set(std::string_view name, ValueView value);
  void remove(std::string_view name);
  void rename(std::string_view from, std::string_view to);  // nothing when `from` is not there

  // Valid until the next change.
  ItemView item();

 private:
  std::map<std::string, Value, std::less<>> attributes_;
  Item item_;
};

}  // namespace partita::model
