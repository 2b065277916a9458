// The parameters from before expressions: AttributesToGet, AttributeUpdates, Expected,
// KeyConditions, QueryFilter, ScanFilter, ConditionalOperator.
//
// They say less than expressions: every name is that of a whole attribute, never a path, and all
// conditions are joined by one operator. Old clients still send them; a request has either these or
// expressions, except that KeyConditions may stand beside FilterExpression and
// ProjectionExpression. Like all of a request they borrow, and each attribute is meant to be named
// once.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "partita/value.h"

namespace partita {

// NOT_NULL and NULL ask whether there is an attribute of that name, whatever its type.
enum class ComparisonOperator : std::uint8_t {
  Eq,
  Ne,
  Le,
  Lt,
  Ge,
  Gt,
  NotNull,
  Null,
  Contains,
  NotContains,
  BeginsWith,
  In,
  Between,
};

// What joins several conditions; AND unless said otherwise.
enum class ConditionalOperator : std::uint8_t { And, Or };

// One entry of KeyConditions, QueryFilter or ScanFilter.
struct AttributeCondition {
  std::string_view attribute{};
  ComparisonOperator comparison_operator = ComparisonOperator::Eq;
  std::span<const ValueView> values{};  // AttributeValueList: as many as the operator takes
};

// One entry of Expected, in either of its forms: a comparison with `values` or `value`, or none
// with `value` (the attribute equals it) or with `exists` false (there is no such attribute).
struct ExpectedAttribute {
  std::string_view attribute{};
  std::optional<ComparisonOperator> comparison_operator{};
  std::optional<std::span<const ValueView>> values{};  // AttributeValueList
  std::optional<ValueView> value{};
  std::optional<bool> exists{};
};

// PUT sets. ADD adds a number, members to a set or elements to the end of a list, and sets what is
// not there. DELETE removes the attribute, or with a value those members of a set.
enum class AttributeAction : std::uint8_t { Put, Add, Delete };

// One entry of AttributeUpdates.
struct AttributeUpdate {
  std::string_view attribute{};
  AttributeAction action = AttributeAction::Put;
  std::optional<ValueView> value{};
};

// Absent where the request has no such member, which differs from an empty one only in what may
// stand beside it.
using AttributeConditions = std::optional<std::span<const AttributeCondition>>;
using ExpectedAttributes = std::optional<std::span<const ExpectedAttribute>>;
using AttributeUpdates = std::optional<std::span<const AttributeUpdate>>;
using AttributesToGet = std::optional<std::span<const std::string_view>>;

}  // namespace partita
