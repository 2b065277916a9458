// DescribeStream: a stream and its shards, a page at a time.
#include "operations/streams/named_stream.h"
#include "operations/streams/stream_operations.h"
#include "operations/tables/table_description.h"

namespace partita {
namespace {

constexpr std::int32_t kShardsPerPageMax = 100;

// The last number that a record of a closed shard could have had.
std::string last_sequence_number(const StreamShard& shard) {
  return sequence_number({*shard.closed, shard.last_lane, 0});
}

Shard described(const StreamShard& shard) {
  Shard shown;
  shown.shard_id = shard.id;
  if (!shard.parent.empty()) shown.parent_shard_id = shard.parent;
  shown.starting_sequence_number = sequence_number({shard.opened + 1, shard.first_lane, 0});
  if (!shard.is_open()) shown.ending_sequence_number = last_sequence_number(shard);
  return shown;
}

// While a call is under way that found the table without its stream, changes may be missing.
StreamStatus status_of(const OperationContext& context, const StreamSchema& stream) {
  if (stream.disabled_at) return StreamStatus::Disabled;
  const TablePointer table = context.catalog.find_any(stream.table_name, context.now);
  const bool settled = !table || !context.catalog.superseded_in_use(*table);
  return settled ? StreamStatus::Enabled : StreamStatus::Enabling;
}

}  // namespace

Result<StreamDescription> describe_stream(const OperationContext& context,
                                          const DescribeStreamRequest& request) {
  PARTITA_TRY(const StreamPointer stream, named_stream(context, request.stream_arn));
  StreamDescription description;
  description.stream_arn = stream->arn;
  description.stream_label = stream->label;
  description.stream_status = status_of(context, *stream);
  description.stream_view_type = stream->view_type;
  description.creation_request_date_time = seconds_since_epoch(stream->created_at);
  description.table_name = stream->table_name;
  description.key_schema = elements_of(stream->key);

  const auto limit = static_cast<std::size_t>(request.limit.value_or(kShardsPerPageMax));
  for (const StreamShard& shard : stream->shards) {
    if (request.exclusive_start_shard_id && shard.id <= *request.exclusive_start_shard_id) continue;
    if (request.children_of_shard_id && shard.parent != *request.children_of_shard_id) continue;
    if (description.shards.size() == limit) {
      description.last_evaluated_shard_id = description.shards.back().shard_id;
      break;
    }
    description.shards.push_back(described(shard));
  }
  return description;
}

}  // namespace partita
