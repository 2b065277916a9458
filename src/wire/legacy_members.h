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

// Does the request have expressions and what was there before them? The operation refuses that, and
// AWS does so before it looks at attribute values.
template <typename Request>
bool mixes_parameters(const Request& request) {
  bool expressions = false, legacy = false;
  if constexpr (requires { request.expected; }) {
    expressions = request.condition_expression.has_value();
    legacy = request.expected || request.conditional_operator;
    if constexpr (requires { request.attribute_updates; }) {
      expressions = expressions || request.update_expression;
      legacy = legacy || request.attribute_updates;
    }
  } else {
    expressions = request.projection_expression.has_value();
    legacy = request.attributes_to_get.has_value();
    if constexpr (requires { request.filter_expression; }) {
      expressions = expressions || request.filter_expression;
      legacy = legacy || request.conditional_operator;
    }
    if constexpr (requires { request.scan_filter; }) legacy = legacy || request.scan_filter;
    if constexpr (requires { request.query_filter; }) {
      expressions = expressions || request.key_condition_expression;
      legacy = legacy || request.query_filter ||
               (request.key_conditions && request.key_condition_expression);
    }
  }
  return expressions && legacy;
}

}  // namespace partita
