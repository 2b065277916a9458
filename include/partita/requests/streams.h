// ListStreams, DescribeStream, GetShardIterator, GetRecords.
//
// Requests are small and rare, so they own what they hold.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "partita/item.h"
#include "partita/table.h"

namespace partita {

enum class StreamStatus : std::uint8_t { Enabling, Enabled, Disabling, Disabled };
enum class ShardIteratorType : std::uint8_t {
  TrimHorizon,
  Latest,
  AtSequenceNumber,
  AfterSequenceNumber,
};
enum class StreamEventName : std::uint8_t { Insert, Modify, Remove };

struct ListStreamsRequest {
  std::optional<std::string> table_name{};
  std::optional<std::int32_t> limit{};
  std::optional<std::string> exclusive_start_stream_arn{};
};

struct StreamSummary {
  std::string stream_arn{};
  std::string table_name{};
  std::string stream_label{};
};

struct ListStreamsResponse {
  std::vector<StreamSummary> streams{};
  std::optional<std::string> last_evaluated_stream_arn{};
};

struct DescribeStreamRequest {
  std::string stream_arn{};
  std::optional<std::int32_t> limit{};
  std::optional<std::string> exclusive_start_shard_id{};
  std::optional<std::string> children_of_shard_id{};  // ShardFilter of type CHILD_SHARDS
};

struct Shard {
  std::string shard_id{};
  std::optional<std::string> parent_shard_id{};
  std::string starting_sequence_number{};
  std::optional<std::string> ending_sequence_number{};  // once it is closed
};

struct StreamDescription {
  std::string stream_arn{};
  std::string stream_label{};
  StreamStatus stream_status = StreamStatus::Enabled;
  StreamViewType stream_view_type = StreamViewType::KeysOnly;
  double creation_request_date_time = 0;
  std::string table_name{};
  std::vector<KeySchemaElement> key_schema{};
  std::vector<Shard> shards{};
  std::optional<std::string> last_evaluated_shard_id{};
};

struct GetShardIteratorRequest {
  std::string stream_arn{};
  std::string shard_id{};
  ShardIteratorType shard_iterator_type = ShardIteratorType::TrimHorizon;
  std::optional<std::string> sequence_number{};
};

struct GetShardIteratorResponse {
  std::string shard_iterator{};
};

struct GetRecordsRequest {
  std::string shard_iterator{};
  std::optional<std::int32_t> limit{};
};

// One change of one item. What is always the same is not repeated here: event version 1.1 and the
// event source aws:dynamodb.
struct StreamRecord {
  std::string event_id{};
  StreamEventName event_name = StreamEventName::Insert;
  std::string aws_region{};
  std::int64_t approximate_creation_seconds = 0;
  Item keys{};
  std::optional<Item> new_image{};
  std::optional<Item> old_image{};
  std::string sequence_number{};
  std::int64_t size_bytes = 0;
  StreamViewType stream_view_type = StreamViewType::KeysOnly;
  bool by_expiry = false;  // userIdentity: Service, dynamodb.amazonaws.com
};

struct GetRecordsResponse {
  std::vector<StreamRecord> records{};
  std::optional<std::string> next_shard_iterator{};  // none at the end of a closed shard
};

}  // namespace partita
