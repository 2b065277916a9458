// The members of requests and answers about streams (message_shapes.h says how to read this).
#pragma once

#include <concepts>

#include "client/message_shapes.h"

namespace partita::client {

template <typename Request>
concept AboutStreams =
    std::same_as<Request, ListStreamsRequest> || std::same_as<Request, DescribeStreamRequest> ||
    std::same_as<Request, GetShardIteratorRequest> || std::same_as<Request, GetRecordsRequest>;

template <>
inline constexpr auto& kWords<StreamStatus> = kStreamStatus;
template <>
inline constexpr auto& kWords<ShardIteratorType> = kShardIteratorType;
template <>
inline constexpr auto& kWords<StreamEventName> = kStreamEventName;

template <>
struct Shape<ListStreamsRequest> {
  static void each(auto& visit, auto& s) {
    visit("TableName", s.table_name);
    visit("Limit", s.limit);
    visit("ExclusiveStartStreamArn", s.exclusive_start_stream_arn);
  }
};
template <>
struct Shape<StreamSummary> {
  static void each(auto& visit, auto& s) {
    visit("StreamArn", s.stream_arn);
    visit("TableName", s.table_name);
    visit("StreamLabel", s.stream_label);
  }
};
template <>
struct Shape<ListStreamsResponse> {
  static void each(auto& visit, auto& s) {
    visit("Streams", s.streams);
    visit("LastEvaluatedStreamArn", s.last_evaluated_stream_arn);
  }
};

template <>
struct Shape<DescribeStreamRequest> {
  static void each(auto& visit, auto& s) {
    visit("StreamArn", s.stream_arn);
    visit("Limit", s.limit);
    visit("ExclusiveStartShardId", s.exclusive_start_shard_id);
    if (!s.children_of_shard_id) return;
    visit.object("ShardFilter", [&](auto& inner) {
      inner("Type", "CHILD_SHARDS");
      inner("ShardId", *s.children_of_shard_id);
    });
  }
};
template <>
struct Shape<Shard> {
  static void each(auto& visit, auto& s) {
    visit("ShardId", s.shard_id);
    visit("ParentShardId", s.parent_shard_id);
    visit.object("SequenceNumberRange", [&](auto& inner) {
      inner("StartingSequenceNumber", s.starting_sequence_number);
      inner("EndingSequenceNumber", s.ending_sequence_number);
    });
  }
};
template <>
struct Shape<StreamDescription> {
  static void each(auto& visit, auto& s) {
    visit("StreamArn", s.stream_arn);
    visit("StreamLabel", s.stream_label);
    visit("StreamStatus", s.stream_status);
    visit("StreamViewType", s.stream_view_type);
    visit("CreationRequestDateTime", s.creation_request_date_time);
    visit("TableName", s.table_name);
    visit("KeySchema", s.key_schema);
    visit("Shards", s.shards);
    visit("LastEvaluatedShardId", s.last_evaluated_shard_id);
  }
};

template <>
struct Shape<GetShardIteratorRequest> {
  static void each(auto& visit, auto& s) {
    visit("StreamArn", s.stream_arn);
    visit("ShardId", s.shard_id);
    visit("ShardIteratorType", s.shard_iterator_type);
    visit("SequenceNumber", s.sequence_number);
  }
};
template <>
struct Shape<GetShardIteratorResponse> {
  static void each(auto& visit, auto& s) { visit("ShardIterator", s.shard_iterator); }
};
template <>
struct Shape<GetRecordsRequest> {
  static void each(auto& visit, auto& s) {
    visit("ShardIterator", s.shard_iterator);
    visit("Limit", s.limit);
  }
};
template <>
struct Shape<StreamRecord> {
  static void each(auto& visit, auto& s) {
    visit("eventID", s.event_id);
    visit("eventName", s.event_name);
    visit("awsRegion", s.aws_region);
    visit.object("dynamodb", [&](auto& change) {
      change("ApproximateCreationDateTime", s.approximate_creation_seconds);
      change("Keys", s.keys);
      change("NewImage", s.new_image);
      change("OldImage", s.old_image);
      change("SequenceNumber", s.sequence_number);
      change("SizeBytes", s.size_bytes);
      change("StreamViewType", s.stream_view_type);
    });
    visit.object("userIdentity", [&](auto& identity) {
      identity.is_word("PrincipalId", "dynamodb.amazonaws.com", s.by_expiry);
    });
  }
};
template <>
struct Shape<GetRecordsResponse> {
  static void each(auto& visit, auto& s) {
    visit("Records", s.records);
    visit("NextShardIterator", s.next_shard_iterator);
  }
};

}  // namespace partita::client
