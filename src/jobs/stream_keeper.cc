#include "jobs/stream_keeper.h"

#include <algorithm>
#include <limits>
#include <vector>

#include "execution/change_record.h"

namespace partita {

void StreamKeeper::run(TimePoint now) {
  const std::chrono::milliseconds since = now - trimmed_at_;
  const bool trims = since >= kTrimInterval || since < std::chrono::milliseconds(0);
  if (trims) trimmed_at_ = now;
  for (const StreamPointer& stream : catalog_.streams(now, true)) {
    if (is_over(*stream, now)) {
      static_cast<void>(catalog_.forget_stream(stream, now));
      continue;
    }
    const Result<StreamPointer> rolled = roll(stream, now);
    if (trims && rolled) static_cast<void>(trim(*rolled, now));
  }
}

// A shard without records stays as it is: consumers would learn nothing from its children.
Result<StreamPointer> StreamKeeper::roll(const StreamPointer& stream, TimePoint now) {
  std::vector<std::size_t> due;
  for (std::size_t i = 0; i < stream->shards.size() && stream->shards.size() < kShardsMax; ++i) {
    const StreamShard& shard = stream->shards[i];
    if (!shard.is_open() || now - shard.opened_at < wishes_.roll_after) continue;
    PARTITA_TRY(const bool used, has_records(*stream, shard));
    if (used) due.push_back(i);
  }
  if (due.empty()) return stream;
  StreamSchema changed = *stream;
  for (const std::size_t i : due) roll_shard(changed, i, wishes_.shards, now);
  return catalog_.update_stream(stream, std::move(changed), now);
}

Result<bool> StreamKeeper::has_records(const StreamSchema& stream, const StreamShard& shard) {
  bool found = false;
  for (Lane lane = shard.first_lane; lane <= shard.last_lane && !found; ++lane) {
    PARTITA_CHECK(engine_.changes(stream.space, lane, shard.opened,
                                  std::numeric_limits<std::uint32_t>::max(), {1, 0},
                                  [&](const ChangeView&) { return !(found = true); }));
  }
  return found;
}

// The last version up to which every record of every lane is too old; 0 if there is none.
Result<Version> StreamKeeper::last_to_trim(const StreamSchema& stream, TimePoint now) {
  Version oldest_kept = std::numeric_limits<Version>::max(), newest_old = 0;
  for (Lane lane = 0; lane < kLaneCount; ++lane) {
    bool damaged = false;
    PARTITA_CHECK(
        engine_.changes(stream.space, lane, stream.trimmed, 0, {}, [&](const ChangeView& view) {
          if (view.version <= stream.trimmed) return true;
          const auto change = decode_change(view.record);
          damaged = !change;
          if (damaged) return false;
          if (!is_expired(change->time, now)) {
            oldest_kept = std::min(oldest_kept, view.version);
            return false;
          }
          newest_old = std::max(newest_old, view.version);
          return true;
        }));
    if (damaged) return Error::internal("A record of the change log is damaged.");
  }
  return std::min(newest_old, oldest_kept - 1);
}

// The row first: whoever reads must know that something is gone before it is.
Result<void> StreamKeeper::trim(const StreamPointer& stream, TimePoint now) {
  PARTITA_TRY(const Version last, last_to_trim(*stream, now));
  StreamSchema changed = *stream;
  changed.trimmed = std::max(changed.trimmed, last);
  std::erase_if(changed.shards, [&](const StreamShard& shard) {
    return !shard.is_open() && is_expired(shard.closed_at, now);
  });
  if (changed.trimmed == stream->trimmed && changed.shards.size() == stream->shards.size()) {
    return {};
  }
  PARTITA_TRY(const StreamPointer updated, catalog_.update_stream(stream, std::move(changed), now));
  for (Lane lane = 0; lane < kLaneCount; ++lane) {
    PARTITA_CHECK(engine_.trim_changes(stream->space, lane, updated->trimmed + 1));
  }
  return {};
}

}  // namespace partita
