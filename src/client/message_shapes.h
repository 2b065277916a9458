// The members of requests and answers, each with its name in JSON. One description serves writing
// and reading: `visit(name, member)` is called for every member.
//
//   Shape<T>::each(visit, object)       an object with these members
//   Entry<T>::key(e), ::value(e)        lists of T are JSON maps from key to value
#pragma once

#include <array>
#include <string_view>

#include "partita/api.h"

#include "wire/enum_names.h"

namespace partita::client {

template <typename T>
struct Shape;
template <typename T>
struct Entry;

// The words of an enum.
template <typename T>
inline constexpr int kWords = 0;
template <>
inline constexpr auto& kWords<ReturnValues> = kReturnValues;
template <>
inline constexpr auto& kWords<ReturnValuesOnConditionCheckFailure> =
    kReturnValuesOnConditionCheckFailure;
template <>
inline constexpr auto& kWords<ReturnConsumedCapacity> = kReturnConsumedCapacity;
template <>
inline constexpr auto& kWords<ReturnItemCollectionMetrics> = kReturnItemCollectionMetrics;
template <>
inline constexpr auto& kWords<Select> = kSelect;
template <>
inline constexpr auto& kWords<ComparisonOperator> = kComparisonOperator;
template <>
inline constexpr auto& kWords<ConditionalOperator> = kConditionalOperator;
template <>
inline constexpr auto& kWords<AttributeAction> = kAttributeAction;
template <>
inline constexpr auto& kWords<KeyType> = kKeyType;
template <>
inline constexpr auto& kWords<ScalarType> = kScalarType;
template <>
inline constexpr auto& kWords<ProjectionType> = kProjectionType;
template <>
inline constexpr auto& kWords<BillingMode> = kBillingMode;
template <>
inline constexpr auto& kWords<StreamViewType> = kStreamViewType;
template <>
inline constexpr auto& kWords<TableClass> = kTableClass;
template <>
inline constexpr auto& kWords<TableStatus> = kTableStatus;
template <>
inline constexpr auto& kWords<IndexStatus> = kIndexStatus;
template <>
inline constexpr auto& kWords<TimeToLiveStatus> = kTimeToLiveStatus;

// ---- Tables

template <>
struct Shape<AttributeDefinition> {
  static void each(auto& visit, auto& s) {
    visit("AttributeName", s.name);
    visit("AttributeType", s.type);
  }
};
template <>
struct Shape<KeySchemaElement> {
  static void each(auto& visit, auto& s) {
    visit("AttributeName", s.name);
    visit("KeyType", s.type);
  }
};
template <>
struct Shape<Projection> {
  static void each(auto& visit, auto& s) {
    visit("ProjectionType", s.type);
    visit.when_given("NonKeyAttributes", s.non_key_attributes, s.has_non_key_attributes);
  }
};
template <>
struct Shape<ProvisionedThroughput> {
  static void each(auto& visit, auto& s) {
    visit("ReadCapacityUnits", s.read_capacity_units);
    visit("WriteCapacityUnits", s.write_capacity_units);
  }
};
template <>
struct Shape<ProvisionedThroughputDescription> {
  static void each(auto& visit, auto& s) {
    Shape<ProvisionedThroughput>::each(visit, s);
    visit("NumberOfDecreasesToday", s.number_of_decreases_today);
    visit("LastIncreaseDateTime", s.last_increase);
    visit("LastDecreaseDateTime", s.last_decrease);
  }
};
template <>
struct Shape<OnDemandThroughput> {
  static void each(auto& visit, auto& s) {
    visit("MaxReadRequestUnits", s.max_read_request_units);
    visit("MaxWriteRequestUnits", s.max_write_request_units);
  }
};
template <>
struct Shape<WarmThroughput> {
  static void each(auto& visit, auto& s) {
    visit("ReadUnitsPerSecond", s.read_units_per_second);
    visit("WriteUnitsPerSecond", s.write_units_per_second);
  }
};
template <>
struct Shape<WarmThroughputDescription> {
  static void each(auto& visit, auto& s) {
    visit("Status", s.status);
    Shape<WarmThroughput>::each(visit, s);
  }
};
template <>
struct Shape<LocalSecondaryIndex> {
  static void each(auto& visit, auto& s) {
    visit("IndexName", s.index_name);
    visit("KeySchema", s.key_schema);
    visit("Projection", s.projection);
  }
};
template <>
struct Shape<GlobalSecondaryIndexThroughputUpdate> {
  static void each(auto& visit, auto& s) {
    visit("IndexName", s.index_name);
    visit("ProvisionedThroughput", s.provisioned_throughput);
    visit("OnDemandThroughput", s.on_demand_throughput);
    visit("WarmThroughput", s.warm_throughput);
  }
};
template <>
struct Shape<GlobalSecondaryIndex> {
  static void each(auto& visit, auto& s) {
    Shape<GlobalSecondaryIndexThroughputUpdate>::each(visit, s);
    visit("KeySchema", s.key_schema);
    visit("Projection", s.projection);
  }
};
template <>
struct Shape<GlobalSecondaryIndexUpdate> {
  static void each(auto& visit, auto& s) {
    visit("Create", s.create);
    visit("Update", s.update);
    visit.wrapped("Delete", "IndexName", s.delete_index_name);
  }
};
template <>
struct Shape<LocalSecondaryIndexDescription> {
  static void each(auto& visit, auto& s) {
    Shape<LocalSecondaryIndex>::each(visit, s);
    visit("IndexSizeBytes", s.index_size_bytes);
    visit("ItemCount", s.item_count);
    visit("IndexArn", s.index_arn);
  }
};
template <>
struct Shape<GlobalSecondaryIndexDescription> {
  static void each(auto& visit, auto& s) {
    Shape<LocalSecondaryIndexDescription>::each(visit, s);
    visit("IndexStatus", s.index_status);
    visit("Backfilling", s.backfilling);
    visit("ProvisionedThroughput", s.provisioned_throughput);
    visit("OnDemandThroughput", s.on_demand_throughput);
    visit("WarmThroughput", s.warm_throughput);
  }
};
template <>
struct Shape<StreamSpecification> {
  static void each(auto& visit, auto& s) {
    visit("StreamEnabled", s.stream_enabled);
    visit("StreamViewType", s.stream_view_type);
  }
};
template <>
struct Shape<SseSpecification> {
  static void each(auto& visit, auto& s) {
    visit("Enabled", s.enabled);
    visit("SSEType", s.sse_type);
    visit("KMSMasterKeyId", s.kms_master_key_id);
  }
};
template <>
struct Shape<SseDescription> {
  static void each(auto& visit, auto& s) {
    visit("Status", s.status);
    visit("SSEType", s.sse_type);
    visit("KMSMasterKeyArn", s.kms_master_key_arn);
  }
};
template <>
struct Shape<Tag> {
  static void each(auto& visit, auto& s) {
    visit("Key", s.key);
    visit("Value", s.value);
  }
};
template <>
struct Shape<BillingModeSummary> {
  static void each(auto& visit, auto& s) {
    visit("BillingMode", s.billing_mode);
    visit("LastUpdateToPayPerRequestDateTime", s.last_update_to_pay_per_request);
  }
};
template <>
struct Shape<TableClassSummary> {
  static void each(auto& visit, auto& s) {
    visit("TableClass", s.table_class);
    visit("LastUpdateDateTime", s.last_update);
  }
};
template <>
struct Shape<TableDescription> {
  static void each(auto& visit, auto& s) {
    visit("AttributeDefinitions", s.attribute_definitions);
    visit("TableName", s.table_name);
    visit("KeySchema", s.key_schema);
    visit("TableStatus", s.table_status);
    visit("CreationDateTime", s.creation_date_time);
    visit("ProvisionedThroughput", s.provisioned_throughput);
    visit("TableSizeBytes", s.table_size_bytes);
    visit("ItemCount", s.item_count);
    visit("TableArn", s.table_arn);
    visit("TableId", s.table_id);
    visit("BillingModeSummary", s.billing_mode_summary);
    visit("LocalSecondaryIndexes", s.local_secondary_indexes);
    visit("GlobalSecondaryIndexes", s.global_secondary_indexes);
    visit("StreamSpecification", s.stream_specification);
    visit("LatestStreamLabel", s.latest_stream_label);
    visit("LatestStreamArn", s.latest_stream_arn);
    visit("SSEDescription", s.sse_description);
    visit("TableClassSummary", s.table_class_summary);
    visit("DeletionProtectionEnabled", s.deletion_protection_enabled);
    visit("OnDemandThroughput", s.on_demand_throughput);
    visit("WarmThroughput", s.warm_throughput);
  }
};

// What CreateTable and UpdateTable both have.
void each_table_setting(auto& visit, auto& s) {
  visit("TableName", s.table_name);
  visit("AttributeDefinitions", s.attribute_definitions);
  visit("BillingMode", s.billing_mode);
  visit("ProvisionedThroughput", s.provisioned_throughput);
  visit("StreamSpecification", s.stream_specification);
  visit("SSESpecification", s.sse_specification);
  visit("TableClass", s.table_class);
  visit("DeletionProtectionEnabled", s.deletion_protection_enabled);
  visit("OnDemandThroughput", s.on_demand_throughput);
  visit("WarmThroughput", s.warm_throughput);
}
template <>
struct Shape<CreateTableRequest> {
  static void each(auto& visit, auto& s) {
    each_table_setting(visit, s);
    visit("KeySchema", s.key_schema);
    visit("LocalSecondaryIndexes", s.local_secondary_indexes);
    visit("GlobalSecondaryIndexes", s.global_secondary_indexes);
    visit("Tags", s.tags);
    visit("ResourcePolicy", s.resource_policy);
  }
};
template <>
struct Shape<UpdateTableRequest> {
  static void each(auto& visit, auto& s) {
    each_table_setting(visit, s);
    visit("GlobalSecondaryIndexUpdates", s.global_secondary_index_updates);
  }
};
struct TableNameShape {
  static void each(auto& visit, auto& s) { visit("TableName", s.table_name); }
};
template <>
struct Shape<DescribeTableRequest> : TableNameShape {};
template <>
struct Shape<DeleteTableRequest> : TableNameShape {};
template <>
struct Shape<DescribeTimeToLiveRequest> : TableNameShape {};
template <>
struct Shape<DescribeContinuousBackupsRequest> : TableNameShape {};
template <>
struct Shape<ListTablesRequest> {
  static void each(auto& visit, auto& s) {
    visit("ExclusiveStartTableName", s.exclusive_start_table_name);
    visit("Limit", s.limit);
  }
};
template <>
struct Shape<ListTablesResponse> {
  static void each(auto& visit, auto& s) {
    visit("TableNames", s.table_names);
    visit("LastEvaluatedTableName", s.last_evaluated_table_name);
  }
};
template <>
struct Shape<TimeToLiveDescription> {
  static void each(auto& visit, auto& s) {
    visit("TimeToLiveStatus", s.status);
    visit("AttributeName", s.attribute_name);
  }
};
template <>
struct Shape<TimeToLiveSpecification> {
  static void each(auto& visit, auto& s) {
    visit("Enabled", s.enabled);
    visit("AttributeName", s.attribute_name);
  }
};
template <>
struct Shape<UpdateTimeToLiveRequest> {
  static void each(auto& visit, auto& s) {
    visit("TableName", s.table_name);
    visit("TimeToLiveSpecification", s.time_to_live_specification);
  }
};
template <>
struct Shape<UpdateTimeToLiveResponse> {
  static void each(auto& visit, auto& s) {
    visit("TimeToLiveSpecification", s.time_to_live_specification);
  }
};
template <>
struct Shape<ContinuousBackupsDescription> {
  static void each(auto& visit, auto& s) {
    visit.is_word("ContinuousBackupsStatus", "ENABLED", s.continuous_backups_enabled);
    visit.object("PointInTimeRecoveryDescription", [&](auto& inner) {
      inner.is_word("PointInTimeRecoveryStatus", "ENABLED", s.point_in_time_recovery_enabled);
    });
  }
};

// ---- Tags, account

template <>
struct Shape<TagResourceRequest> {
  static void each(auto& visit, auto& s) {
    visit("ResourceArn", s.resource_arn);
    visit("Tags", s.tags);
  }
};
template <>
struct Shape<UntagResourceRequest> {
  static void each(auto& visit, auto& s) {
    visit("ResourceArn", s.resource_arn);
    visit("TagKeys", s.tag_keys);
  }
};
template <>
struct Shape<ListTagsOfResourceRequest> {
  static void each(auto& visit, auto& s) {
    visit("ResourceArn", s.resource_arn);
    visit("NextToken", s.next_token);
  }
};
template <>
struct Shape<ListTagsOfResourceResponse> {
  static void each(auto& visit, auto& s) {
    visit("Tags", s.tags);
    visit("NextToken", s.next_token);
  }
};
struct EmptyShape {
  static void each(auto&, auto&) {}
};
template <>
struct Shape<TagResourceResponse> : EmptyShape {};
template <>
struct Shape<UntagResourceResponse> : EmptyShape {};
template <>
struct Shape<DescribeLimitsRequest> : EmptyShape {};
template <>
struct Shape<DescribeEndpointsRequest> : EmptyShape {};
template <>
struct Shape<DescribeLimitsResponse> {
  static void each(auto& visit, auto& s) {
    visit("AccountMaxReadCapacityUnits", s.account_max_read_capacity_units);
    visit("AccountMaxWriteCapacityUnits", s.account_max_write_capacity_units);
    visit("TableMaxReadCapacityUnits", s.table_max_read_capacity_units);
    visit("TableMaxWriteCapacityUnits", s.table_max_write_capacity_units);
  }
};
template <>
struct Shape<partita::Endpoint> {
  static void each(auto& visit, auto& s) {
    visit("Address", s.address);
    visit("CachePeriodInMinutes", s.cache_period_in_minutes);
  }
};
template <>
struct Shape<DescribeEndpointsResponse> {
  static void each(auto& visit, auto& s) { visit("Endpoints", s.endpoints); }
};

}  // namespace partita::client
