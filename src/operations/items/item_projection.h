// What GetItem and each table of BatchGetItem ask for of their items: ProjectionExpression,
// AttributesToGet, or all.
#pragma once

#include <optional>

#include "expression/binder.h"
#include "expression/legacy.h"
#include "operations/operation_context.h"
#include "operations/parameter_rules.h"

namespace partita {

template <typename Request>
Result<std::optional<ProjectionPaths>> bind_projection(const OperationContext& context,
                                                       const Request& request) {
  const ExpressionParameter parameters[] = {
      {"ProjectionExpression", request.projection_expression.has_value(), false}};
  if (request.attributes_to_get) {
    const LegacyParameter legacy[] = {{"AttributesToGet", true}};
    PARTITA_CHECK(check_not_mixed(legacy, parameters));
  }
  PARTITA_CHECK(check_expression_attributes(request.expression_attributes, parameters));
  if constexpr (requires { request.value_faults; }) {
    PARTITA_CHECK(check_values(request.value_faults, &ValueFaults::item));
  }
  if (request.attributes_to_get) {
    return bind_attributes_to_get(request.attributes_to_get, context.memory);
  }
  Binder binder(context.expressions, request.expression_attributes, context.memory);
  std::optional<ProjectionPaths> projection;
  if (request.projection_expression) {
    PARTITA_TRY(projection, binder.projection(*request.projection_expression));
  }
  PARTITA_CHECK(binder.finish());
  return projection;
}

}  // namespace partita
