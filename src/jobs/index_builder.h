// IndexBuilder: carries an index that UpdateTable creates or deletes from phase to phase, and gives
// the items that were there before a new index their entries in it (docs/decisions/0010). The
// internal index that UpdateTimeToLive creates or deletes goes the same way.
//
// A phase is left only when nobody acts on an earlier one any more. The backfill goes through the
// table in hash order, a piece at a time. It keeps its place in memory only: after a crash it
// starts over, and items that have their entry already are passed by.
#pragma once

#include <chrono>
#include <map>
#include <optional>
#include <string>

#include "base/clock.h"
#include "catalog/catalog.h"
#include "execution/executor.h"
#include "jobs/index_follower.h"
#include "storage/engine.h"

namespace partita {

class IndexBuilder {
 public:
  // `follower` is null when index rows are written with their items.
  IndexBuilder(Engine& engine, Catalog& catalog, Executor& executor, IndexFollower* follower)
      : engine_(engine), catalog_(catalog), executor_(executor), follower_(follower) {}

  // Takes every unsettled index a step further.
  enum class Left : std::uint8_t { Nothing, Waiting, Work };
  Left run(TimePoint now);

 private:
  // How far the backfill of one index has come.
  struct Backfill {
    std::optional<EncodedKey> last;  // the last item dealt with
    bool started = false;
    bool finished = false;
    std::optional<IndexFollower::Marks> marks;  // writes the follower has yet to pass
  };

  Result<Left> advance(const TablePointer& table, const IndexSchema& index, TimePoint now);
  Result<Left> begin_filling(const TablePointer& table, const IndexSchema& index, TimePoint now);
  Result<Left> fill(const TablePointer& table, const IndexSchema& index, TimePoint now);
  Result<void> fill_piece(const TableSchema& table, const IndexSchema& index, Backfill& backfill,
                          TimePoint now);
  Result<bool> follower_passed(const TableSchema& table, Backfill& backfill);
  Result<Left> remove(const TablePointer& table, const IndexSchema& index, TimePoint now);
  Result<Left> change(const TablePointer& table, TableSchema schema, TimePoint now);

  Engine& engine_;
  Catalog& catalog_;
  Executor& executor_;
  IndexFollower* const follower_;
  std::map<SpaceId, Backfill> backfills_;  // by the index's space
  unsigned turn_ = 0;                      // when a table has two that are unsettled
};

}  // namespace partita
