#include "operations/items/write_answers.h"

#include <algorithm>

namespace partita {

Result<std::optional<Condition>> bind_write_condition(Binder& binder,
                                                      std::optional<std::string_view> expression) {
  if (!expression) return std::optional<Condition>();
  PARTITA_TRY(Condition condition, binder.condition("ConditionExpression", *expression));
  return std::optional<Condition>(std::move(condition));
}

namespace {

// The attributes member, as ReturnValues asks.
std::optional<Item> returned_attributes(const WritePlan& plan, ReturnValues wanted,
                                        WriteOutcome& outcome) {
  const auto touched = [&](const std::optional<Item>& item) -> std::optional<Item> {
    if (!item || !plan.update()) return std::nullopt;
    Item part = plan.update()->touched_attributes(*item);
    if (part.view().empty()) return std::nullopt;
    return part;
  };
  switch (wanted) {
    case ReturnValues::None:
      return std::nullopt;
    case ReturnValues::AllOld:
      return std::move(outcome.previous);
    case ReturnValues::AllNew:
      return std::move(outcome.next);
    case ReturnValues::UpdatedOld:
      return touched(outcome.previous);
    case ReturnValues::UpdatedNew:
      return touched(outcome.next);
  }
  __builtin_unreachable();
}

}  // namespace

// The estimate is a range of whole gigabytes.
Result<std::optional<ItemCollectionMetrics>> collection_metrics(const OperationContext& context,
                                                                const WritePlan& plan,
                                                                ItemView key) {
  const TableSchema& table = plan.table();
  if (table.local_indexes.empty()) return std::optional<ItemCollectionMetrics>();
  PARTITA_TRY(const std::int64_t bytes, context.executor.collection_bytes(table, plan.key()));
  const std::string& name = table.key.partition[0].name;
  ItemCollectionMetrics metrics;
  metrics.item_collection_key.set(name, *key.find(name));
  metrics.size_estimate_lower_gb = static_cast<double>(bytes >> 30);
  metrics.size_estimate_upper_gb = metrics.size_estimate_lower_gb + 1;
  return std::optional<ItemCollectionMetrics>(std::move(metrics));
}

Result<WriteItemResponse> run_write(const OperationContext& context, const WritePlan& plan,
                                    ItemView key, const WriteAnswerWishes& wishes) {
  const ReturnValues wanted = wishes.return_values;
  const WriteWishes needs{wanted == ReturnValues::AllOld || wanted == ReturnValues::UpdatedOld,
                          wanted == ReturnValues::AllNew || wanted == ReturnValues::UpdatedNew,
                          wishes.on_failure == ReturnValuesOnConditionCheckFailure::AllOld};
  PARTITA_TRY(WriteOutcome outcome,
              context.executor.write(plan, needs, context.now, context.ticket.version));

  WriteItemResponse response;
  response.consumed_capacity = capacity_report(wishes.capacity, plan.table(), outcome.charge);
  if (wishes.metrics == ReturnItemCollectionMetrics::Size) {
    PARTITA_TRY(response.item_collection_metrics, collection_metrics(context, plan, key));
  }
  response.attributes = returned_attributes(plan, wanted, outcome);
  return response;
}

}  // namespace partita
