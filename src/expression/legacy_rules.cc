#include "expression/legacy_rules.h"

#include <algorithm>
#include <limits>
#include <string>
#include <unordered_set>

#include "expression/operand_rules.h"
#include "value/attribute_name.h"

namespace partita {
namespace {

using Operator = ComparisonOperator;

std::string_view operator_text(Operator op) {
  constexpr std::string_view texts[] = {
      "EQ",   "NE",       "LE",           "LT",          "GE", "GT",     "NOT_NULL",
      "NULL", "CONTAINS", "NOT_CONTAINS", "BEGINS_WITH", "IN", "BETWEEN"};
  return texts[static_cast<std::size_t>(op)];
}

Error invalid(const std::string& what) {
  return Error::validation("One or more parameter values were invalid: " + what);
}

Error invalid_for(const std::string& what, std::string_view attribute) {
  return invalid((what + " for Attribute: ").append(attribute));
}

bool takes(Operator op, std::size_t values) {
  switch (op) {
    case Operator::NotNull:
    case Operator::Null:
      return values == 0;
    case Operator::In:  // an operator of a tree has no more operands
      return values > 0 && values < std::numeric_limits<std::uint16_t>::max();
    case Operator::Between:
      return values == 2;
    default:
      return values == 1;
  }
}

bool takes(Operator op, ValueType type) {
  const bool has_order = type == ValueType::S || type == ValueType::N || type == ValueType::B;
  switch (op) {
    case Operator::Eq:
    case Operator::Ne:
      return true;
    case Operator::Contains:
    case Operator::NotContains:  // what a set or list can hold, less sets and documents
      return has_order || type == ValueType::BOOL || type == ValueType::NULL_;
    case Operator::BeginsWith:
      return type == ValueType::S || type == ValueType::B;
    default:
      return has_order;
  }
}

Result<void> check_form(const ExpectedAttribute& expected) {
  if (expected.values && expected.value) {
    return invalid_for("Value and AttributeValueList cannot be used together", expected.attribute);
  }
  if (const auto op = expected.comparison_operator) {
    if (expected.exists) {
      return invalid_for("Exists and ComparisonOperator cannot be used together",
                         expected.attribute);
    }
    if (!expected.values && !expected.value && !takes(*op, std::size_t{0})) {
      return invalid_for("Value or AttributeValueList must be used with ComparisonOperator: " +
                             std::string(operator_text(*op)),
                         expected.attribute);
    }
    return {};
  }
  if (expected.values) {
    return invalid_for("AttributeValueList can only be used with a ComparisonOperator",
                       expected.attribute);
  }
  if (expected.exists.value_or(true) && !expected.value) {
    return invalid_for(
        std::string("Value must be provided when Exists is ") + (expected.exists ? "true" : "null"),
        expected.attribute);
  }
  if (!expected.exists.value_or(true) && expected.value) {
    return invalid_for("Value cannot be used when Exists is false", expected.attribute);
  }
  return {};
}

Result<void> check_name(std::string_view attribute) {
  if (const char* problem = attribute_name_problem(attribute)) return Error::validation(problem);
  return {};
}

}  // namespace

Result<void> check_condition(const AttributeCondition& condition) {
  const Operator op = condition.comparison_operator;
  const std::span<const ValueView> values = condition.values;
  const std::string name(operator_text(op));
  if (!takes(op, values.size())) {
    return invalid("Invalid number of argument(s) for the " + name + " ComparisonOperator");
  }
  for (const ValueView value : values) {
    if (value.type() != values.front().type()) {
      return invalid("AttributeValues inside AttributeValueList must be of same type");
    }
  }
  if (!values.empty() && !takes(op, values.front().type())) {
    return invalid("ComparisonOperator " + name + " is not valid for " +
                   std::string(type_name(values.front().type())) + " AttributeValue type");
  }
  if (op == Operator::Between && is_less(values[1], values[0])) {
    return Error::validation(
        "The BETWEEN condition was provided a range where the lower bound is greater than the "
        "upper bound");
  }
  return {};
}

Result<void> check_expected(const ExpectedAttribute& expected) {
  PARTITA_CHECK(check_form(expected));
  return check_condition(comparison_of(expected));
}

AttributeCondition comparison_of(const ExpectedAttribute& expected) {
  AttributeCondition condition{expected.attribute, Operator::Eq, {}};
  if (expected.values) condition.values = *expected.values;
  if (expected.value) condition.values = std::span(&*expected.value, 1);
  if (expected.comparison_operator) {
    condition.comparison_operator = *expected.comparison_operator;
  } else if (!expected.exists.value_or(true)) {
    condition.comparison_operator = Operator::Null;
  }
  return condition;
}

Result<void> check_update(const AttributeUpdate& update) {
  PARTITA_CHECK(check_name(update.attribute));
  if (!update.value) {
    if (update.action == AttributeAction::Delete) return {};
    return invalid("Only DELETE action is allowed when no attribute value is specified");
  }
  const ValueType type = update.value->type();
  const bool is_set = type >= ValueType::SS;
  if (update.action == AttributeAction::Delete && !is_set) {
    return invalid("DELETE action with value is not supported for the type " +
                   std::string(type_name(type)));
  }
  const bool can_be_added = is_set || type == ValueType::N || type == ValueType::L;
  if (update.action == AttributeAction::Add && !can_be_added) {
    return invalid("ADD action is not supported for the type " + std::string(type_name(type)));
  }
  return {};
}

Result<void> check_attributes_to_get(std::span<const std::string_view> names) {
  std::unordered_set<std::string_view> seen;
  for (const std::string_view name : names) {
    PARTITA_CHECK(check_name(name));
    if (!seen.insert(name).second) {
      return invalid(std::string("Duplicate value in attribute name: ").append(name));
    }
  }
  return {};
}

}  // namespace partita
