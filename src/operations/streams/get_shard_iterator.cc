// GetShardIterator: a place in a shard to read on from.
#include "operations/streams/named_stream.h"
#include "operations/streams/shard_iterator.h"
#include "operations/streams/stream_operations.h"
#include "operations/tables/throughput_rules.h"

namespace partita {
namespace {

bool names_a_record(ShardIteratorType type) {
  return type == ShardIteratorType::AtSequenceNumber ||
         type == ShardIteratorType::AfterSequenceNumber;
}

Result<void> check_sequence_number(const GetShardIteratorRequest& request) {
  if (names_a_record(request.shard_iterator_type) == request.sequence_number.has_value()) return {};
  return invalid_parameters(
      request.sequence_number
          ? "SequenceNumber must not be specified for ShardIteratorType TRIM_HORIZON and LATEST"
          : "SequenceNumber must be specified for ShardIteratorType AT_SEQUENCE_NUMBER and "
            "AFTER_SEQUENCE_NUMBER");
}

Result<StreamPosition> position_named(const GetShardIteratorRequest& request,
                                      const StreamSchema& stream, const StreamShard& shard) {
  const auto position = position_of(*request.sequence_number);
  const bool in_shard = position && position->version > shard.opened &&
                        (shard.is_open() || position->version <= *shard.closed);
  if (!in_shard) {
    return invalid_parameters("SequenceNumber is not from this shard: " + *request.sequence_number);
  }
  if (position->version <= stream.trimmed) return trimmed_data_access();
  const bool after = request.shard_iterator_type == ShardIteratorType::AfterSequenceNumber;
  return after ? position->beyond() : *position;
}

Result<StreamPosition> position_wanted(const OperationContext& context,
                                       const GetShardIteratorRequest& request,
                                       const StreamSchema& stream, const StreamShard& shard) {
  switch (request.shard_iterator_type) {
    case ShardIteratorType::TrimHorizon:
      return context.streams.trim_horizon(stream, shard, context.now);
    case ShardIteratorType::Latest:
      return context.streams.latest();
    case ShardIteratorType::AtSequenceNumber:
    case ShardIteratorType::AfterSequenceNumber:
      return position_named(request, stream, shard);
  }
  __builtin_unreachable();
}

}  // namespace

Result<GetShardIteratorResponse> get_shard_iterator(const OperationContext& context,
                                                    const GetShardIteratorRequest& request) {
  PARTITA_CHECK(check_sequence_number(request));
  PARTITA_TRY(const StreamPointer stream, named_stream(context, request.stream_arn));
  const StreamShard* shard = stream->find_shard(request.shard_id);
  if (!shard) return no_such_shard();
  PARTITA_TRY(const StreamPosition position, position_wanted(context, request, *stream, *shard));
  return GetShardIteratorResponse{encode_iterator({stream->arn, shard->id, position, context.now})};
}

}  // namespace partita
