#include "catalog/stream_schema.h"

#include <algorithm>
#include <cassert>
#include <cstdio>

#include "catalog/table_name.h"

namespace partita {
namespace {

// How many lanes a shard of a stream with this many shards covers.
unsigned lanes_each(unsigned shard_count) {
  return kLaneCount / std::clamp(shard_count, 1u, kLaneCount);
}

// "shardId-00000001760000000000-0000002a": a time that never goes back, and a number.
std::string next_shard_id(const StreamSchema& stream, TimePoint now) {
  constexpr std::size_t kTimeAt = 8, kTimeDigits = 20, kNumberAt = kTimeAt + kTimeDigits + 1;
  long long time = std::max<long long>(now.time_since_epoch().count(), 0);
  unsigned number = 0;
  if (!stream.shards.empty()) {
    const std::string& last = stream.shards.back().id;
    assert(last.size() > kNumberAt);
    time = std::max(time, std::stoll(last.substr(kTimeAt, kTimeDigits)));
    number = static_cast<unsigned>(std::stoul(last.substr(kNumberAt), nullptr, 16)) + 1;
  }
  char id[64];
  std::snprintf(id, sizeof id, "shardId-%020lld-%08x", time, number);
  return id;
}

void open_shards(StreamSchema& stream, std::string_view parent, Lane first_lane, Lane last_lane,
                 unsigned lanes, TimePoint now) {
  for (unsigned lane = first_lane; lane <= last_lane; lane += lanes) {
    StreamShard shard;
    shard.id = next_shard_id(stream, now);
    shard.parent = parent;
    shard.first_lane = static_cast<Lane>(lane);
    shard.last_lane = static_cast<Lane>(std::min<unsigned>(lane + lanes - 1, last_lane));
    shard.opened_at = now;
    stream.shards.push_back(std::move(shard));
  }
}

void close(StreamShard& shard, TimePoint now) {
  shard.closed = Version{0};
  shard.closed_at = now;
}

}  // namespace

const StreamShard* StreamSchema::find_shard(std::string_view id) const {
  const auto found = std::lower_bound(
      shards.begin(), shards.end(), id,
      [](const StreamShard& shard, std::string_view wanted) { return shard.id < wanted; });
  return found != shards.end() && found->id == id ? &*found : nullptr;
}

std::string stream_label_at(TimePoint now) {
  using namespace std::chrono;
  const auto day = floor<days>(now);
  const year_month_day date(day);
  const hh_mm_ss<std::chrono::milliseconds> time(now - day);
  char label[64];
  std::snprintf(label, sizeof label, "%04d-%02u-%02uT%02d:%02d:%02d.%03d",
                static_cast<int>(date.year()), static_cast<unsigned>(date.month()),
                static_cast<unsigned>(date.day()), static_cast<int>(time.hours().count()),
                static_cast<int>(time.minutes().count()), static_cast<int>(time.seconds().count()),
                static_cast<int>(time.subseconds().count()));
  return label;
}

std::string stream_arn(std::string_view table_arn, std::string_view label) {
  return std::string(table_arn).append("/stream/").append(label);
}

std::optional<std::string_view> table_name_in_stream_arn(std::string_view arn) {
  constexpr std::string_view kMark = "/stream/";
  const std::size_t mark = arn.find(kMark);
  if (!arn.starts_with("arn:") || mark == std::string_view::npos ||
      mark + kMark.size() == arn.size()) {
    return std::nullopt;
  }
  const auto name = table_name_in(arn.substr(0, mark));
  if (!name) return std::nullopt;
  return *name;
}

StreamSchema new_stream(const TableSchema& table, unsigned shard_count, TimePoint now) {
  assert(table.stream && table.stream->stream_view_type && table.stream_space != 0);
  StreamSchema stream;
  stream.arn = stream_arn(table.arn, table.stream_label);
  stream.table_name = table.name;
  stream.label = table.stream_label;
  stream.space = table.stream_space;
  stream.view_type = *table.stream->stream_view_type;
  stream.key = table.key;
  stream.created_at = now;
  open_shards(stream, {}, 0, kLaneCount - 1, lanes_each(shard_count), now);
  return stream;
}

void disable_stream(StreamSchema& stream, TimePoint now) {
  stream.disabled_at = now;
  for (StreamShard& shard : stream.shards) {
    if (shard.is_open()) close(shard, now);
  }
}

void roll_shard(StreamSchema& stream, std::size_t index, unsigned shard_count, TimePoint now) {
  assert(stream.shards[index].is_open());
  close(stream.shards[index], now);
  const StreamShard parent = stream.shards[index];
  const unsigned lanes = parent.last_lane - parent.first_lane + 1u;
  open_shards(stream, parent.id, parent.first_lane, parent.last_lane,
              std::min(lanes, lanes_each(shard_count)), now);
}

void settle_shards(StreamSchema& stream, Version version) {
  stream.version = version;
  for (StreamShard& shard : stream.shards) {
    if (shard.opened == 0) shard.opened = version;
    if (shard.closed == Version{0}) shard.closed = version;
  }
}

bool is_over(const StreamSchema& stream, TimePoint now) {
  return stream.disabled_at && is_expired(*stream.disabled_at, now);
}

bool is_expired(TimePoint written, TimePoint now) { return now - written >= kStreamRetention; }

}  // namespace partita
