// The members from before expressions, read.
//
// What they hold stays in the reader's memory. `rules` collects what violates the API model, so
// that each operation can tell it in AWS's order.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "partita/requests/legacy.h"

#include "wire/request_reader.h"
#include "wire/shape_rules.h"

namespace partita {

// `path` is how AWS names the member: "queryFilter", "attributesToGet".
std::span<const AttributeCondition> read_conditions(RequestReader& reader, std::string_view path,
                                                    ShapeRules& rules,
                                                    RequestReader::ValueOf value_of);
std::span<const ExpectedAttribute> read_expected(RequestReader& reader, ShapeRules& rules);
std::span<const AttributeUpdate> read_attribute_updates(RequestReader& reader, ShapeRules& rules);
std::span<const std::string_view> read_attributes_to_get(RequestReader& reader,
                                                         std::string_view path, ShapeRules& rules);
std::optional<ConditionalOperator> read_conditional_operator(RequestReader& reader,
                                                             ShapeRules& rules);

}  // namespace partita
