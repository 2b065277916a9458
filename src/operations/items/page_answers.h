// What Query and Scan have in common: filter and projection going in, the page coming out.
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <type_traits>

#include "expression/binder.h"
#include "expression/legacy.h"
#include "operations/operation_context.h"
#include "operations/parameter_rules.h"
#include "plan/read_plan.h"

namespace partita {

struct PageExpressions {
  std::optional<Condition> filter;
  std::optional<ProjectionPaths> projection;
};

// Which parameters of a page may stand together. `conditions` are those of the legacy filter, whose
// name is `filter`; KeyConditions count only beside KeyConditionExpression.
template <typename Request>
Result<void> check_page_parameters(const Request& request, const AttributeConditions& conditions,
                                   std::string_view filter) {
  bool has_key_expression = false, has_key_conditions = false;
  constexpr bool queries = std::is_same_v<Request, QueryRequest>;
  if constexpr (queries) {
    has_key_expression = request.key_condition_expression.has_value();
    has_key_conditions = has_key_expression && request.key_conditions.has_value();
  }
  const ExpressionParameter all_expressions[] = {
      {"ProjectionExpression", request.projection_expression.has_value(), false},
      {"FilterExpression", request.filter_expression.has_value()},
      {"KeyConditionExpression", has_key_expression}};
  const auto expressions = std::span(all_expressions).first(queries ? 3 : 2);
  const LegacyParameter legacy[] = {
      {"AttributesToGet", request.attributes_to_get.has_value()},
      {filter, conditions.has_value()},
      {"ConditionalOperator", request.conditional_operator.has_value()},
      {"KeyConditions", has_key_conditions}};
  PARTITA_CHECK(check_not_mixed(legacy, expressions));
  PARTITA_CHECK(check_expression_attributes(request.expression_attributes, expressions));
  return check_conditional_operator(request.conditional_operator,
                                    conditions ? conditions->size() : 0);
}

// The legacy filter, whose values may be none.
template <typename Request>
Result<std::optional<Condition>> bind_request_filter(const OperationContext& context,
                                                     const Request& request,
                                                     const AttributeConditions& conditions) {
  PARTITA_CHECK(check_values(request.value_faults, &ValueFaults::parameter));
  return bind_filter(conditions, request.conditional_operator, context.memory);
}

// The name of the parameter that says which attributes are wanted, if there is one.
template <typename Request>
std::string_view projection_parameter(const Request& request) {
  if (request.projection_expression) return "ProjectionExpression";
  return request.attributes_to_get ? "AttributesToGet" : "";
}

// Adds what the request says in expressions.
template <typename Request>
Result<PageExpressions> bind_page_expressions(Binder& binder, const Request& request,
                                              PageExpressions expressions) {
  if (request.filter_expression) {
    PARTITA_TRY(expressions.filter,
                binder.condition("FilterExpression", *request.filter_expression));
  }
  if (request.projection_expression) {
    PARTITA_TRY(expressions.projection, binder.projection(*request.projection_expression));
  }
  return expressions;
}

// Completes the plan with what both requests have, carries it out, and answers.
template <typename Request>
Result<PageResponse> run_page(const OperationContext& context, ReadPlan plan,
                              PageExpressions expressions, const Request& request) {
  plan.filter = std::move(expressions.filter);
  plan.projection = std::move(expressions.projection);
  plan.limit = request.limit;
  plan.consistent_read = request.consistent_read;
  const Throttle::Target target{
      *plan.source.table, plan.source.is_global_index() ? plan.source.index : nullptr,
      plan.keys ? std::optional(plan.keys->partition.hash) : std::nullopt};
  PARTITA_CHECK(context.executor.admit_read(target, context.now));
  const auto view = context.executor.view_for(plan.consistent_read, context.now);
  PARTITA_TRY(PageOutcome page, context.executor.read(plan, view.get(), context.ticket.version));
  context.executor.charge_read(target, all_units(page.charge), context.now);

  PageResponse response;
  response.items = std::move(page.items);
  response.items_wanted = plan.content != PageContent::Count;
  response.count = page.count;
  response.scanned_count = page.scanned_count;
  response.last_evaluated_key = std::move(page.last_evaluated_key);
  response.consumed_capacity =
      capacity_report(request.return_consumed_capacity, *plan.source.table, page.charge);
  return response;
}

}  // namespace partita
