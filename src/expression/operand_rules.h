// What operands an operator or function accepts, as far as a request's own values show. (What the
// item holds instead only makes a condition false.)
#pragma once

#include "partita/result.h"

#include "expression/bound_tree.h"

namespace partita {

inline constexpr std::size_t kInOperandsMax = 100;

// Both have the same type: S, N or B.
bool is_less(ValueView left, ValueView right);

// One condition: the nodes from `first` to `last`, the condition itself. In DynamoDB's order:
// number of operands, operands that must be distinct, their types.
Result<void> check_condition_operands(const BoundTree& bound, NodeIndex first, NodeIndex last);

// The values of ADD and DELETE, then functions and arithmetic, each in the order of the text.
Result<void> check_update_operands(const BoundTree& bound);

}  // namespace partita
