// Executor: carries plans out against an engine. One write path, one read path.
#pragma once

#include <chrono>
#include <optional>
#include <span>
#include <thread>
#include <vector>

#include "partita/item.h"
#include "partita/requests/queries.h"
#include "partita/result.h"

#include "base/clock.h"
#include "base/function_ref.h"
#include "execution/capacity.h"
#include "execution/change_record.h"
#include "execution/follower_progress.h"
#include "execution/key_latches.h"
#include "execution/open_batches.h"
#include "execution/open_transactions.h"
#include "execution/request_tokens.h"
#include "execution/stale_views.h"
#include "execution/throttle.h"
#include "execution/write_outcome.h"
#include "plan/read_plan.h"
#include "plan/write_plan.h"
#include "storage/engine.h"

namespace partita {

struct GetOutcome {
  std::optional<Item> item;
  std::size_t size_bytes = 0;  // before projection
};

GetOutcome project(ItemView item, const ProjectionPaths* projection);

// One action of a transaction that reads.
struct ReadStep {
  const TableSchema* table;
  EncodedKey key;
  const ProjectionPaths* projection;
};

struct PageOutcome {
  ItemList items;
  std::int32_t count = 0;
  std::int32_t scanned_count = 0;
  std::optional<Item> last_evaluated_key;
  Charge charge;
};

// How long writes stay open before they commit, for tests of what others meet meanwhile.
struct WriteHolds {
  std::chrono::milliseconds transaction{0};
  std::chrono::milliseconds single{0};  // batches too
};
inline void hold(std::chrono::milliseconds time) {
  if (time.count() > 0) [[unlikely]]
    std::this_thread::sleep_for(time);
}

// False when a guard failed: nothing happened, and all must be read again.
Result<bool> happened(Result<Version> committed, Version& depends_on);

// `depends_on` rises to the newest version the answer, or the error, tells of: whoever passes it on
// must wait until that is durable.
class Executor {
 public:
  // Without `stale_views` no read is stale, without `throttle` nothing is too much.
  explicit Executor(Engine& engine, IndexUpkeep upkeep = IndexUpkeep::WithItem,
                    StaleViews* stale_views = nullptr, WriteHolds holds = {},
                    Throttle* throttle = nullptr)
      : engine_(engine),
        upkeep_(upkeep),
        stale_views_(stale_views),
        holds_(holds),
        throttle_(throttle) {}

  // Each of the three may be refused by the throttle.

  // ErrorCode::TransactionConflict when the item is in an open transaction.
  Result<WriteOutcome> write(const WritePlan& plan, WriteWishes wishes, TimePoint now,
                             Version& depends_on);
  // Writes without conditions, to different items, in one commit. No outcome for those whose item
  // is in an open transaction or that are too much now: they were left out. The throttle's error if
  // all are too much.
  Result<std::vector<std::optional<WriteOutcome>>> write_batch(std::span<const WritePlan> plans,
                                                               TimePoint now, Version& depends_on);
  // All steps, to different items, or none, in one commit. ErrorCode::TransactionCanceled with a
  // reason for each step when a condition fails, an update is impossible or an item is busy: in
  // another open transaction, or being written. With a token the transaction happens once
  // (request_tokens.h).
  Result<TransactionOutcome> write_transaction(std::span<const WriteStep> steps,
                                               const std::optional<RequestToken>& token,
                                               TimePoint now, Version& depends_on);

  Result<GetOutcome> get(const TableSchema& table, const EncodedKey& key,
                         const ProjectionPaths* projection, const View* view, Version& depends_on);
  // Shows the item where it lies, if there is one.
  Result<void> get(const TableSchema& table, const EncodedKey& key,
                   FunctionRef<void(ItemView)> show, const View* view, Version& depends_on);
  // Many items as they were at one moment. ErrorCode::TransactionCanceled when one of them is busy.
  Result<std::vector<GetOutcome>> read_transaction(std::span<const ReadStep> steps,
                                                   Version& depends_on);
  Result<PageOutcome> read(const ReadPlan& plan, const View* view, Version& depends_on);

  // What a read looks at: a past moment if it may be stale; null for the present.
  std::shared_ptr<const View> view_for(bool consistent_read, TimePoint now) {
    return consistent_read || !stale_views_ ? nullptr : stale_views_->at(now);
  }

  // May this be read now? Reads ask before and tell afterwards what they used; writes do so by
  // themselves.
  Result<void> admit_read(const Throttle::Target& target, TimePoint now) {
    if (throttle_) [[unlikely]]
      return throttle_->admit(target, Access::Read, now);
    return {};
  }
  void charge_read(const Throttle::Target& target, double units, TimePoint now) {
    if (throttle_) [[unlikely]]
      throttle_->charge(target, Access::Read, units, now);
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
  // Adds the positions of items that single writes or batches are writing; what comes out ascends.
  void add_written(std::span<const ItemPlace> places, std::vector<std::size_t>& busy) const;

  // Adds the positions of writes that are too much now; charges for the others.
  Result<void> leave_out_throttled(std::span<const WritePlan> plans, TimePoint now,
                                   std::vector<std::size_t>& left_out);

  Engine& engine_;
  const IndexUpkeep upkeep_;
  StaleViews* const stale_views_;
  const WriteHolds holds_;
  Throttle* const throttle_;
  KeyLatches latches_;
  OpenTransactions open_transactions_;
  OpenBatches open_batches_;
};

}  // namespace partita
