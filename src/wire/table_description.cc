// Answers about tables: what DescribeTable shows, and lists of names.

#include "wire/enum_names.h"
#include "wire/table_messages.h"

namespace partita {

namespace {

void encode_text(JsonWriter& json, std::string_view name, std::string_view text) {
  json.member(name);
  json.string(text);
}

// Members that are left out when empty.
void encode_optional_text(JsonWriter& json, std::string_view name, std::string_view text) {
  if (!text.empty()) encode_text(json, name, text);
}

void encode_optional_integer(JsonWriter& json, std::string_view name,
                             std::optional<std::int64_t> number) {
  if (number) json.integer_member(name, *number);
}

void encode_optional_time(JsonWriter& json, std::string_view name, std::optional<double> seconds) {
  if (!seconds) return;
  json.member(name);
  json.number(*seconds);
}

void encode_optional_truth(JsonWriter& json, std::string_view name, std::optional<bool> truth) {
  if (!truth) return;
  json.member(name);
  json.boolean(*truth);
}

// A list of structures, left out if it is empty; encode_element() writes the members of one.
template <typename Elements, typename EncodeElement>
void encode_list(JsonWriter& json, std::string_view name, const Elements& elements,
                 EncodeElement encode_element) {
  if (elements.empty()) return;
  json.member(name);
  json.begin_array();
  for (const auto& element : elements) {
    json.element();
    json.begin_object();
    encode_element(element);
    json.end_object();
  }
  json.end_array();
}

void encode_key_schema(JsonWriter& json, const std::vector<KeySchemaElement>& key_schema) {
  encode_list(json, "KeySchema", key_schema, [&](const KeySchemaElement& element) {
    encode_text(json, "AttributeName", element.name);
    encode_text(json, "KeyType", enum_text(kKeyType, element.type));
  });
}

void encode_projection(JsonWriter& json, const Projection& projection) {
  json.member("Projection");
  json.begin_object();
  if (projection.has_non_key_attributes) {
    json.member("NonKeyAttributes");
    json.begin_array();
    for (const std::string& name : projection.non_key_attributes) {
      json.element();
      json.string(name);
    }
    json.end_array();
  }
  if (projection.type) {
    encode_text(json, "ProjectionType", enum_text(kProjectionType, *projection.type));
  }
  json.end_object();
}

void encode_provisioned(JsonWriter& json, const ProvisionedThroughputDescription& throughput) {
  json.member("ProvisionedThroughput");
  json.begin_object();
  encode_optional_time(json, "LastDecreaseDateTime", throughput.last_decrease);
  encode_optional_time(json, "LastIncreaseDateTime", throughput.last_increase);
  json.integer_member("NumberOfDecreasesToday", throughput.number_of_decreases_today);
  json.integer_member("ReadCapacityUnits", throughput.read_capacity_units);
  json.integer_member("WriteCapacityUnits", throughput.write_capacity_units);
  json.end_object();
}

void encode_on_demand(JsonWriter& json, const std::optional<OnDemandThroughput>& throughput) {
  if (!throughput) return;
  json.member("OnDemandThroughput");
  json.begin_object();
  encode_optional_integer(json, "MaxReadRequestUnits", throughput->max_read_request_units);
  encode_optional_integer(json, "MaxWriteRequestUnits", throughput->max_write_request_units);
  json.end_object();
}

void encode_warm(JsonWriter& json, const std::optional<WarmThroughputDescription>& throughput) {
  if (!throughput) return;
  json.member("WarmThroughput");
  json.begin_object();
  encode_optional_integer(json, "ReadUnitsPerSecond", throughput->read_units_per_second);
  encode_text(json, "Status", throughput->status);
  encode_optional_integer(json, "WriteUnitsPerSecond", throughput->write_units_per_second);
  json.end_object();
}

// What both kinds of index show.
template <typename Index>
void encode_index(JsonWriter& json, const Index& index) {
  encode_text(json, "IndexArn", index.index_arn);
  encode_text(json, "IndexName", index.index_name);
  json.integer_member("IndexSizeBytes", index.index_size_bytes);
  json.integer_member("ItemCount", index.item_count);
  encode_key_schema(json, index.key_schema);
  encode_projection(json, index.projection);
}

void encode_global_index(JsonWriter& json, const GlobalSecondaryIndexDescription& index) {
  encode_optional_truth(json, "Backfilling", index.backfilling);
  encode_index(json, index);
  encode_text(json, "IndexStatus", enum_text(kIndexStatus, index.index_status));
  encode_on_demand(json, index.on_demand_throughput);
  encode_provisioned(json, index.provisioned_throughput);
  encode_warm(json, index.warm_throughput);
}

void encode_billing(JsonWriter& json, const BillingModeSummary& billing) {
  json.member("BillingModeSummary");
  json.begin_object();
  encode_text(json, "BillingMode", enum_text(kBillingMode, billing.billing_mode));
  encode_optional_time(json, "LastUpdateToPayPerRequestDateTime",
                       billing.last_update_to_pay_per_request);
  json.end_object();
}

void encode_stream(JsonWriter& json, const TableDescription& table) {
  encode_optional_text(json, "LatestStreamArn", table.latest_stream_arn);
  encode_optional_text(json, "LatestStreamLabel", table.latest_stream_label);
  if (!table.stream_specification) return;
  json.member("StreamSpecification");
  json.begin_object();
  encode_optional_truth(json, "StreamEnabled", table.stream_specification->stream_enabled);
  if (const auto view_type = table.stream_specification->stream_view_type) {
    encode_text(json, "StreamViewType", enum_text(kStreamViewType, *view_type));
  }
  json.end_object();
}

void encode_sse(JsonWriter& json, const SseDescription& sse) {
  json.member("SSEDescription");
  json.begin_object();
  encode_optional_text(json, "KMSMasterKeyArn", sse.kms_master_key_arn);
  encode_optional_text(json, "SSEType", sse.sse_type);
  encode_text(json, "Status", sse.status);
  json.end_object();
}

void encode_table_class(JsonWriter& json, const TableClassSummary& summary) {
  json.member("TableClassSummary");
  json.begin_object();
  encode_optional_time(json, "LastUpdateDateTime", summary.last_update);
  encode_text(json, "TableClass", enum_text(kTableClass, summary.table_class));
  json.end_object();
}

void encode_indexes(JsonWriter& json, const TableDescription& table) {
  encode_list(
      json, "GlobalSecondaryIndexes", table.global_secondary_indexes,
      [&](const GlobalSecondaryIndexDescription& index) { encode_global_index(json, index); });
  encode_list(json, "LocalSecondaryIndexes", table.local_secondary_indexes,
              [&](const LocalSecondaryIndexDescription& index) { encode_index(json, index); });
}

void encode_table(JsonWriter& json, const TableDescription& table) {
  json.begin_object();
  encode_list(json, "AttributeDefinitions", table.attribute_definitions,
              [&](const AttributeDefinition& definition) {
                encode_text(json, "AttributeName", definition.name);
                encode_text(json, "AttributeType", enum_text(kScalarType, definition.type));
              });
  if (table.billing_mode_summary) encode_billing(json, *table.billing_mode_summary);
  if (table.creation_date_time != 0) {
    encode_optional_time(json, "CreationDateTime", table.creation_date_time);
  }
  encode_optional_truth(json, "DeletionProtectionEnabled", table.deletion_protection_enabled);
  encode_indexes(json, table);
  json.integer_member("ItemCount", table.item_count);
  encode_key_schema(json, table.key_schema);
  encode_on_demand(json, table.on_demand_throughput);
  encode_provisioned(json, table.provisioned_throughput);
  if (table.sse_description) encode_sse(json, *table.sse_description);
  encode_stream(json, table);
  encode_text(json, "TableArn", table.table_arn);
  if (table.table_class_summary) encode_table_class(json, *table.table_class_summary);
  encode_text(json, "TableId", table.table_id);
  encode_text(json, "TableName", table.table_name);
  json.integer_member("TableSizeBytes", table.table_size_bytes);
  encode_text(json, "TableStatus", enum_text(kTableStatus, table.table_status));
  encode_warm(json, table.warm_throughput);
  json.end_object();
}

void encode_table_as(JsonWriter& json, std::string_view member, const TableDescription& table) {
  json.begin_object();
  json.member(member);
  encode_table(json, table);
  json.end_object();
}

}  // namespace

void encode_changed_table(JsonWriter& json, const TableDescription& table) {
  encode_table_as(json, "TableDescription", table);
}

void encode_described_table(JsonWriter& json, const TableDescription& table) {
  encode_table_as(json, "Table", table);
}

void encode(JsonWriter& json, const UpdateTimeToLiveResponse& response) {
  const TimeToLiveSpecification& specification = response.time_to_live_specification;
  json.begin_object();
  json.member("TimeToLiveSpecification");
  json.begin_object();
  encode_text(json, "AttributeName", specification.attribute_name);
  json.member("Enabled");
  json.boolean(specification.enabled);
  json.end_object();
  json.end_object();
}

void encode(JsonWriter& json, const TimeToLiveDescription& description) {
  json.begin_object();
  json.member("TimeToLiveDescription");
  json.begin_object();
  encode_optional_text(json, "AttributeName", description.attribute_name);
  encode_text(json, "TimeToLiveStatus", enum_text(kTimeToLiveStatus, description.status));
  json.end_object();
  json.end_object();
}

void encode(JsonWriter& json, const ContinuousBackupsDescription& description) {
  const auto status = [](bool enabled) { return enabled ? "ENABLED" : "DISABLED"; };
  json.begin_object();
  json.member("ContinuousBackupsDescription");
  json.begin_object();
  encode_text(json, "ContinuousBackupsStatus", status(description.continuous_backups_enabled));
  json.member("PointInTimeRecoveryDescription");
  json.begin_object();
  encode_text(json, "PointInTimeRecoveryStatus",
              status(description.point_in_time_recovery_enabled));
  json.end_object();
  json.end_object();
  json.end_object();
}

void encode(JsonWriter& json, const ListTablesResponse& response) {
  json.begin_object();
  if (response.last_evaluated_table_name) {
    encode_text(json, "LastEvaluatedTableName", *response.last_evaluated_table_name);
  }
  json.member("TableNames");
  json.begin_array();
  for (const std::string& name : response.table_names) {
    json.element();
    json.string(name);
  }
  json.end_array();
  json.end_object();
}

}  // namespace partita
