// ListStreams: by ascending ARN, a page at a time.
#include "catalog/table_name.h"
#include "operations/streams/stream_operations.h"

namespace partita {
namespace {
constexpr std::int32_t kStreamsPerPageMax = 100;
}  // namespace

Result<ListStreamsResponse> list_streams(const OperationContext& context,
                                         const ListStreamsRequest& request) {
  const auto& after = request.exclusive_start_stream_arn;
  if (after && !table_name_in_stream_arn(*after)) return Error::validation("Invalid StreamArn");
  std::optional<std::string_view> table_name;
  if (request.table_name) {
    PARTITA_TRY(table_name, table_name_in(*request.table_name));
  }

  const auto limit = static_cast<std::size_t>(request.limit.value_or(kStreamsPerPageMax));
  ListStreamsResponse response;
  depend_on(context, context.catalog.latest());
  for (const StreamPointer& stream : context.catalog.streams(context.now)) {
    if (after && stream->arn <= *after) continue;
    if (table_name && stream->table_name != *table_name) continue;
    if (response.streams.size() == limit) {
      response.last_evaluated_stream_arn = response.streams.back().stream_arn;
      break;
    }
    response.streams.push_back({stream->arn, stream->table_name, stream->label});
  }
  return response;
}

}  // namespace partita
