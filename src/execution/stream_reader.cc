#include "execution/stream_reader.h"

#include <algorithm>
#include <limits>

namespace partita {
namespace {

constexpr std::uint32_t kLastOrdinal = std::numeric_limits<std::uint32_t>::max();

struct LogPlace {
  Version version;
  std::uint32_t ordinal;
};

// The place in one lane's log after which records at or beyond `from` lie.
LogPlace place_before(StreamPosition from, Lane lane) {
  if (lane < from.lane) return {from.version, kLastOrdinal};
  if (lane > from.lane || from.ordinal == 0) {
    return {from.version == 0 ? 0 : from.version - 1, kLastOrdinal};
  }
  return {from.version, from.ordinal - 1};
}

// Up to `limit` records of one lane, or as many as fill a page.
Result<void> read_lane(Engine& engine, SpaceId space, Lane lane, StreamPosition from, Version last,
                       std::size_t limit, std::vector<KeptRecord>& records) {
  const LogPlace after = place_before(from, lane);
  std::size_t count = 0, bytes = 0;
  return engine.changes(
      space, lane, after.version, after.ordinal, {static_cast<std::uint32_t>(limit), 0},
      [&](const ChangeView& change) {
        if (change.version > last) return false;
        records.push_back({{change.version, lane, change.ordinal}, std::string(change.record)});
        bytes += change.record.size();
        return ++count < limit && bytes < StreamReader::kPageBytesMax;
      });
}

}  // namespace

Error trimmed_data_access() {
  return Error(ErrorCode::TrimmedDataAccess, "The data you are trying to access has been trimmed");
}

Result<StreamPosition> StreamReader::trim_horizon(const StreamSchema& stream,
                                                  const StreamShard& shard, TimePoint now) {
  const StreamPosition start{std::max(shard.opened, stream.trimmed) + 1};
  std::optional<StreamPosition> oldest;  // that is not too old
  std::optional<Version> too_old;
  for (Lane lane = shard.first_lane; lane <= shard.last_lane; ++lane) {
    const LogPlace after = place_before(start, lane);
    bool damaged = false;
    PARTITA_CHECK(engine_.changes(stream.space, lane, after.version, after.ordinal, {},
                                  [&](const ChangeView& view) {
                                    const auto change = decode_change(view.record);
                                    damaged = !change;
                                    if (damaged) return false;
                                    if (is_expired(change->time, now)) {
                                      too_old = std::max(too_old.value_or(0), view.version);
                                      return true;
                                    }
                                    const StreamPosition place{view.version, lane, view.ordinal};
                                    oldest = std::min(oldest.value_or(place), place);
                                    return false;
                                  }));
    if (damaged) return Error::internal("A record of the change log is damaged.");
  }
  if (!too_old) return start;
  return oldest ? *oldest : StreamPosition{*too_old + 1};
}

Result<StreamPage> StreamReader::read(const StreamSchema& stream, const StreamShard& shard,
                                      Version known, StreamPosition from, std::size_t limit,
                                      TimePoint now) {
  if (from.version <= stream.trimmed) return trimmed_data_access();
  const Version last = std::min(known, shard.closed.value_or(known));
  const StreamPosition start = std::max(from, StreamPosition{shard.opened + 1});
  StreamPage page;
  for (Lane lane = shard.first_lane; lane <= shard.last_lane; ++lane) {
    PARTITA_CHECK(read_lane(engine_, stream.space, lane, start, last, limit, page.records));
  }
  auto& records = page.records;
  std::sort(records.begin(), records.end(), [](const KeptRecord& left, const KeptRecord& right) {
    return left.position < right.position;
  });
  if (!records.empty()) {
    PARTITA_TRY(const ChangeRecord oldest, decode_change(records.front().bytes));
    if (is_expired(oldest.time, now)) return trimmed_data_access();
  }
  std::size_t count = 0, bytes = 0;
  while (count < std::min(limit, records.size()) && bytes < kPageBytesMax) {
    bytes += records[count++].bytes.size();
    if (bytes > kPageBytesMax && count > 1) --count, bytes = kPageBytesMax;  // it comes next time
  }
  const bool all = count == records.size() && count < limit && bytes < kPageBytesMax;
  records.resize(count);
  if (!all) {
    page.next = records.back().position.beyond();
  } else if (shard.is_open() || known < *shard.closed) {
    // Whoever finds nothing moves on too, or he would seem to lag behind what is trimmed.
    page.next = std::max(start, StreamPosition{last + 1});
  }
  return page;
}

}  // namespace partita
