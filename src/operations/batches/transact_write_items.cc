// TransactWriteItems: up to 100 actions, all of them or none.
#include <list>

#include "execution/cancellation.h"
#include "expression/binder.h"
#include "operations/batches/batch_operations.h"
#include "operations/batches/distinct_keys.h"
#include "operations/batches/request_fingerprint.h"
#include "operations/batches/table_reports.h"
#include "operations/items/write_answers.h"
#include "operations/parameter_rules.h"
#include "plan/write_plan.h"

namespace partita {

namespace {

using Kind = TransactWrite::Kind;

constexpr std::size_t kTokenLengthMax = 36;

// An action whose expressions are bound; its binder must outlive it.
struct BoundAction {
  TablePointer table;
  std::optional<Update> update;
  std::optional<Condition> condition;
};

Result<BoundAction> bind(Binder& binder, const TransactWrite& action) {
  const ExpressionParameter update_parameters[] = {
      {"UpdateExpression", action.update_expression.has_value()},
      {"ConditionExpression", action.condition_expression.has_value()}};
  const bool updates = action.kind == Kind::Update;
  PARTITA_CHECK(check_expression_attributes(
      action.expression_attributes,
      updates ? std::span(update_parameters) : std::span(update_parameters).subspan(1)));
  if (action.kind == Kind::Put) PARTITA_CHECK(check_request_item_size(action.item));
  BoundAction bound;
  if (updates && action.update_expression) {
    PARTITA_TRY(bound.update, binder.update(*action.update_expression));
  }
  PARTITA_TRY(bound.condition, bind_write_condition(binder, action.condition_expression));
  PARTITA_CHECK(binder.finish());
  return bound;
}

Result<WritePlan> plan(const TransactWrite& action, BoundAction bound) {
  switch (action.kind) {
    case Kind::Put:
      return WritePlan::put(std::move(bound.table), action.item, std::move(bound.condition));
    case Kind::Delete:
      return WritePlan::remove(std::move(bound.table), action.item, std::move(bound.condition));
    case Kind::Update:
      return WritePlan::update(std::move(bound.table), action.item, std::move(bound.update),
                               std::move(bound.condition), UpdatedSize::Plain);
    case Kind::ConditionCheck:
      if (!bound.condition) {
        return Error::validation("A ConditionCheck needs a ConditionExpression");
      }
      return WritePlan::check(std::move(bound.table), action.item, *std::move(bound.condition));
  }
  __builtin_unreachable();
}

Result<void> check_request(const TransactWriteItemsRequest& request) {
  if (request.transact_items.empty() || request.transact_items.size() > kTransactionActionsMax) {
    return Error::validation("A transaction has 1 to 100 actions");  // the wire has said it better
  }
  if (request.client_request_token && (request.client_request_token->empty() ||
                                       request.client_request_token->size() > kTokenLengthMax)) {
    return Error::validation("A ClientRequestToken has 1 to 36 characters");
  }
  return {};
}

// An empty key is told before the transaction begins, like what is wrong with expressions; a key
// that does not fit the table cancels it (recorded from DynamoDB by Dynoxide and Alternator).
bool is_told_at_once(const Error& error) {
  return error.code() != ErrorCode::Validation ||
         error.message().find("The AttributeValue for a key attribute cannot contain an empty") !=
             std::string::npos;
}

// Tables and keys. Of several actions that do not fit their tables the first is told.
Result<std::vector<WriteStep>> plan_steps(const OperationContext& context,
                                          const TransactWriteItemsRequest& request,
                                          std::vector<BoundAction> actions) {
  for (std::size_t i = 0; i < actions.size(); ++i) {
    const std::string_view name = request.transact_items[i].table_name;
    if (i > 0 && name == request.transact_items[i - 1].table_name) {
      actions[i].table = actions[i - 1].table;
    } else {
      PARTITA_TRY(actions[i].table, find_table(context, name));
    }
  }
  std::vector<WriteStep> steps;
  steps.reserve(actions.size());
  DistinctKeys keys(context.memory);
  std::vector<CancellationReason> reasons;
  for (std::size_t i = 0; i < actions.size(); ++i) {
    const TransactWrite& action = request.transact_items[i];
    Result<WritePlan> planned = plan(action, std::move(actions[i]));
    if (!planned) {
      if (is_told_at_once(planned.error())) return std::move(planned).error();
      if (reasons.empty()) {
        reasons.resize(actions.size());
        reasons[i] = reason_of(planned.error());
      }
      continue;
    }
    const bool shows_item = action.return_values_on_condition_check_failure ==
                            ReturnValuesOnConditionCheckFailure::AllOld;
    steps.push_back({*std::move(planned), {.item_of_failure = shows_item}});
    if (!keys.add(ItemPlace(steps.back().plan))) return multiple_operations_on_one_item();
  }
  if (!reasons.empty()) return transaction_canceled(std::move(reasons));
  return steps;
}

// A repetition is charged for reading.
Result<std::optional<std::vector<ConsumedCapacity>>> capacity_of(
    const OperationContext& context, const TransactWriteItemsRequest& request,
    std::span<const WriteStep> steps, const TransactionOutcome& outcome) {
  if (!outcome.repeated_reads) {
    CapacityByTable capacity(request.return_consumed_capacity, CapacityKind::TransactionWrite);
    for (std::size_t i = 0; i < steps.size(); ++i) {
      capacity.add(steps[i].plan.table_pointer(), outcome.charges[i]);
    }
    return capacity.report();
  }
  CapacityByTable capacity(request.return_consumed_capacity, CapacityKind::TransactionRead);
  for (const auto& [name, units] : *outcome.repeated_reads) {
    PARTITA_TRY(const TablePointer table, find_table(context, name));
    capacity.add(table, {static_cast<double>(units), {}});
  }
  return capacity.report();
}

}  // namespace

Result<TransactWriteItemsResponse> transact_write_items(const OperationContext& context,
                                                        const TransactWriteItemsRequest& request) {
  PARTITA_CHECK(check_request(request));
  std::pmr::list<Binder> binders(context.memory);  // plans borrow from them
  std::vector<BoundAction> actions;
  actions.reserve(request.transact_items.size());
  for (const TransactWrite& action : request.transact_items) {
    Binder& binder =
        binders.emplace_back(context.expressions, action.expression_attributes, context.memory);
    PARTITA_TRY(BoundAction bound, bind(binder, action));
    actions.push_back(std::move(bound));
  }
  PARTITA_CHECK(check_payload_size(request));
  PARTITA_TRY(const std::vector<WriteStep> steps, plan_steps(context, request, std::move(actions)));

  std::optional<RequestToken> token;
  if (request.client_request_token) {
    token = RequestToken{*request.client_request_token, fingerprint_of(request)};
  }
  PARTITA_TRY(
      const TransactionOutcome outcome,
      context.executor.write_transaction(steps, token, context.now, context.ticket.version));

  TransactWriteItemsResponse response;
  PARTITA_TRY(response.consumed_capacity, capacity_of(context, request, steps, outcome));
  CollectionsByTable collections(request.return_item_collection_metrics);
  for (const WriteStep& step : steps) PARTITA_CHECK(collections.add(context, step.plan));
  response.item_collection_metrics = collections.take();
  return response;
}

}  // namespace partita
