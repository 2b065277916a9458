// AttributeFinder: looks up many attributes of one item, best asked in ascending order of names.
//
// ItemView::find begins at the front each time. This goes on from where it was as long as names
// ascend, as those of index keys mostly do (gsi1pk, gsi1sk, gsi2pk, ...), so all of them together
// cost one walk over the item.
#pragma once

#include <optional>
#include <string_view>

#include "partita/item.h"

namespace partita {

class AttributeFinder {
 public:
  explicit AttributeFinder(ItemView item);

  // The name is not empty, and stays: the last one is remembered.
  std::optional<ValueView> find(std::string_view name);

 private:
  const char* start_;
  const char* end_;
  const char* at_;         // every attribute before it is `last_` or comes before it
  std::string_view last_;  // asked for, and what was found
  std::optional<ValueView> last_value_;
};

}  // namespace partita
