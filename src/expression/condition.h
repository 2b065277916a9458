// Condition: a ConditionExpression or FilterExpression that can be asked of items.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "partita/item.h"

#include "expression/bound_tree.h"

namespace partita {

class Condition {
 public:
  explicit Condition(BoundTree bound) : bound_(std::move(bound)) {}

  // An absent item has no attributes.
  bool holds(std::optional<ItemView> item) const;

  // What asking one item may take: comparisons, their operands and what joins them.
  std::size_t node_count() const { return bound_.tree->nodes.size(); }

  // Does any path start with this attribute?
  bool names_top_level(std::string_view attribute) const;
  void for_each_path(FunctionRef<void(PathView)> visit) const { bound_.for_each_path(visit); }

 private:
  BoundTree bound_;
};

}  // namespace partita
