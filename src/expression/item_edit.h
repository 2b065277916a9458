// Rewriting an item with some of its parts set or removed.
#pragma once

#include <optional>
#include <span>

#include "partita/item.h"
#include "partita/result.h"

#include "expression/path_set.h"

namespace partita {

// What becomes of the place a path leads to.
struct Edit {
  enum class Kind : std::uint8_t { Keep, Set, Remove };
  Kind kind = Kind::Keep;
  Bytes value{};  // encoded, of Set
};

// The item with all edits made; `edits` are in the order the paths were given. Untouched parts are
// copied as they are. Indexes mean places in the old lists: elements set beyond a list's end are
// appended in the order of their indexes, removed ones leave no gap. Fails where a path leads
// through something that is not there or of the wrong kind.
Result<Item> edit_item(ItemView item, OrderedPaths paths, std::span<const Edit> edits);

// Fails as edit_item does for its paths, without looking at the values of the edits.
Result<void> check_edited_paths(ItemView item, OrderedPaths paths, std::span<const Edit> edits);

}  // namespace partita
