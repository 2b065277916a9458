// CreateTable, DescribeTable, UpdateTable, DeleteTable, ListTables.
//
// Table requests are rare and small, so they own what they hold.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "partita/table.h"

namespace partita {

struct CreateTableRequest {
  std::string table_name{};
  std::vector<AttributeDefinition> attribute_definitions{};
  std::vector<KeySchemaElement> key_schema{};
  std::optional<BillingMode> billing_mode{};
  std::optional<ProvisionedThroughput> provisioned_throughput{};
  std::optional<std::vector<LocalSecondaryIndex>> local_secondary_indexes{};
  std::optional<std::vector<GlobalSecondaryIndex>> global_secondary_indexes{};
  std::optional<StreamSpecification> stream_specification{};
  std::optional<SseSpecification> sse_specification{};
  std::optional<TableClass> table_class{};
  std::optional<bool> deletion_protection_enabled{};
  std::optional<OnDemandThroughput> on_demand_throughput{};
  std::optional<WarmThroughput> warm_throughput{};
  std::optional<std::vector<Tag>> tags{};
  std::optional<std::string> resource_policy{};
};

struct GlobalSecondaryIndexThroughputUpdate {
  std::string index_name{};
  std::optional<ProvisionedThroughput> provisioned_throughput{};
  std::optional<OnDemandThroughput> on_demand_throughput{};
  std::optional<WarmThroughput> warm_throughput{};
};

// Exactly one member is meant to be there.
struct GlobalSecondaryIndexUpdate {
  std::optional<GlobalSecondaryIndex> create{};
  std::optional<GlobalSecondaryIndexThroughputUpdate> update{};
  std::optional<std::string> delete_index_name{};
};

struct UpdateTableRequest {
  std::string table_name{};
  std::optional<std::vector<AttributeDefinition>> attribute_definitions{};
  std::optional<BillingMode> billing_mode{};
  std::optional<ProvisionedThroughput> provisioned_throughput{};
  std::optional<std::vector<GlobalSecondaryIndexUpdate>> global_secondary_index_updates{};
  std::optional<StreamSpecification> stream_specification{};
  std::optional<SseSpecification> sse_specification{};
  std::optional<TableClass> table_class{};
  std::optional<bool> deletion_protection_enabled{};
  std::optional<OnDemandThroughput> on_demand_throughput{};
  std::optional<WarmThroughput> warm_throughput{};
};

struct DescribeTableRequest {
  std::string table_name{};
};

struct DeleteTableRequest {
  std::string table_name{};
};

struct ListTablesRequest {
  std::optional<std::string> exclusive_start_table_name{};
  std::optional<std::int32_t> limit{};
};

struct ListTablesResponse {
  std::vector<std::string> table_names{};
  std::optional<std::string> last_evaluated_table_name{};
};

}  // namespace partita
