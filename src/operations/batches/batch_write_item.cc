// BatchWriteItem: puts and deletes of up to 25 items, each for itself, in one commit.
#include <algorithm>

#include "operations/batches/batch_operations.h"
#include "operations/batches/distinct_keys.h"
#include "operations/batches/table_reports.h"
#include "operations/parameter_rules.h"
#include "plan/write_plan.h"

namespace partita {

namespace {

constexpr std::size_t kBatchWritesMax = 25;

// What can be told without looking at a table.
Result<void> check_requests(const BatchWriteItemRequest& request) {
  if (request.request_items.empty()) {
    return Error::validation("The requestItems parameter is required for BatchWriteItem");
  }
  std::size_t count = 0;
  for (const TableWrites& table : request.request_items) {
    for (const WriteRequest& write : table.requests) {
      if (write.put_item.has_value() == write.delete_key.has_value()) {
        return Error::validation(
            "Supplied AttributeValue has more than one datatypes set, must contain exactly one of "
            "the supported datatypes");
      }
      if (write.put_item) PARTITA_CHECK(check_request_item_size(*write.put_item));
    }
    count += table.requests.size();
  }
  if (count > kBatchWritesMax) {
    return Error::validation("Too many items requested for the BatchWriteItem call");
  }
  return {};
}

// PutItem says what is wrong with an item's key; a batch does not (recorded by dynalite's tests).
Error put_error(const TableSchema& table, ItemView item, Error error) {
  for (const auto* part : {&table.key.partition, &table.key.sort}) {
    for (const KeyAttribute& attribute : *part) {
      const auto value = item.find(attribute.name);
      if (!value || !has_type(*value, attribute.type)) {
        return Error::validation("The provided key element does not match the schema");
      }
    }
  }
  return error;
}

Result<WritePlan> plan_write(const TablePointer& table, const WriteRequest& write) {
  if (!write.put_item) return WritePlan::remove(table, *write.delete_key, std::nullopt);
  Result<WritePlan> plan = WritePlan::put(table, *write.put_item, std::nullopt);
  if (!plan) return put_error(*table, *write.put_item, std::move(plan).error());
  return plan;
}

Result<std::vector<WritePlan>> plan_writes(const OperationContext& context,
                                           const BatchWriteItemRequest& request) {
  std::vector<WritePlan> plans;
  plans.reserve(kBatchWritesMax);
  DistinctKeys keys(context.memory);
  for (const TableWrites& writes : request.request_items) {
    PARTITA_TRY(const TablePointer table, find_table(context, writes.table_name));
    for (const WriteRequest& write : writes.requests) {
      Result<WritePlan> plan = plan_write(table, write);
      if (!plan) return std::move(plan).error();
      plans.push_back(*std::move(plan));
      if (!keys.add(ItemPlace(plans.back()))) {
        return Error::validation("Provided list of item keys contains duplicates");
      }
    }
  }
  return plans;
}

void note_unprocessed(std::string_view table_name, const WriteRequest& write,
                      BatchWriteItemResponse& response) {
  auto& tables = response.unprocessed_items;
  if (tables.empty() || tables.back().table_name != table_name) {
    tables.push_back({std::string(table_name), {}});
  }
  tables.back().requests.push_back(
      {write.put_item.has_value(), Item(write.put_item ? *write.put_item : *write.delete_key)});
}

}  // namespace

Result<BatchWriteItemResponse> batch_write_item(const OperationContext& context,
                                                const BatchWriteItemRequest& request) {
  PARTITA_CHECK(check_requests(request));
  PARTITA_TRY(const std::vector<WritePlan> plans, plan_writes(context, request));
  PARTITA_TRY(const auto outcomes,
              context.executor.write_batch(plans, context.now, context.ticket.version));

  BatchWriteItemResponse response;
  CapacityByTable capacity(request.return_consumed_capacity);
  CollectionsByTable collections(request.return_item_collection_metrics);
  std::size_t index = 0;
  for (const TableWrites& writes : request.request_items) {
    for (const WriteRequest& write : writes.requests) {
      const WritePlan& plan = plans[index];
      const std::optional<WriteOutcome>& outcome = outcomes[index++];
      if (!outcome) {
        note_unprocessed(writes.table_name, write, response);
        continue;
      }
      capacity.add(plan.table_pointer(), outcome->charge);
      PARTITA_CHECK(collections.add(context, plan));
    }
  }
  response.consumed_capacity = capacity.report();
  response.item_collection_metrics = collections.take();
  return response;
}

}  // namespace partita
