// StreamSchema: one stream of a table, and the shards it is read by.
//
// The records lie in the change log of a space of their own, so they outlive the table. A shard is
// nothing but a stretch of that log: some neighbouring lanes, from the commit that opened it to the
// commit that closed it. So rolling a shard writes no record, only the catalog row; and since an
// item stays in its lane, its records go from a shard to that shard's child and nowhere else.
//
// Immutable and shared; a change of the stream makes a new one.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "partita/table.h"

#include "base/clock.h"
#include "catalog/table_schema.h"
#include "storage/engine.h"

namespace partita {

// How long a record can be read, and a stream after its end.
inline constexpr std::chrono::hours kStreamRetention{24};
// Beyond this many shards a stream does not roll before the oldest are gone.
inline constexpr std::size_t kShardsMax = 4000;

struct StreamShard {
  std::string id;      // ascending in the order of opening
  std::string parent;  // the shard that was read before; none is there for the first ones
  Lane first_lane = 0;
  Lane last_lane = 0;
  // The commits of the catalog that opened and closed it: its records lie between the two. 0 is the
  // commit that is about to happen (settle_shards).
  Version opened = 0;
  std::optional<Version> closed{};
  TimePoint opened_at{};
  TimePoint closed_at{};

  bool is_open() const { return !closed.has_value(); }
};

struct StreamSchema {
  std::string arn;
  std::string table_name;
  std::string label;
  SpaceId space = 0;  // whose change log holds the records
  StreamViewType view_type = StreamViewType::KeysOnly;
  KeySchema key;  // of the table
  TimePoint created_at{};
  std::optional<TimePoint> disabled_at{};
  Version trimmed = 0;  // records up to here are gone
  std::vector<StreamShard> shards;

  // Of the commit that stored it. Not encoded.
  Version version = 0;

  const StreamShard* find_shard(std::string_view id) const;
};
using StreamPointer = std::shared_ptr<const StreamSchema>;

// "2026-10-08T23:07:31.275"
std::string stream_label_at(TimePoint now);
std::string stream_arn(std::string_view table_arn, std::string_view label);
// "arn:…:table/Music/stream/2026-10-08T23:07:31.275" → "Music"; nothing if it is no stream's ARN.
std::optional<std::string_view> table_name_in_stream_arn(std::string_view arn);

// The table's stream_space and stream_label say where and under which name.
StreamSchema new_stream(const TableSchema& table, unsigned shard_count, TimePoint now);
// Closes every shard.
void disable_stream(StreamSchema& stream, TimePoint now);
// Closes the shard at `index` and opens a child in its place, or several if the stream is to have
// more shards than it has.
void roll_shard(StreamSchema& stream, std::size_t index, unsigned shard_count, TimePoint now);
// Once the commit has its version.
void settle_shards(StreamSchema& stream, Version version);

// Nobody can read it any more.
bool is_over(const StreamSchema& stream, TimePoint now);
bool is_expired(TimePoint written, TimePoint now);

}  // namespace partita
