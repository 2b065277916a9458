// The write path: latch, read the previous row once, apply the plan, commit once.
#include <algorithm>
#include <array>
#include <list>
#include <memory_resource>

#include "execution/cancellation.h"
#include "execution/executor.h"
#include "execution/item_change.h"

namespace partita {

Result<bool> happened(Result<Version> committed, Version& depends_on) {
  if (committed) {
    depends_on = std::max(depends_on, *committed);
    return true;
  }
  if (committed.error().code() == ErrorCode::Conflict) return false;
  return std::move(committed).error();
}

Result<WriteOutcome> Executor::write(const WritePlan& plan, WriteWishes wishes, TimePoint now,
                                     Version& depends_on) {
  const ItemPlace place(plan);
  KeyLatches::One latch(latches_, place);
  if (open_transactions_.contains(place)) {
    return Error(ErrorCode::TransactionConflict, std::string(kTransactionOngoing));
  }
  latch.show_write();  // only now: of a write and a transaction that meet, one goes on
  hold(holds_.single);
  for (;;) {
    ItemChange change(plan, wishes, upkeep_);
    PARTITA_CHECK(change.prepare(engine_, now, depends_on));
    if (change.stores()) {
      PARTITA_TRY(const bool done, happened(change.commit(engine_, now), depends_on));
      if (!done) continue;
    }
    return change.take_outcome();
  }
}

Result<std::vector<std::optional<WriteOutcome>>> Executor::write_batch(
    std::span<const WritePlan> plans, TimePoint now, Version& depends_on) {
  std::vector<ItemPlace> places;
  places.reserve(plans.size());
  for (const WritePlan& plan : plans) places.emplace_back(plan);
  const KeyLatches::Many latches(latches_, places);
  const std::vector<std::size_t> busy = open_transactions_.find_open(places);
  const OpenBatches::Batch open(open_batches_, places, busy);
  hold(holds_.single);

  std::vector<PartitionBatch> batches;
  batches.reserve(plans.size());
  for (;;) {
    std::array<std::byte, 12 * 1024> room;  // enough for 25 items
    std::pmr::monotonic_buffer_resource memory(room.data(), room.size());
    std::pmr::list<ItemChange> changes(&memory);
    std::vector<std::optional<WriteOutcome>> outcomes(plans.size());
    batches.clear();
    for (std::size_t i = 0; i < plans.size(); ++i) {
      if (std::binary_search(busy.begin(), busy.end(), i)) continue;
      ItemChange& change = changes.emplace_back(plans[i], WriteWishes(), upkeep_);
      PARTITA_CHECK(change.prepare(engine_, now, depends_on));
      if (change.stores()) change.append_to(batches);
      outcomes[i] = change.take_outcome();
    }
    if (!batches.empty()) {
      PARTITA_TRY(const bool done, happened(engine_.commit(batches, now), depends_on));
      if (!done) continue;
    }
    return outcomes;
  }
}

Result<std::int64_t> Executor::collection_bytes(const TableSchema& table, const EncodedKey& key) {
  const Partition partition = key.in(table.space);
  PARTITA_TRY(Size size, engine_.size(table.space, &partition));
  for (const IndexSchema& index : table.local_indexes) {
    const Partition entries = key.in(index.space);
    PARTITA_TRY(const Size index_size, engine_.size(index.space, &entries));
    size.bytes += index_size.bytes;
  }
  return size.bytes;
}

}  // namespace partita
