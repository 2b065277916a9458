// The operations on streams. One file each.
#pragma once

#include "partita/requests/streams.h"
#include "partita/result.h"

#include "operations/operation_context.h"

namespace partita {

Result<ListStreamsResponse> list_streams(const OperationContext&, const ListStreamsRequest&);
Result<StreamDescription> describe_stream(const OperationContext&, const DescribeStreamRequest&);
Result<GetShardIteratorResponse> get_shard_iterator(const OperationContext&,
                                                    const GetShardIteratorRequest&);
Result<GetRecordsResponse> get_records(const OperationContext&, const GetRecordsRequest&);

}  // namespace partita
