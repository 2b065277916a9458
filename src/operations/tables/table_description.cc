#include "operations/tables/table_description.h"

#include "catalog/table_lifecycle.h"
#include "operations/tables/capacity_decreases.h"
#include "operations/tables/throughput_rules.h"

namespace partita {

std::vector<KeySchemaElement> elements_of(const KeySchema& key) {
  std::vector<KeySchemaElement> elements;
  for (const KeyAttribute& attribute : key.partition) {
    elements.push_back({attribute.name, KeyType::Hash});
  }
  for (const KeyAttribute& attribute : key.sort) {
    elements.push_back({attribute.name, KeyType::Range});
  }
  return elements;
}

namespace {

Projection projection_of(const IndexSchema& index) {
  return {index.projection, index.non_key_attributes, !index.non_key_attributes.empty()};
}

// Decreases are counted by the day, in UTC.
ProvisionedThroughputDescription throughput_at(ProvisionedThroughputDescription throughput,
                                               TimePoint now) {
  throughput.number_of_decreases_today = decreases_today(throughput, now);
  return throughput;
}

Result<LocalSecondaryIndexDescription> describe_local(const OperationContext& context,
                                                      const TableSchema& table,
                                                      const IndexSchema& index) {
  LocalSecondaryIndexDescription description;
  description.index_name = index.name;
  description.key_schema = elements_of(index.key);
  description.projection = projection_of(index);
  description.index_arn = table.arn + "/index/" + index.name;
  PARTITA_TRY(const Size size, context.catalog.index_size(index));
  description.item_count = size.items;
  description.index_size_bytes = size.bytes;
  return description;
}

IndexStatus status_of(const IndexSchema& index) {
  switch (index.phase) {
    case IndexPhase::Serving:
      return IndexStatus::Active;
    case IndexPhase::Joining:
    case IndexPhase::Filling:
      return IndexStatus::Creating;
    case IndexPhase::Leaving:
      return IndexStatus::Deleting;
  }
  __builtin_unreachable();
}

Result<GlobalSecondaryIndexDescription> describe_global(const OperationContext& context,
                                                        const TableSchema& table,
                                                        const IndexSchema& index) {
  GlobalSecondaryIndexDescription description;
  description.index_name = index.name;
  description.key_schema = elements_of(index.key);
  description.projection = projection_of(index);
  const bool creating = status_at(table, context.now) == TableStatus::Creating;
  description.index_status = creating ? IndexStatus::Creating : status_of(index);
  // Only an index that joined an existing table has ever been backfilled.
  if (status_of(index) == IndexStatus::Creating) description.backfilling = index.backfilling;
  description.provisioned_throughput = throughput_at(index.throughput, context.now);
  description.on_demand_throughput = index.on_demand_throughput;
  description.warm_throughput = WarmThroughputDescription{
      warm_throughput_of(index.warm_throughput, table.billing_mode, index.throughput)};
  description.index_arn = table.arn + "/index/" + index.name;
  PARTITA_TRY(const Size size, context.catalog.index_size(index));
  description.item_count = size.items;
  description.index_size_bytes = size.bytes;
  return description;
}

void describe_settings(const TableSchema& table, TableDescription& description) {
  if (table.last_update_to_pay_per_request) {
    description.billing_mode_summary = BillingModeSummary{
        table.billing_mode, seconds_since_epoch(*table.last_update_to_pay_per_request)};
  }
  description.stream_specification = table.stream;
  if (!table.stream_label.empty()) {
    description.latest_stream_label = table.stream_label;
    description.latest_stream_arn = stream_arn(table.arn, table.stream_label);
  }
  if (table.sse) {
    description.sse_description =
        SseDescription{"ENABLED", "KMS", table.sse->kms_master_key_id.value_or("")};
  }
  if (table.table_class)
    description.table_class_summary = TableClassSummary{*table.table_class, {}};
  description.deletion_protection_enabled = table.deletion_protection;
  description.on_demand_throughput = table.on_demand_throughput;
  description.warm_throughput = WarmThroughputDescription{
      warm_throughput_of(table.warm_throughput, table.billing_mode, table.throughput)};
}

}  // namespace

double seconds_since_epoch(TimePoint time) {
  return static_cast<double>(time.time_since_epoch().count()) / 1000;
}

Result<TableDescription> describe(const OperationContext& context, const TableSchema& table) {
  TableDescription description;
  description.attribute_definitions = table.attribute_definitions;
  description.table_name = table.name;
  description.key_schema = elements_of(table.key);
  description.table_status = status_at(table, context.now);
  description.creation_date_time = seconds_since_epoch(table.created_at);
  description.provisioned_throughput = throughput_at(table.throughput, context.now);
  PARTITA_TRY(const Size size, context.catalog.table_size(table));
  description.item_count = size.items;
  description.table_size_bytes = size.bytes;
  description.table_arn = table.arn;
  description.table_id = table.id;
  describe_settings(table, description);
  for (const IndexSchema& index : table.local_indexes) {
    PARTITA_TRY(auto described, describe_local(context, table, index));
    description.local_secondary_indexes.push_back(std::move(described));
  }
  for (const IndexSchema& index : table.global_indexes) {
    PARTITA_TRY(auto described, describe_global(context, table, index));
    description.global_secondary_indexes.push_back(std::move(described));
  }
  return description;
}

}  // namespace partita
