// ListStreams, DescribeStream, GetShardIterator and GetRecords as JSON.
#pragma once

#include "partita/requests/streams.h"

#include "wire/table_messages.h"

namespace partita {

using ListStreamsMessage = TableMessage<ListStreamsRequest>;
using DescribeStreamMessage = TableMessage<DescribeStreamRequest>;
using GetShardIteratorMessage = TableMessage<GetShardIteratorRequest>;
using GetRecordsMessage = TableMessage<GetRecordsRequest>;

void encode(JsonWriter& json, const ListStreamsResponse& response);
void encode(JsonWriter& json, const StreamDescription& description);
void encode(JsonWriter& json, const GetShardIteratorResponse& response);
void encode(JsonWriter& json, const GetRecordsResponse& response);

// The record as a Lambda function gets it in its event: with the stream's ARN, and with members of
// userIdentity that start in lower case.
void write_event_record(JsonWriter& json, const StreamRecord& record, std::string_view stream_arn);

}  // namespace partita
