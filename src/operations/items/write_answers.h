// What PutItem, UpdateItem and DeleteItem have in common: the condition going in, the answer coming
// out.
#pragma once

#include <optional>
#include <string_view>

#include "expression/binder.h"
#include "operations/operation_context.h"
#include "plan/write_plan.h"

namespace partita {

Result<std::optional<Condition>> bind_write_condition(Binder& binder,
                                                      std::optional<std::string_view> expression);

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
