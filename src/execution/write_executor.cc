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
  Throttle* const throttle = wishes.by_expiry ? nullptr : throttle_;  // expiry costs nothing
  if (throttle) [[unlikely]]
    PARTITA_CHECK(throttle->admit_write(plan, now));
  KeyLatches::One latch(latches_, place);
  if (open_transactions_.contains(place)) {
    return Error(ErrorCode::TransactionConflict, std::string(kTransactionOngoing));
  }
  latch.show_write();  // only now: of a write and a transaction that meet, one goes on
  hold(holds_.single);
  for (;;) {
    ItemChange change(plan, wishes, upkeep_);
    if (Result<void> prepared = change.prepare(engine_, now, depends_on); !prepared) {
      // A condition that fails is paid for like the write.
      if (throttle) throttle->charge_write(plan, {write_units(change.image_bytes()), {}}, now);
      return std::move(prepared).error();
    }
    if (throttle) [[unlikely]]
      PARTITA_CHECK(throttle->admit_indexes(plan.table(), change.charge(), now));
    if (change.stores()) {
      PARTITA_TRY(const bool done, happened(change.commit(engine_, now), depends_on));
      if (!done) continue;
    }
    WriteOutcome outcome = change.take_outcome();
    if (throttle) [[unlikely]]
      throttle->charge_write(plan, outcome.charge, now);
    return outcome;
  }
}

Result<std::vector<std::optional<WriteOutcome>>> Executor::write_batch(
    std::span<const WritePlan> plans, TimePoint now, Version& depends_on) {
  std::vector<ItemPlace> places;
  places.reserve(plans.size());
  for (const WritePlan& plan : plans) places.emplace_back(plan);
  const KeyLatches::Many latches(latches_, places);
  std::vector<std::size_t> left_out = open_transactions_.find_open(places);
  if (throttle_) [[unlikely]]
    PARTITA_CHECK(leave_out_throttled(plans, now, left_out));
  const OpenBatches::Batch open(open_batches_, places, left_out);
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
      if (std::binary_search(left_out.begin(), left_out.end(), i)) continue;
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

// One entry after the other takes what it needs, as if each came alone.
Result<void> Executor::leave_out_throttled(std::span<const WritePlan> plans, TimePoint now,
                                           std::vector<std::size_t>& left_out) {
  std::optional<Error> first;
  std::vector<std::size_t> all;
  Version ignored = 0;
  std::size_t throttled = 0;
  for (std::size_t i = 0; i < plans.size(); ++i) {
    if (std::binary_search(left_out.begin(), left_out.end(), i)) {
      all.push_back(i);
      continue;
    }
    ItemChange change(plans[i], WriteWishes(), upkeep_);
    Result<void> admitted = throttle_->admit_write(plans[i], now);
    if (admitted) {
      PARTITA_CHECK(change.prepare(engine_, now, ignored));
      admitted = throttle_->admit_indexes(plans[i].table(), change.charge(), now);
    }
    if (admitted) {
      throttle_->charge_write(plans[i], change.charge(), now);
      continue;
    }
    if (!first) first = std::move(admitted).error();
    all.push_back(i);
    ++throttled;
  }
  if (throttled == plans.size()) return *std::move(first);
  left_out = std::move(all);
  return {};
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
