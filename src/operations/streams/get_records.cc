// GetRecords: what a shard holds from an iterator on, and the iterator to go on with.
#include "operations/streams/named_stream.h"
#include "operations/streams/shard_iterator.h"
#include "operations/streams/stream_operations.h"
#include "operations/streams/stream_record.h"

namespace partita {
namespace {
constexpr std::int32_t kRecordsPerPageMax = 1000;
}  // namespace

Result<GetRecordsResponse> get_records(const OperationContext& context,
                                       const GetRecordsRequest& request) {
  PARTITA_TRY(ShardIterator iterator, decode_iterator(request.shard_iterator));
  const Version known = context.streams.known();
  context.catalog.settle();
  PARTITA_TRY(const StreamPointer stream, named_stream(context, iterator.stream_arn));
  if (context.now - iterator.created >= kIteratorLifetime) {
    return Error(ErrorCode::ExpiredIterator, "Shard iterator has expired");
  }
  const StreamShard* shard = stream->find_shard(iterator.shard_id);
  if (!shard) return no_such_shard();

  const auto limit = static_cast<std::size_t>(request.limit.value_or(kRecordsPerPageMax));
  PARTITA_TRY(const StreamPage page,
              context.streams.read(*stream, *shard, known, iterator.position, limit, context.now));
  // What went while it was read was too old to be missed, but the reader is to know of it.
  PARTITA_TRY(const StreamPointer now_known, named_stream(context, iterator.stream_arn));
  if (iterator.position.version <= now_known->trimmed) return trimmed_data_access();
  GetRecordsResponse response;
  response.records.reserve(page.records.size());
  for (const KeptRecord& kept : page.records) {
    PARTITA_TRY(StreamRecord record, shown_record(*stream, kept, context.options.region));
    response.records.push_back(std::move(record));
  }
  if (page.next) {
    iterator.position = *page.next;
    iterator.created = context.now;
    response.next_shard_iterator = encode_iterator(iterator);
  }
  return response;
}

}  // namespace partita
