// The parameters from before expressions (partita/requests/legacy.h), bound.
//
// They become the trees and bound forms that expressions become, so nobody after this can tell
// which of the two a request had. There is no text in between, and nothing is cached: the names are
// part of the request. Each function checks its parameter first, with the messages DynamoDB has for
// it; what it returns borrows from the request and from `memory`.
//
//   a NE v            a <> v                  a NOT_NULL     attribute_exists(a)
//   a NOT_CONTAINS v  attribute_exists(a) AND NOT contains(a, v)
//   PUT a v           SET a = v               DELETE a       REMOVE a
//   ADD a v, DELETE a v                       ADD a v, DELETE a v; ADD appends to lists as well
#pragma once

#include <memory_resource>
#include <optional>
#include <span>
#include <string_view>

#include "partita/requests/legacy.h"
#include "partita/result.h"

#include "expression/condition.h"
#include "expression/key_condition.h"
#include "expression/projection.h"
#include "expression/update.h"

namespace partita {

// Each yields nothing for a parameter that is absent or empty, and AttributesToGet is never empty.
Result<std::optional<Condition>> bind_filter(const AttributeConditions& conditions,
                                             std::optional<ConditionalOperator> joined_by,
                                             std::pmr::memory_resource* memory);
Result<std::optional<Condition>> bind_expected(const ExpectedAttributes& expected,
                                               std::optional<ConditionalOperator> joined_by,
                                               std::pmr::memory_resource* memory);
Result<std::optional<Update>> bind_attribute_updates(const AttributeUpdates& updates,
                                                     std::pmr::memory_resource* memory);
Result<std::optional<ProjectionPaths>> bind_attributes_to_get(const AttributesToGet& names,
                                                              std::pmr::memory_resource* memory);

Result<KeyCondition> bind_key_conditions(std::span<const AttributeCondition> conditions,
                                         std::pmr::memory_resource* memory);

}  // namespace partita
