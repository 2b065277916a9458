#include "jobs/index_follower.h"

#include <string>
#include <vector>

namespace partita {
namespace {

// Records read at a time; a sink may not call the engine, so they are copied.
constexpr std::uint32_t kRecordsPerRead = 128;

struct CopiedRecord {
  ChangePosition position;
  std::string bytes;
};

// The next records beyond `after`.
Result<std::vector<CopiedRecord>> read_records(Engine& engine, SpaceId space, Lane lane,
                                               ChangePosition after) {
  std::vector<CopiedRecord> records;
  PARTITA_CHECK(engine.changes(
      space, lane, after.version, after.ordinal, {kRecordsPerRead, 0},
      [&](const ChangeView& change) {
        records.push_back({{change.version, change.ordinal}, std::string(change.record)});
        return records.size() < kRecordsPerRead;
      }));
  return records;
}

}  // namespace

Result<void> IndexFollower::follow(TimePoint until, TimePoint now) {
  const std::lock_guard lock(mutex_);
  const std::vector<TablePointer> tables = catalog_.tables(now);
  std::erase_if(positions_, [&](const auto& known) {
    return std::none_of(tables.begin(), tables.end(), [&](const TablePointer& table) {
      return table->space == known.first.space;
    });
  });
  for (const TablePointer& table : tables) {
    for (Lane lane = 0; lane < kLaneCount; ++lane) {
      Result<void> followed = follow_lane(*table, lane, until, now);
      // A table that is deleted meanwhile takes its log along.
      if (!followed && followed.error().code() != ErrorCode::ResourceNotFound) return followed;
    }
  }
  return {};
}

Result<void> IndexFollower::follow_lane(const TableSchema& table, Lane lane, TimePoint until,
                                        TimePoint now) {
  const LanePlace place{table.space, lane};
  PARTITA_TRY(const ChangePosition start, position(place));
  const FollowerProgress progress(kIndexFollower, table.space, lane);
  ChangePosition reached = start;
  for (bool due = true; due;) {
    PARTITA_TRY(const auto records, read_records(engine_, table.space, lane, reached));
    due = records.size() == kRecordsPerRead;
    for (const CopiedRecord& record : records) {
      PARTITA_TRY(const ChangeRecord change, decode_change(record.bytes));
      // One that the clock has yet to come to was made before it was set back.
      if (change.time > until && change.time <= now + kClockLateMax) {
        due = false;
        break;
      }
      PARTITA_CHECK(executor_.apply_change(table, change, progress, record.position, now));
      reached = positions_[place] = record.position;
    }
  }
  // Other records of the last commit may still wait, so that one stays.
  if (start < reached) return engine_.trim_changes(table.space, lane, reached.version);
  return {};
}

Result<ChangePosition> IndexFollower::position(LanePlace place) {
  const auto known = positions_.find(place);
  if (known != positions_.end()) return known->second;
  PARTITA_TRY(const ChangePosition stored,
              FollowerProgress(kIndexFollower, place.space, place.lane).read(engine_));
  positions_.emplace(place, stored);
  return stored;
}

Result<IndexFollower::Marks> IndexFollower::mark(const TableSchema& table) {
  const std::lock_guard lock(mutex_);
  Marks marks;
  for (Lane lane = 0; lane < kLaneCount; ++lane) {
    PARTITA_TRY(marks[lane], position({table.space, lane}));
    PARTITA_CHECK(engine_.changes(table.space, lane, marks[lane].version, marks[lane].ordinal, {},
                                  [&](const ChangeView& change) {
                                    marks[lane] = {change.version, change.ordinal};
                                    return true;
                                  }));
  }
  return marks;
}

Result<bool> IndexFollower::passed(const TableSchema& table, const Marks& marks) {
  const std::lock_guard lock(mutex_);
  for (Lane lane = 0; lane < kLaneCount; ++lane) {
    PARTITA_TRY(const ChangePosition reached, position({table.space, lane}));
    if (reached < marks[lane]) return false;
  }
  return true;
}

}  // namespace partita
