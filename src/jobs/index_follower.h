// IndexFollower: brings global indexes up to date from the change log, some time after the writes.
//
// With Options::index_lag a write leaves a change record instead of index rows. The follower reads
// each lane of each table's log in order and applies what is old enough, one commit per record,
// which also notes how far it has come: a record takes effect once, also through kill -9. Index
// rows of different items never touch, and the records of one item are in one lane, so lanes need
// no order among each other.
#pragma once

#include <array>
#include <chrono>
#include <map>
#include <mutex>

#include "base/clock.h"
#include "catalog/catalog.h"
#include "execution/executor.h"
#include "storage/engine.h"

namespace partita {

class IndexFollower {
 public:
  IndexFollower(Engine& engine, Catalog& catalog, Executor& executor)
      : engine_(engine), catalog_(catalog), executor_(executor) {}

  // Applies the records of every table that were written at or before `until`, and forgets them.
  // Any thread may call; calls take turns.
  Result<void> follow(TimePoint until, TimePoint now);

  // Everything written so far: the last record of each lane. `passed` once it has been applied.
  using Marks = std::array<ChangePosition, kLaneCount>;
  Result<Marks> mark(const TableSchema& table);
  Result<bool> passed(const TableSchema& table, const Marks& marks);

 private:
  struct LanePlace {
    SpaceId space;
    Lane lane;
    friend auto operator<=>(const LanePlace&, const LanePlace&) = default;
  };
  Result<void> follow_lane(const TableSchema& table, Lane lane, TimePoint until, TimePoint now);
  Result<ChangePosition> position(LanePlace place);

  Engine& engine_;
  Catalog& catalog_;
  Executor& executor_;
  std::mutex mutex_;
  std::map<LanePlace, ChangePosition> positions_;  // what is known of them
};

}  // namespace partita
