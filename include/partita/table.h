// Tables as users describe them and as DescribeTable shows them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace partita {

enum class KeyType : std::uint8_t { Hash, Range };
enum class ScalarType : std::uint8_t { S, N, B };
enum class ProjectionType : std::uint8_t { All, KeysOnly, Include };
enum class BillingMode : std::uint8_t { Provisioned, PayPerRequest };
enum class TableStatus : std::uint8_t { Creating, Active, Updating, Deleting };
enum class IndexStatus : std::uint8_t { Creating, Active, Updating, Deleting };
enum class StreamViewType : std::uint8_t { KeysOnly, NewImage, OldImage, NewAndOldImages };
enum class TableClass : std::uint8_t { Standard, StandardInfrequentAccess };

struct AttributeDefinition {
  std::string name{};
  ScalarType type = ScalarType::S;
  friend bool operator==(const AttributeDefinition&, const AttributeDefinition&) = default;
};

struct KeySchemaElement {
  std::string name{};
  KeyType type = KeyType::Hash;
  friend bool operator==(const KeySchemaElement&, const KeySchemaElement&) = default;
};

struct Projection {
  std::optional<ProjectionType> type{};
  std::vector<std::string> non_key_attributes{};
  bool has_non_key_attributes = false;  // the member was given, perhaps empty
};

struct ProvisionedThroughput {
  std::int64_t read_capacity_units = 0;
  std::int64_t write_capacity_units = 0;
  friend bool operator==(const ProvisionedThroughput&, const ProvisionedThroughput&) = default;
};

// -1 lifts the ceiling (UpdateTable).
struct OnDemandThroughput {
  std::optional<std::int64_t> max_read_request_units{};
  std::optional<std::int64_t> max_write_request_units{};
};

struct WarmThroughput {
  std::optional<std::int64_t> read_units_per_second{};
  std::optional<std::int64_t> write_units_per_second{};
};

struct WarmThroughputDescription : WarmThroughput {
  std::string status = "ACTIVE";
};

struct LocalSecondaryIndex {
  std::string index_name{};
  std::vector<KeySchemaElement> key_schema{};
  Projection projection{};
};

struct GlobalSecondaryIndex {
  std::string index_name{};
  std::vector<KeySchemaElement> key_schema{};
  Projection projection{};
  std::optional<ProvisionedThroughput> provisioned_throughput{};
  std::optional<OnDemandThroughput> on_demand_throughput{};
  std::optional<WarmThroughput> warm_throughput{};
};

struct StreamSpecification {
  bool stream_enabled = false;
  std::optional<StreamViewType> stream_view_type{};
};

struct SseSpecification {
  std::optional<bool> enabled{};
  std::optional<std::string> sse_type{};
  std::optional<std::string> kms_master_key_id{};
};

struct Tag {
  std::string key{};
  std::string value{};
};

// ---- What DescribeTable answers ----

struct ProvisionedThroughputDescription {
  std::int64_t read_capacity_units = 0;
  std::int64_t write_capacity_units = 0;
  std::int64_t number_of_decreases_today = 0;
  std::optional<double> last_increase{};  // seconds since the epoch, with milliseconds
  std::optional<double> last_decrease{};
};

struct LocalSecondaryIndexDescription {
  std::string index_name{};
  std::vector<KeySchemaElement> key_schema{};
  Projection projection{};
  std::int64_t index_size_bytes = 0;
  std::int64_t item_count = 0;
  std::string index_arn{};
};

struct GlobalSecondaryIndexDescription {
  std::string index_name{};
  std::vector<KeySchemaElement> key_schema{};
  Projection projection{};
  IndexStatus index_status = IndexStatus::Active;
  std::optional<bool> backfilling{};
  ProvisionedThroughputDescription provisioned_throughput{};
  std::optional<OnDemandThroughput> on_demand_throughput{};
  std::optional<WarmThroughputDescription> warm_throughput{};
  std::int64_t index_size_bytes = 0;
  std::int64_t item_count = 0;
  std::string index_arn{};
};

struct BillingModeSummary {
  BillingMode billing_mode = BillingMode::Provisioned;
  std::optional<double> last_update_to_pay_per_request{};
};

struct TableClassSummary {
  TableClass table_class = TableClass::Standard;
  std::optional<double> last_update{};
};

struct SseDescription {
  std::string status{};
  std::string sse_type{};
  std::string kms_master_key_arn{};
};

struct TableDescription {
  std::vector<AttributeDefinition> attribute_definitions{};
  std::string table_name{};
  std::vector<KeySchemaElement> key_schema{};
  TableStatus table_status = TableStatus::Active;
  double creation_date_time = 0;
  ProvisionedThroughputDescription provisioned_throughput{};
  std::int64_t table_size_bytes = 0;
  std::int64_t item_count = 0;
  std::string table_arn{};
  std::string table_id{};
  std::optional<BillingModeSummary> billing_mode_summary{};
  std::vector<LocalSecondaryIndexDescription> local_secondary_indexes{};
  std::vector<GlobalSecondaryIndexDescription> global_secondary_indexes{};
  std::optional<StreamSpecification> stream_specification{};
  std::string latest_stream_label{};
  std::string latest_stream_arn{};
  std::optional<SseDescription> sse_description{};
  std::optional<TableClassSummary> table_class_summary{};
  bool deletion_protection_enabled = false;
  std::optional<OnDemandThroughput> on_demand_throughput{};
  std::optional<WarmThroughputDescription> warm_throughput{};
};

}  // namespace partita
