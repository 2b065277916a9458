// What legacy parameters may say, as far as the request alone shows: how many values an operator
// takes and of which types, and what of Expected and AttributeUpdates goes together. The messages
// were recorded from DynamoDB by dynalite's tests.
#pragma once

#include <span>
#include <string_view>

#include "partita/requests/legacy.h"
#include "partita/result.h"

namespace partita {

Result<void> check_condition(const AttributeCondition& condition);
Result<void> check_expected(const ExpectedAttribute& expected);
Result<void> check_update(const AttributeUpdate& update);
Result<void> check_attributes_to_get(std::span<const std::string_view> names);

// The comparison an Expected asks for, whichever form it has; it has been checked.
AttributeCondition comparison_of(const ExpectedAttribute& expected);

}  // namespace partita
