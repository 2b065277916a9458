// Update: an UpdateExpression, or AttributeUpdates, that can be applied to items.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "partita/item.h"
#include "partita/result.h"

#include "expression/bound_tree.h"
#include "expression/path_set.h"

namespace partita {

// The paths of the actions, in their order.
Result<PathSet> target_paths(const BoundTree& bound, std::pmr::memory_resource* memory);

// What an update makes is larger than an item may be.
Error updated_item_too_large();

class Update {
 public:
  // `targets` are target_paths(bound), from which they borrow.
  Update(BoundTree bound, PathSet targets)
      : bound_(std::move(bound)), targets_(std::move(targets)) {}

  // The new item. `previous` is the item as it was, or only its key when there was none; every
  // value is computed from it, whatever the order of the actions. Pure: apply may be called again.
  // What is too large beyond doubt is not built, however often the actions repeat a value; whether
  // another item is too large is for the caller to say.
  Result<Item> apply(ItemView previous) const;

  // What UPDATED_OLD and UPDATED_NEW return of the old or new item: the touched parts it has.
  Item touched_attributes(ItemView item) const;

  // Is this attribute, or something inside it, a target?
  bool writes_top_level(std::string_view attribute) const;
  // What an action gives this attribute, as far as the expression alone tells it.
  struct Given {
    ValueType type;
    std::optional<ValueView> value{};
  };
  std::optional<Given> given_to(std::string_view attribute) const;
  void for_each_target(FunctionRef<void(PathView)> visit) const;
  // Targets and operands alike.
  void for_each_path(FunctionRef<void(PathView)> visit) const { bound_.for_each_path(visit); }

  // AttributeUpdates have their own words for what goes wrong.
  bool is_expression() const { return bound_.tree->is_expression; }

  std::size_t writing_actions() const;   // SET, ADD
  std::size_t clearing_actions() const;  // REMOVE, DELETE
  // Such an update does nothing to an item that is not there: it is not even checked.
  bool only_removes() const { return writing_actions() == 0; }

 private:
  BoundTree bound_;
  PathSet targets_;
};

}  // namespace partita
