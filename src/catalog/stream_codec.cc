#include "catalog/stream_codec.h"

#include "catalog/schema_fields.h"

namespace partita {
namespace {

constexpr std::int64_t kCheckpointFormat = 1;

void write_shard(ItemWriter& writer, const StreamShard& shard) {
  begin_map(writer);
  write_field(writer, "id", shard.id);
  if (!shard.parent.empty()) write_field(writer, "parent", shard.parent);
  write_field(writer, "first_lane", std::int64_t{shard.first_lane});
  write_field(writer, "last_lane", std::int64_t{shard.last_lane});
  if (shard.opened != 0) write_field(writer, "opened", static_cast<std::int64_t>(shard.opened));
  write_field(writer, "opened_at", milliseconds(shard.opened_at));
  write_flag(writer, "open", shard.is_open());
  if (shard.closed) {
    if (*shard.closed != 0) {
      write_field(writer, "closed", static_cast<std::int64_t>(*shard.closed));
    }
    write_field(writer, "closed_at", milliseconds(shard.closed_at));
  }
  writer.end_map();
}

Lane read_lane(const RowFields& fields, std::string_view name) {
  const std::int64_t lane = fields.integer(name);
  if (lane < 0 || lane >= std::int64_t{kLaneCount}) fields.reject(name);
  return static_cast<Lane>(lane);
}

StreamShard read_shard(const RowFields& fields) {
  StreamShard shard;
  shard.id = fields.string("id");
  shard.parent = fields.find_string("parent").value_or("");
  shard.first_lane = read_lane(fields, "first_lane");
  shard.last_lane = read_lane(fields, "last_lane");
  shard.opened = static_cast<Version>(fields.find_integer("opened").value_or(0));
  shard.opened_at = time_from(fields.integer("opened_at"));
  if (!fields.boolean("open")) {
    shard.closed = static_cast<Version>(fields.find_integer("closed").value_or(0));
    shard.closed_at = time_from(fields.integer("closed_at"));
  }
  return shard;
}

}  // namespace

std::string encode_stream(const StreamSchema& stream) {
  ItemWriter writer;
  writer.begin_item();
  write_field(writer, "format", kStreamFormat);
  write_field(writer, "arn", stream.arn);
  write_field(writer, "table", stream.table_name);
  write_field(writer, "label", stream.label);
  write_field(writer, "space", std::int64_t{stream.space});
  write_field(writer, "view", text_of(kStreamViewTypes, stream.view_type));
  write_key(writer, stream.key);
  write_field(writer, "created_at", milliseconds(stream.created_at));
  if (stream.disabled_at) write_field(writer, "disabled_at", milliseconds(*stream.disabled_at));
  write_field(writer, "trimmed", static_cast<std::int64_t>(stream.trimmed));
  begin_list(writer, "shards");
  for (const StreamShard& shard : stream.shards) write_shard(writer, shard);
  writer.end_list();
  writer.end_item();
  return std::string(writer.bytes());
}

Result<StreamSchema> decode_stream(Bytes row, Version version) {
  PARTITA_TRY(const ItemView item, check_row(row, kStreamFormat, "a stream's row"));
  std::string problem;
  const RowFields fields(item.attributes(), problem);
  StreamSchema stream;
  stream.arn = fields.string("arn");
  stream.table_name = fields.string("table");
  stream.label = fields.string("label");
  stream.space = read_space(fields);
  stream.view_type = read_word(kStreamViewTypes, fields, "view");
  stream.key = read_key(fields, 1);
  stream.created_at = time_from(fields.integer("created_at"));
  if (const auto disabled = fields.find_integer("disabled_at")) {
    stream.disabled_at = time_from(*disabled);
  }
  stream.trimmed = static_cast<Version>(fields.integer("trimmed"));
  fields.for_each_map("shards",
                      [&](const RowFields& shard) { stream.shards.push_back(read_shard(shard)); });
  if (!problem.empty()) return damaged_row("the row of stream '" + stream.arn + "'", problem);
  settle_shards(stream, version);
  return stream;
}

std::string encode_checkpoint(std::string_view text) {
  ItemWriter writer;
  writer.begin_item();
  write_field(writer, "format", kCheckpointFormat);
  write_field(writer, "text", text);
  writer.end_item();
  return std::string(writer.bytes());
}

Result<std::string> decode_checkpoint(Bytes row) {
  constexpr std::string_view what = "a stream consumer's row";
  PARTITA_TRY(const ItemView item, check_row(row, kCheckpointFormat, what));
  std::string problem;
  std::string text = RowFields(item.attributes(), problem).string("text");
  if (!problem.empty()) return damaged_row(what, problem);
  return text;
}

}  // namespace partita
