#include "expression/operand_rules.h"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <optional>
#include <string>

#include "expression/path_set.h"

namespace partita {
namespace {

using Types = std::initializer_list<ValueType>;

// The type the text and the request's values give an operand; a path has none yet.
std::optional<ValueType> known_type(const BoundTree& bound, NodeIndex operand) {
  const Node& node = bound.node(operand);
  switch (node.kind) {
    case NodeKind::Value:
      return bound.value(node).type();
    case NodeKind::Size:
    case NodeKind::Plus:
    case NodeKind::Minus:
      return ValueType::N;
    case NodeKind::ListAppend:
      return ValueType::L;
    default:
      return std::nullopt;
  }
}

Error wrong_type(NodeKind kind, std::string_view type) {
  return Error::validation(
      "Incorrect operand type for operator or function; operator or function: " +
      std::string(operator_name(kind)) + ", operand type: " + std::string(type));
}

Result<void> check_types(const BoundTree& bound, const Node& node, Types accepted) {
  for (NodeIndex operand : bound.tree->operands_of(node)) {
    const std::optional<ValueType> type = known_type(bound, operand);
    if (type && std::find(accepted.begin(), accepted.end(), *type) == accepted.end()) {
      return wrong_type(node.kind, type_name(*type));
    }
  }
  return {};
}

std::size_t operands_wanted(NodeKind function) {
  switch (function) {
    case NodeKind::AttributeExists:
    case NodeKind::AttributeNotExists:
    case NodeKind::Size:
      return 1;
    default:
      return 2;
  }
}

Result<void> check_operand_count(const Node& node) {
  if (!is_function(node.kind) || node.count == operands_wanted(node.kind)) return {};
  return Error::validation(
      "Incorrect number of operands for operator or function; operator or function: " +
      std::string(operator_name(node.kind)) +
      ", number of operands: " + std::to_string(node.count));
}

Result<void> check_document_path(const BoundTree& bound, const Node& node) {
  if (bound.node(bound.tree->operands_of(node).front()).kind == NodeKind::Path) return {};
  return Error::validation("Operator or function requires a document path; operator or function: " +
                           std::string(operator_name(node.kind)));
}

Result<void> check_distinct(const BoundTree& bound, const Node& node) {
  const auto operands = bound.tree->operands_of(node);
  const Node& first = bound.node(operands.front());
  if (first.kind != NodeKind::Path) return {};
  const PathView path = bound.path(first);
  for (NodeIndex operand : operands.subspan(1)) {
    const Node& other = bound.node(operand);
    if (other.kind != NodeKind::Path) continue;
    const PathView other_path = bound.path(other);
    if (!std::equal(path.begin(), path.end(), other_path.begin(), other_path.end())) continue;
    return Error::validation(
        "The first operand must be distinct from the remaining operands for this operator or "
        "function; operator: " +
        std::string(operator_name(node.kind)) + ", first operand: " + path_list_text(path));
  }
  return {};
}

// A value as Java's AttributeValue prints it.
std::string bound_text(ValueView value) {
  std::string text = "AttributeValue: {" + std::string(type_name(value.type())) + ":";
  switch (value.type()) {
    case ValueType::S:
      text.append(value.string());
      break;
    case ValueType::N:
      text.append(value.number());
      break;
    default: {
      const std::string size = std::to_string(value.binary().size());
      text.append("java.nio.HeapByteBuffer[pos=0 lim=" + size + " cap=" + size + "]");
    }
  }
  return text + "}";
}

Result<void> check_bounds(const BoundTree& bound, const Node& between) {
  const auto operands = bound.tree->operands_of(between);
  const Node& lower_node = bound.node(operands[1]);
  const Node& upper_node = bound.node(operands[2]);
  if (lower_node.kind != NodeKind::Value || upper_node.kind != NodeKind::Value) return {};
  const ValueView lower = bound.value(lower_node);
  const ValueView upper = bound.value(upper_node);
  const char* wish = nullptr;
  if (lower.type() != upper.type()) {
    wish = "same data type for lower and upper bounds";
  } else if (is_less(upper, lower)) {
    wish = "upper bound to be greater than or equal to lower bound";
  }
  if (wish == nullptr) return {};
  return Error::validation("The BETWEEN operator requires " + std::string(wish) +
                           "; lower bound operand: " + bound_text(lower) +
                           ", upper bound operand: " + bound_text(upper));
}

Result<void> check_in(const BoundTree& bound, const Node& node) {
  const std::size_t listed = node.count - 1U;
  if (listed > kInOperandsMax) {
    return Error::validation(
        "The IN operator is provided with too many operands; number of operands: " +
        std::to_string(listed));
  }
  return check_distinct(bound, node);
}

bool is_type_name(std::string_view text) {
  constexpr std::array<std::string_view, 10> names = {"S",  "N",  "B",  "NULL", "BOOL",
                                                      "SS", "NS", "BS", "L",    "M"};
  return std::find(names.begin(), names.end(), text) != names.end();
}

Result<void> check_attribute_type(const BoundTree& bound, const Node& node) {
  const NodeIndex wanted = bound.tree->operands_of(node)[1];
  const std::optional<ValueType> type = known_type(bound, wanted);
  if (!type) return wrong_type(node.kind, "{NS,SS,L,BS,N,M,B,BOOL,NULL,S}");
  if (*type != ValueType::S) return wrong_type(node.kind, type_name(*type));
  const std::string_view name = bound.value(bound.node(wanted)).string();
  if (is_type_name(name)) return {};
  return Error::validation("Invalid attribute type name found; type: " + std::string(name) +
                           ", valid types: {B,NULL,SS,BOOL,L,BS,N,NS,S,M}");
}

Result<void> check_operand_types(const BoundTree& bound, const Node& node) {
  constexpr auto S = ValueType::S, N = ValueType::N, B = ValueType::B, L = ValueType::L;
  switch (node.kind) {
    case NodeKind::Less:
    case NodeKind::LessOrEqual:
    case NodeKind::Greater:
    case NodeKind::GreaterOrEqual:
      return check_types(bound, node, {S, N, B});
    case NodeKind::Between:
      PARTITA_CHECK(check_types(bound, node, {S, N, B}));
      return check_bounds(bound, node);
    case NodeKind::AttributeExists:
    case NodeKind::AttributeNotExists:
    case NodeKind::IfNotExists:
      return check_document_path(bound, node);
    case NodeKind::AttributeType:
      return check_attribute_type(bound, node);
    case NodeKind::BeginsWith:
      return check_types(bound, node, {S, B});
    case NodeKind::Size:
      return check_types(bound, node,
                         {S, B, ValueType::SS, ValueType::NS, ValueType::BS, L, ValueType::M});
    case NodeKind::Plus:
    case NodeKind::Minus:
      return check_types(bound, node, {N});
    case NodeKind::ListAppend:
      return check_types(bound, node, {L});
    default:
      return {};
  }
}

// ADD and DELETE name types in words (recorded from DynamoDB, as is the set's name for both).
std::string_view type_in_words(ValueType type) {
  switch (type) {
    case ValueType::S:
      return "STRING";
    case ValueType::N:
      return "NUMBER";
    case ValueType::B:
      return "BINARY";
    case ValueType::L:
      return "LIST";
    case ValueType::M:
      return "MAP";
    default:
      return type_name(type);
  }
}

Result<void> check_action_value(const UpdateAction& action, ValueView value) {
  const ValueType type = value.type();
  const bool is_add = action.kind == UpdateAction::Kind::Add;
  if (type >= ValueType::SS || (is_add && type == ValueType::N)) return {};
  const std::string verb = is_add ? "ADD" : "DELETE";
  return Error::validation("Incorrect operand type for operator or function; operator: " + verb +
                           ", operand type: " + std::string(type_in_words(type)) +
                           ", typeSet: ALLOWED_FOR_" + verb + "_OPERAND");
}

bool has_operands(const Node& node) { return node.kind > NodeKind::Value; }

}  // namespace

bool is_less(ValueView left, ValueView right) {
  switch (left.type()) {
    case ValueType::S:
      return left.string() < right.string();
    case ValueType::N:
      return left.ordered_number() < right.ordered_number();
    default:
      return left.binary() < right.binary();
  }
}

Result<void> check_condition_operands(const BoundTree& bound, NodeIndex first, NodeIndex last) {
  for (NodeIndex i = first; i <= last; ++i) {
    if (has_operands(bound.node(i))) PARTITA_CHECK(check_operand_count(bound.node(i)));
  }
  for (NodeIndex i = first; i <= last; ++i) {
    const Node& node = bound.node(i);
    if (!has_operands(node)) continue;
    PARTITA_CHECK(node.kind == NodeKind::In ? check_in(bound, node) : check_distinct(bound, node));
    PARTITA_CHECK(check_operand_types(bound, node));
  }
  return {};
}

Result<void> check_update_operands(const BoundTree& bound) {
  for (const UpdateAction& action : bound.tree->actions) {
    if (action.kind == UpdateAction::Kind::Add || action.kind == UpdateAction::Kind::Delete) {
      PARTITA_CHECK(check_action_value(action, bound.value(bound.node(action.value))));
    }
  }
  for (const Node& node : bound.tree->nodes) {
    if (!has_operands(node)) continue;
    PARTITA_CHECK(check_operand_count(node));
    PARTITA_CHECK(check_operand_types(bound, node));
  }
  return {};
}

}  // namespace partita
