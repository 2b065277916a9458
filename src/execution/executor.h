// Executor: carries plans out against an engine. One write path, one read path.
#pragma once

#include <memory>
#include <optional>

#include "partita/item.h"
#include "partita/requests/queries.h"
#include "partita/result.h"

#include "base/clock.h"
#include "execution/capacity.h"
#include "execution/change_record.h"
#include "execution/follower_progress.h"
#include "execution/key_latches.h"
#include "execution/stale_views.h"
#include "plan/read_plan.h"
#include "plan/write_plan.h"
#include "storage/engine.h"

namespace partita {

// What the caller wants to see of a write besides that it happened.
struct WriteWishes {
  bool previous = false;         // the item before
  bool next = false;             // the item after
  bool item_of_failure = false;  // the item that made a condition fail, in the error
};

struct WriteOutcome {
  std::optional<Item> previous;
  std::optional<Item> next;
  Charge charge;
};

struct GetOutcome {
  std::optional<Item> item;
  std::size_t size_bytes = 0;  // before projection
};

struct PageOutcome {
  ItemList items;
  std::int32_t count = 0;
  std::int32_t scanned_count = 0;
  std::optional<Item> last_evaluated_key;
  Charge charge;
};

// When global-index rows are written.
enum class IndexUpkeep : std::uint8_t {
  WithItem,  // in the item's commit
  Followed,  // later: the item's commit leaves a change record (jobs/index_follower.h)
};

// `depends_on` rises to the newest version the answer, or the error, tells of: whoever passes it on
// must wait until that is durable.
class Executor {
 public:
  // Without `stale_views` no read is stale.
  explicit Executor(Engine& engine, IndexUpkeep upkeep = IndexUpkeep::WithItem,
                    StaleViews* stale_views = nullptr)
      : engine_(engine), upkeep_(upkeep), stale_views_(stale_views) {}

  Result<WriteOutcome> write(const WritePlan& plan, WriteWishes wishes, TimePoint now,
                             Version& depends_on);
  Result<GetOutcome> get(const TableSchema& table, const EncodedKey& key,
                         const ProjectionPaths* projection, const View* view, Version& depends_on);
  Result<PageOutcome> read(const ReadPlan& plan, const View* view, Version& depends_on);

  // What a read looks at: a past moment if it may be stale; null for the present.
  std::shared_ptr<const View> view_for(bool consistent_read, TimePoint now) {
    return consistent_read || !stale_views_ ? nullptr : stale_views_->at(now);
  }

  // Gives an item its entry in an index that is being filled, unless it has one.
  Result<void> fill_index(const TableSchema& table, const IndexSchema& index, const EncodedKey& key,
                          TimePoint now);
  // Brings all global indexes from before a recorded change to after it, and notes in the same
  // commit that `position` has been dealt with.
  Result<void> apply_change(const TableSchema& table, const ChangeRecord& change,
                            const FollowerProgress& progress, ChangePosition position,
                            TimePoint now);

  // Bytes of one item collection: its items and their local index entries.
  Result<std::int64_t> collection_bytes(const TableSchema& table, const EncodedKey& key);

 private:
  Engine& engine_;
  const IndexUpkeep upkeep_;
  StaleViews* const stale_views_;
  KeyLatches latches_;
};

}  // namespace partita
