// TransactGetItems: up to 100 items, all as they were at one moment.
#include <list>

#include "execution/cancellation.h"
#include "expression/binder.h"
#include "operations/batches/batch_operations.h"
#include "operations/batches/distinct_keys.h"
#include "operations/batches/request_fingerprint.h"
#include "operations/batches/table_reports.h"
#include "plan/item_rules.h"

namespace partita {

namespace {

struct BoundGet {
  TablePointer table;
  std::optional<ProjectionPaths> projection;
};

Result<std::optional<ProjectionPaths>> bind(Binder& binder, const TransactGet& action) {
  const ExpressionParameter parameters[] = {
      {"ProjectionExpression", action.projection_expression.has_value(), false}};
  PARTITA_CHECK(check_expression_attributes(action.expression_attributes, parameters));
  std::optional<ProjectionPaths> projection;
  if (action.projection_expression) {
    PARTITA_TRY(projection, binder.projection(*action.projection_expression));
  }
  PARTITA_CHECK(binder.finish());
  return projection;
}

Result<std::vector<ReadStep>> plan_steps(const OperationContext& context,
                                         const TransactGetItemsRequest& request,
                                         std::vector<BoundGet>& gets) {
  for (std::size_t i = 0; i < gets.size(); ++i) {
    PARTITA_TRY(gets[i].table, find_table(context, request.transact_items[i].table_name));
  }
  std::vector<ReadStep> steps;
  steps.reserve(gets.size());
  DistinctKeys keys(context.memory);
  std::vector<CancellationReason> reasons;
  for (std::size_t i = 0; i < gets.size(); ++i) {
    const TableSchema& table = *gets[i].table;
    Result<EncodedKey> key = key_of_request(table.key, request.transact_items[i].key);
    if (!key) {
      reasons.resize(gets.size());
      reasons[i] = reason_of(key.error());
      continue;
    }
    steps.push_back({&table, *std::move(key), gets[i].projection ? &*gets[i].projection : nullptr});
    if (!keys.add(ItemPlace(table, steps.back().key))) return multiple_operations_on_one_item();
  }
  if (!reasons.empty()) return transaction_canceled(std::move(reasons));
  return steps;
}

}  // namespace

Result<TransactGetItemsResponse> transact_get_items(const OperationContext& context,
                                                    const TransactGetItemsRequest& request) {
  if (request.transact_items.empty() || request.transact_items.size() > kTransactionActionsMax) {
    return Error::validation("A transaction has 1 to 100 actions");  // the wire has said it better
  }
  std::pmr::list<Binder> binders(context.memory);  // projections borrow from them
  std::vector<BoundGet> gets(request.transact_items.size());
  for (std::size_t i = 0; i < gets.size(); ++i) {
    const TransactGet& action = request.transact_items[i];
    Binder& binder =
        binders.emplace_back(context.expressions, action.expression_attributes, context.memory);
    PARTITA_TRY(gets[i].projection, bind(binder, action));
  }
  PARTITA_TRY(const std::vector<ReadStep> steps, plan_steps(context, request, gets));
  const auto target_of = [&](std::size_t i) {
    return Throttle::Target{*steps[i].table, nullptr, steps[i].key.hash};
  };
  PARTITA_CHECK(check_actions(steps.size(), [&](std::size_t i) {
    return context.executor.admit_read(target_of(i), context.now);
  }));
  PARTITA_TRY(std::vector<GetOutcome> outcomes,
              context.executor.read_transaction(steps, context.ticket.version));

  TransactGetItemsResponse response;
  response.responses.reserve(outcomes.size());
  CapacityByTable capacity(request.return_consumed_capacity, CapacityKind::TransactionRead);
  std::size_t bytes = 0;
  for (std::size_t i = 0; i < outcomes.size(); ++i) {
    GetOutcome& outcome = outcomes[i];
    bytes += outcome.size_bytes;
    const double units = 2 * read_units(outcome.size_bytes, true);
    context.executor.charge_read(target_of(i), units, context.now);
    capacity.add(gets[i].table, {units, {}});
    // A projection that finds nothing in an item leaves no item, unlike GetItem's (recorded from
    // DynamoDB by Dynoxide).
    const bool nothing = outcome.item && steps[i].projection && outcome.item->view().empty();
    response.responses.push_back(nothing ? std::nullopt : std::move(outcome.item));
  }
  if (bytes > kPayloadBytesMax) return payload_too_large(bytes);
  response.consumed_capacity = capacity.report();
  return response;
}

}  // namespace partita
