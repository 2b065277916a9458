// What PutItem, UpdateItem and DeleteItem have in common: the condition going in, the answer coming
// out.
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <type_traits>

#include "expression/binder.h"
#include "expression/legacy.h"
#include "operations/operation_context.h"
#include "operations/parameter_rules.h"
#include "plan/write_plan.h"

namespace partita {

Result<std::optional<Condition>> bind_write_condition(Binder& binder,
                                                      std::optional<std::string_view> expression);

// Which parameters of a write may stand together, and whether its item or key is one.
template <typename Request>
Result<void> check_write_parameters(const Request& request) {
  constexpr bool updates = std::is_same_v<Request, UpdateItemRequest>;
  bool has_expression = false, has_updates = false;
  if constexpr (updates) {
    has_expression = request.update_expression.has_value();
    has_updates = request.attribute_updates.has_value();
  }
  const ExpressionParameter all_expressions[] = {
      {"UpdateExpression", has_expression},
      {"ConditionExpression", request.condition_expression.has_value()}};
  const auto expressions = std::span(all_expressions).subspan(updates ? 0 : 1);
  if (has_updates || request.expected || request.conditional_operator) {
    const LegacyParameter legacy[] = {
        {"AttributeUpdates", has_updates},
        {"Expected", request.expected.has_value()},
        {"ConditionalOperator", request.conditional_operator.has_value()}};
    PARTITA_CHECK(check_not_mixed(legacy, expressions));
  }
  PARTITA_CHECK(check_expression_attributes(request.expression_attributes, expressions));
  return check_values(request.value_faults, &ValueFaults::item);
}

// ConditionExpression or Expected.
template <typename Request>
Result<std::optional<Condition>> bind_request_condition(const OperationContext& context,
                                                        Binder& binder, const Request& request) {
  PARTITA_CHECK(check_values(request.value_faults, &ValueFaults::parameter));
  PARTITA_CHECK(check_conditional_operator(request.conditional_operator,
                                           request.expected ? request.expected->size() : 0));
  if (request.expected) {
    return bind_expected(request.expected, request.conditional_operator, context.memory);
  }
  return bind_write_condition(binder, request.condition_expression);
}

// How large the collection is that the plan's item belongs to. Only tables with local indexes have
// item collections that AWS measures. `key` has at least the key attributes.
Result<std::optional<ItemCollectionMetrics>> collection_metrics(const OperationContext& context,
                                                                const WritePlan& plan,
                                                                ItemView key);

struct WriteAnswerWishes {
  ReturnValues return_values;
  ReturnValuesOnConditionCheckFailure on_failure;
  ReturnConsumedCapacity capacity;
  ReturnItemCollectionMetrics metrics;
};

// Carries the plan out and answers as asked.
Result<WriteItemResponse> run_write(const OperationContext& context, const WritePlan& plan,
                                    ItemView key, const WriteAnswerWishes& wishes);

template <typename Request>
Result<WriteItemResponse> run_write(const OperationContext& context, const WritePlan& plan,
                                    const Request& request) {
  const WriteAnswerWishes wishes{
      request.return_values, request.return_values_on_condition_check_failure,
      request.return_consumed_capacity, request.return_item_collection_metrics};
  if constexpr (requires { request.item; }) {
    return run_write(context, plan, request.item, wishes);
  } else {
    return run_write(context, plan, request.key, wishes);
  }
}

}  // namespace partita
