#include "wire/stream_messages.h"

#include "formats/json_reader.h"
#include "formats/typed_json.h"
#include "formats/value_json.h"
#include "wire/enum_names.h"
#include "wire/shape_rules.h"
#include "wire/table_members.h"

namespace partita {
namespace {

using namespace table_members;

constexpr std::int32_t kPageMax = 100;
constexpr std::int32_t kRecordsMax = 1000;
constexpr std::size_t kShardIdMin = 28, kShardIdMax = 65;
constexpr std::size_t kSequenceNumberMin = 21, kSequenceNumberMax = 40;

struct RawShardFilter {
  Text type;
  Text shard_id;
};

enum class ShardFilterType : std::uint8_t { ChildShards };
constexpr std::array<EnumName<ShardFilterType>, 1> kShardFilterType = {{
    {"CHILD_SHARDS", ShardFilterType::ChildShards},
}};

RawShardFilter read_shard_filter(JsonReader& json) {
  RawShardFilter filter;
  enter_member_structure(json, "com.amazonaws.dynamodb.v20120810.ShardFilter");
  for (std::string_view name; json.next_member(name);) {
    if (json.read_null()) continue;
    if (name == "Type") {
      filter.type = read_text(json);
    } else if (name == "ShardId") {
      filter.shard_id = read_text(json);
    } else {
      json.skip_value();
    }
  }
  return filter;
}

void check_limit(ShapeRules& rules, const std::optional<std::int32_t>& limit, std::int32_t max) {
  if (limit) rules.range("limit", *limit, 1, max);
}

void check_shard_id(ShapeRules& rules, std::string_view path, const Text& id) {
  if (id) rules.length(path, *id, kShardIdMin, kShardIdMax);
}

std::optional<std::string> owned(const Text& text) {
  return text ? std::optional<std::string>(*text) : std::nullopt;
}

void write_text(JsonWriter& json, std::string_view name, std::string_view text) {
  json.member(name);
  json.string(text);
}

void write_shard(JsonWriter& json, const Shard& shard) {
  json.begin_object();
  if (shard.parent_shard_id) write_text(json, "ParentShardId", *shard.parent_shard_id);
  json.member("SequenceNumberRange");
  json.begin_object();
  if (shard.ending_sequence_number) {
    write_text(json, "EndingSequenceNumber", *shard.ending_sequence_number);
  }
  write_text(json, "StartingSequenceNumber", shard.starting_sequence_number);
  json.end_object();
  write_text(json, "ShardId", shard.shard_id);
  json.end_object();
}

void write_image(JsonWriter& json, std::string_view name, ItemView image) {
  json.member(name);
  write_json(json, image);
}

void write_change(JsonWriter& json, const StreamRecord& record) {
  json.begin_object();
  json.integer_member("ApproximateCreationDateTime", record.approximate_creation_seconds);
  write_image(json, "Keys", record.keys);
  if (record.new_image) write_image(json, "NewImage", *record.new_image);
  if (record.old_image) write_image(json, "OldImage", *record.old_image);
  write_text(json, "SequenceNumber", record.sequence_number);
  json.integer_member("SizeBytes", record.size_bytes);
  write_text(json, "StreamViewType", enum_text(kStreamViewType, record.stream_view_type));
  json.end_object();
}

struct IdentityNames {
  std::string_view principal_id;
  std::string_view type;
};

// The members that both forms of a record have.
void write_members(JsonWriter& json, const StreamRecord& record, IdentityNames names) {
  write_text(json, "awsRegion", record.aws_region);
  json.member("dynamodb");
  write_change(json, record);
  write_text(json, "eventID", record.event_id);
  write_text(json, "eventName", enum_text(kStreamEventName, record.event_name));
  write_text(json, "eventSource", "aws:dynamodb");
  write_text(json, "eventVersion", "1.1");
  if (!record.by_expiry) return;
  json.member("userIdentity");
  json.begin_object();
  write_text(json, names.principal_id, "dynamodb.amazonaws.com");
  write_text(json, names.type, "Service");
  json.end_object();
}

}  // namespace

template <>
Result<void> TableMessage<ListStreamsRequest>::decode(std::string_view body) {
  Text table_name, start;
  JsonReader json(memory_);
  read_request(json, body, [&](std::string_view name) {
    if (name == "TableName") {
      table_name = read_text(json);
    } else if (name == "Limit") {
      request.limit = read_integer(json);
    } else if (name == "ExclusiveStartStreamArn") {
      start = read_text(json);
    } else {
      json.skip_value();
    }
  });
  PARTITA_CHECK(json.finish());
  if (table_name) PARTITA_CHECK(check_table_name(table_name));
  ShapeRules rules;
  check_limit(rules, request.limit, kPageMax);
  PARTITA_CHECK(rules.check());
  request.table_name = owned(table_name);
  request.exclusive_start_stream_arn = owned(start);
  return {};
}

template <>
Result<void> TableMessage<DescribeStreamRequest>::decode(std::string_view body) {
  Text arn, start;
  std::optional<RawShardFilter> filter;
  JsonReader json(memory_);
  read_request(json, body, [&](std::string_view name) {
    if (name == "StreamArn") {
      arn = read_text(json);
    } else if (name == "Limit") {
      request.limit = read_integer(json);
    } else if (name == "ExclusiveStartShardId") {
      start = read_text(json);
    } else if (name == "ShardFilter") {
      filter = read_shard_filter(json);
    } else {
      json.skip_value();
    }
  });
  PARTITA_CHECK(json.finish());
  ShapeRules rules;
  rules.not_null("streamArn", arn.has_value());
  check_limit(rules, request.limit, kPageMax);
  check_shard_id(rules, "exclusiveStartShardId", start);
  if (filter) {
    rules.word("shardFilter.type", filter->type, kShardFilterType);
    check_shard_id(rules, "shardFilter.shardId", filter->shard_id);
  }
  PARTITA_CHECK(rules.check());
  if (filter && (!filter->type || !filter->shard_id)) {
    return Error::validation(
        "One or more parameter values were invalid: ShardFilter must have a Type and a ShardId");
  }
  request.stream_arn = *arn;
  request.exclusive_start_shard_id = owned(start);
  if (filter) request.children_of_shard_id = owned(filter->shard_id);
  return {};
}

template <>
Result<void> TableMessage<GetShardIteratorRequest>::decode(std::string_view body) {
  Text arn, shard_id, type, sequence_number;
  JsonReader json(memory_);
  read_request(json, body, [&](std::string_view name) {
    if (name == "StreamArn") {
      arn = read_text(json);
    } else if (name == "ShardId") {
      shard_id = read_text(json);
    } else if (name == "ShardIteratorType") {
      type = read_text(json);
    } else if (name == "SequenceNumber") {
      sequence_number = read_text(json);
    } else {
      json.skip_value();
    }
  });
  PARTITA_CHECK(json.finish());
  ShapeRules rules;
  rules.not_null("streamArn", arn.has_value());
  rules.not_null("shardId", shard_id.has_value());
  check_shard_id(rules, "shardId", shard_id);
  rules.not_null("shardIteratorType", type.has_value());
  const auto wanted = rules.word("shardIteratorType", type, kShardIteratorType);
  if (sequence_number) {
    rules.length("sequenceNumber", *sequence_number, kSequenceNumberMin, kSequenceNumberMax);
  }
  PARTITA_CHECK(rules.check());
  request.stream_arn = *arn;
  request.shard_id = *shard_id;
  request.shard_iterator_type = *wanted;
  request.sequence_number = owned(sequence_number);
  return {};
}

template <>
Result<void> TableMessage<GetRecordsRequest>::decode(std::string_view body) {
  Text iterator;
  JsonReader json(memory_);
  read_request(json, body, [&](std::string_view name) {
    if (name == "ShardIterator") {
      iterator = read_text(json);
    } else if (name == "Limit") {
      request.limit = read_integer(json);
    } else {
      json.skip_value();
    }
  });
  PARTITA_CHECK(json.finish());
  ShapeRules rules;
  rules.not_null("shardIterator", iterator.has_value());
  check_limit(rules, request.limit, kRecordsMax);
  PARTITA_CHECK(rules.check());
  request.shard_iterator = *iterator;
  return {};
}

void encode(JsonWriter& json, const ListStreamsResponse& response) {
  json.begin_object();
  if (response.last_evaluated_stream_arn) {
    write_text(json, "LastEvaluatedStreamArn", *response.last_evaluated_stream_arn);
  }
  json.member("Streams");
  json.begin_array();
  for (const StreamSummary& stream : response.streams) {
    json.element();
    json.begin_object();
    write_text(json, "StreamArn", stream.stream_arn);
    write_text(json, "StreamLabel", stream.stream_label);
    write_text(json, "TableName", stream.table_name);
    json.end_object();
  }
  json.end_array();
  json.end_object();
}

void encode(JsonWriter& json, const StreamDescription& stream) {
  json.begin_object();
  json.member("StreamDescription");
  json.begin_object();
  json.member("CreationRequestDateTime");
  json.number(stream.creation_request_date_time);
  json.member("KeySchema");
  json.begin_array();
  for (const KeySchemaElement& element : stream.key_schema) {
    json.element();
    json.begin_object();
    write_text(json, "AttributeName", element.name);
    write_text(json, "KeyType", enum_text(kKeyType, element.type));
    json.end_object();
  }
  json.end_array();
  if (stream.last_evaluated_shard_id) {
    write_text(json, "LastEvaluatedShardId", *stream.last_evaluated_shard_id);
  }
  json.member("Shards");
  json.begin_array();
  for (const Shard& shard : stream.shards) {
    json.element();
    write_shard(json, shard);
  }
  json.end_array();
  write_text(json, "StreamArn", stream.stream_arn);
  write_text(json, "StreamLabel", stream.stream_label);
  write_text(json, "StreamStatus", enum_text(kStreamStatus, stream.stream_status));
  write_text(json, "StreamViewType", enum_text(kStreamViewType, stream.stream_view_type));
  write_text(json, "TableName", stream.table_name);
  json.end_object();
  json.end_object();
}

void encode(JsonWriter& json, const GetShardIteratorResponse& response) {
  json.begin_object();
  write_text(json, "ShardIterator", response.shard_iterator);
  json.end_object();
}

void encode(JsonWriter& json, const GetRecordsResponse& response) {
  json.begin_object();
  if (response.next_shard_iterator) {
    write_text(json, "NextShardIterator", *response.next_shard_iterator);
  }
  json.member("Records");
  json.begin_array();
  for (const StreamRecord& record : response.records) {
    json.element();
    json.begin_object();
    write_members(json, record, {"PrincipalId", "Type"});
    json.end_object();
  }
  json.end_array();
  json.end_object();
}

void write_event_record(JsonWriter& json, const StreamRecord& record, std::string_view stream_arn) {
  json.begin_object();
  write_members(json, record, {"principalId", "type"});
  write_text(json, "eventSourceARN", stream_arn);
  json.end_object();
}

}  // namespace partita
