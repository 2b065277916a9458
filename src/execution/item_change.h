// ItemChange: one item of a write, from the row it found to the rows it commits.
//
// PutItem has one, a batch or a transaction many; what is done with each is the same.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "partita/item.h"
#include "partita/result.h"

#include "base/clock.h"
#include "execution/index_maintenance.h"
#include "execution/item_place.h"
#include "execution/write_outcome.h"
#include "plan/write_plan.h"
#include "storage/engine.h"

namespace partita {

// Stays where it is made: what it commits borrows from it.
class ItemChange {
 public:
  // The plan must outlive the change.
  ItemChange(const WritePlan& plan, WriteWishes wishes, IndexUpkeep upkeep)
      : plan_(plan), wishes_(wishes), upkeep_(upkeep), place_(plan) {}
  ItemChange(const ItemChange&) = delete;
  ItemChange& operator=(const ItemChange&) = delete;

  // Reads the row as it is and applies the plan to it. `depends_on` rises to what was seen, also
  // when the plan's condition fails.
  Result<void> prepare(Engine& engine, TimePoint now, Version& depends_on);

  // Deleting what is not there, removing from it, and checking store nothing.
  bool stores() const { return plan_.writes() && (next_ || previous_.version != 0); }

  // Alone in a commit of its own.
  Result<Version> commit(Engine& engine, TimePoint now);
  // As parts of a larger commit; the guard is one of them even when nothing is stored.
  void append_to(std::vector<PartitionBatch>& batches);

  Charge charge() const;
  WriteOutcome take_outcome();
  // The larger of the item before and after.
  std::uint32_t image_bytes() const;

 private:
  // The row as it was: always whether there is one and how large, its bytes only if somebody looks.
  struct PreviousRow {
    Version version = 0;
    std::uint32_t size_bytes = 0;
    std::optional<Item> item;

    std::optional<ItemView> view() const {
      return item ? std::optional<ItemView>(*item) : std::nullopt;
    }
  };

  Result<void> read_previous(Engine& engine, bool with_item);
  Size delta() const;
  PartitionBatch own_batch();

  const WritePlan& plan_;
  WriteWishes wishes_;
  IndexUpkeep upkeep_;
  ItemPlace place_;
  PreviousRow previous_;
  Item storage_;                  // what an update made
  std::optional<ItemView> next_;  // borrows from the plan, the previous row or `storage_`
  std::vector<IndexChange> index_changes_;
  bool followed_ = false;  // by the global indexes, which come later
  bool streamed_ = false;
  std::string record_;  // for whoever follows a change log

  // As the commit wants them.
  Guard guard_;
  Edit edit_;
  std::array<LoggedChange, 2> logged_;
  std::vector<Edit> edits_;  // with those of local indexes
  std::optional<IndexBatches> index_batches_;
};

}  // namespace partita
