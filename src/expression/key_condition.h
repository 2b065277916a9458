// KeyCondition: a KeyConditionExpression or KeyConditions, as the conditions on single attributes
// it consists of.
#pragma once

#include <cstdint>
#include <memory_resource>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "partita/result.h"
#include "partita/value.h"

#include "expression/bound_tree.h"

namespace partita {

enum class KeyOperator : std::uint8_t {
  Equal,
  Less,
  LessOrEqual,
  Greater,
  GreaterOrEqual,
  Between,
  BeginsWith,
  NotIndexable,  // KeyConditions alone can say such; refused once the key is known
};

struct KeyClause {
  std::string_view attribute;
  KeyOperator op;
  ValueView value;                 // not of NotIndexable
  std::optional<ValueView> upper;  // with Between
};

class KeyCondition {
 public:
  // `bound` is a condition. Fails where it is none that keys can have: OR, functions, nested paths,
  // two conditions on one attribute …
  static Result<KeyCondition> from(BoundTree bound, std::pmr::memory_resource* memory);
  // Without clauses: what a binder hands out while its finish() still owes the error.
  static KeyCondition without_clauses(TreePointer tree, std::pmr::memory_resource* memory);

  // The same without a tree; what the clauses borrow from must outlive it.
  static KeyCondition of_clauses(std::pmr::vector<KeyClause> clauses,
                                 std::pmr::memory_resource* memory);

  // All of them must hold; in the order of the text, each attribute at most once.
  std::span<const KeyClause> clauses() const { return clauses_; }

 private:
  KeyCondition(BoundTree bound, std::pmr::memory_resource* memory)
      : bound_(std::move(bound)), clauses_(memory) {}
  Result<void> add(NodeIndex index);
  Result<KeyClause> clause_of(const Node& node) const;

  BoundTree bound_;
  std::pmr::vector<KeyClause> clauses_;
};

}  // namespace partita
