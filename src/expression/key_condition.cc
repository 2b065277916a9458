#include "expression/key_condition.h"

#include <algorithm>
#include <string>

namespace partita {
namespace {

Error invalid_operator(NodeKind kind) {
  return Error::validation("Invalid operator used in KeyConditionExpression: " +
                           std::string(operator_name(kind)));
}
Error invalid_condition(const std::string& why) {
  return Error::validation("Invalid condition in KeyConditionExpression: " + why);
}

// The operator with its operands exchanged: 5 < a is a > 5.
KeyOperator key_operator(NodeKind kind, bool exchanged) {
  switch (kind) {
    case NodeKind::Less:
      return exchanged ? KeyOperator::Greater : KeyOperator::Less;
    case NodeKind::LessOrEqual:
      return exchanged ? KeyOperator::GreaterOrEqual : KeyOperator::LessOrEqual;
    case NodeKind::Greater:
      return exchanged ? KeyOperator::Less : KeyOperator::Greater;
    case NodeKind::GreaterOrEqual:
      return exchanged ? KeyOperator::LessOrEqual : KeyOperator::GreaterOrEqual;
    case NodeKind::Between:
      return KeyOperator::Between;
    case NodeKind::BeginsWith:
      return KeyOperator::BeginsWith;
    default:
      return KeyOperator::Equal;
  }
}

bool is_allowed(NodeKind kind) {
  switch (kind) {
    case NodeKind::Equal:
    case NodeKind::Less:
    case NodeKind::LessOrEqual:
    case NodeKind::Greater:
    case NodeKind::GreaterOrEqual:
    case NodeKind::Between:
    case NodeKind::BeginsWith:
      return true;
    default:
      return false;
  }
}

}  // namespace

Result<KeyCondition> KeyCondition::from(BoundTree bound, std::pmr::memory_resource* memory) {
  KeyCondition condition(std::move(bound), memory);
  PARTITA_CHECK(condition.add(condition.bound_.tree->root()));
  return condition;
}

KeyCondition KeyCondition::without_clauses(TreePointer tree, std::pmr::memory_resource* memory) {
  return KeyCondition(BoundTree(std::move(tree), memory), memory);
}

KeyCondition KeyCondition::of_clauses(std::pmr::vector<KeyClause> clauses,
                                      std::pmr::memory_resource* memory) {
  KeyCondition condition = without_clauses(std::make_shared<const Tree>(), memory);
  condition.clauses_ = std::move(clauses);
  return condition;
}

// Nests no deeper than there are operators.
Result<void> KeyCondition::add(NodeIndex index) {
  const Node& node = bound_.node(index);
  if (node.kind == NodeKind::And) {
    const auto operands = bound_.tree->operands_of(node);
    PARTITA_CHECK(add(operands[0]));
    return add(operands[1]);
  }
  if (!is_allowed(node.kind)) return invalid_operator(node.kind);
  PARTITA_TRY(const KeyClause clause, clause_of(node));
  const bool repeated = std::any_of(clauses_.begin(), clauses_.end(), [&](const KeyClause& other) {
    return other.attribute == clause.attribute;
  });
  if (repeated) {
    return Error::validation("KeyConditionExpressions must only contain one condition per key");
  }
  clauses_.push_back(clause);
  return {};
}

Result<KeyClause> KeyCondition::clause_of(const Node& node) const {
  const auto operands = bound_.tree->operands_of(node);
  const bool path_comes_first = node.kind == NodeKind::Between || node.kind == NodeKind::BeginsWith;
  if (path_comes_first && bound_.node(operands[0]).kind != NodeKind::Path) {
    return invalid_condition(std::string(operator_name(node.kind)) +
                             " operator must have the key attribute as its first operand");
  }
  std::optional<std::size_t> attribute;
  for (std::size_t i = 0; i < operands.size(); ++i) {
    const Node& operand = bound_.node(operands[i]);
    if (operand.kind == NodeKind::Value) continue;
    if (operand.kind != NodeKind::Path) {
      return Error::validation("KeyConditionExpressions cannot contain nested operations");
    }
    if (attribute) return invalid_condition("Multiple attribute names used in one condition");
    if (operand.count > 1) {
      return Error::validation(
          "KeyConditionExpressions cannot have conditions on nested attributes");
    }
    attribute = i;
  }
  if (!attribute) return invalid_condition("No key attribute specified");

  const bool exchanged = *attribute != 0;
  KeyClause clause{bound_.path(bound_.node(operands[*attribute])).front().name(),
                   key_operator(node.kind, exchanged),
                   bound_.value(bound_.node(operands[exchanged ? 0 : 1])), std::nullopt};
  if (node.kind == NodeKind::Between) clause.upper = bound_.value(bound_.node(operands[2]));
  return clause;
}

}  // namespace partita
