// The write path: latch, read the previous row once, apply the plan, commit once.
#include <algorithm>
#include <array>

#include "execution/executor.h"
#include "execution/index_maintenance.h"

namespace partita {

namespace {

// The row as it was: always whether there is one and how large, its bytes only if somebody looks.
struct PreviousRow {
  Version version = 0;
  std::uint32_t size_bytes = 0;
  std::optional<Item> item;

  std::optional<ItemView> view() const {
    return item ? std::optional<ItemView>(*item) : std::nullopt;
  }
};

Result<PreviousRow> read_previous(Engine& engine, const Partition& partition, const RowKey& key,
                                  bool with_item) {
  PreviousRow previous;
  PARTITA_CHECK(engine.get(partition, std::span(&key, 1), nullptr, [&](const RowView& row) {
    const ItemView item(row.value);
    previous.version = row.version;
    previous.size_bytes = item.size_bytes();
    if (with_item) previous.item = Item(item);
    return true;
  }));
  return previous;
}

// One commit: the item's row, its index rows, the sizes they change, and a change record if one is
// given.
Result<Version> commit_item(Engine& engine, const WritePlan& plan, const PreviousRow& previous,
                            std::optional<ItemView> next, const std::vector<IndexChange>& changes,
                            const std::string& record, TimePoint now) {
  const RowKey row{Slot::Item, plan.key().sort};
  const Guard guard{row, previous.version};
  const Edit edit{row, next ? std::optional<Bytes>(next->bytes()) : std::nullopt};
  const Size delta{static_cast<std::int64_t>(next.has_value()) - (previous.version != 0 ? 1 : 0),
                   static_cast<std::int64_t>(next ? next->size_bytes() : 0) -
                       static_cast<std::int64_t>(previous.size_bytes)};
  PartitionBatch batch{
      plan.key().in(plan.table().space), std::span(&guard, 1), std::span(&edit, 1), {}, delta};
  const Bytes record_bytes = record;
  if (!record.empty()) batch.changes = std::span(&record_bytes, 1);
  if (changes.empty()) return engine.commit(std::span(&batch, 1), now);

  const IndexBatches index_batches(
      plan.key(), changes, record.empty() ? IndexBatches::Rows::All : IndexBatches::Rows::Local);
  std::vector<Edit> edits{edit};
  edits.insert(edits.end(), index_batches.local_edits().begin(), index_batches.local_edits().end());
  batch.edits = edits;
  std::vector<PartitionBatch> batches{batch};
  index_batches.append_to(batches);
  return engine.commit(batches, now);
}

}  // namespace

Result<WriteOutcome> Executor::write(const WritePlan& plan, WriteWishes wishes, TimePoint now,
                                     Version& depends_on) {
  const TableSchema& table = plan.table();
  const Partition partition = plan.key().in(table.space);
  const RowKey row{Slot::Item, plan.key().sort};
  const bool indexed = !table.local_indexes.empty() || !table.global_indexes.empty();
  const bool recorded = upkeep_ == IndexUpkeep::Followed;
  const bool with_item = plan.reads_previous() || indexed || wishes.previous || recorded;

  const auto latch = latches_.lock(partition, row.sort);
  for (;;) {
    PARTITA_TRY(PreviousRow previous, read_previous(engine_, partition, row, with_item));
    // What the answer tells of: the row that was there, or the removal that left nothing there.
    depends_on =
        std::max(depends_on, previous.version != 0 ? previous.version : engine_.last_removal());

    Item storage;
    Result<std::optional<ItemView>> applied = plan.apply(previous.view(), storage);
    if (!applied) {
      Error error = std::move(applied).error();
      if (error.code() == ErrorCode::ConditionalCheckFailed && wishes.item_of_failure &&
          previous.item) {
        error.set_item(*std::move(previous.item));
      }
      return error;
    }
    const std::optional<ItemView> next = *applied;

    std::vector<IndexChange> changes;
    if (indexed) {
      changes = index_changes(table, previous.view(), next);
      if (!recorded) PARTITA_CHECK(look_up_entries(engine_, LookUp::Unsettled, changes));
    }
    std::string record;
    if (recorded) record = encode_change({now, previous.view(), next});

    // Deleting what is not there, or removing from it, stores nothing.
    if (next || previous.version != 0) {
      Result<Version> committed = commit_item(engine_, plan, previous, next, changes, record, now);
      if (!committed) {
        if (committed.error().code() == ErrorCode::Conflict) continue;
        return std::move(committed).error();
      }
      depends_on = std::max(depends_on, *committed);
    }

    WriteOutcome outcome;
    outcome.charge.table_units =
        write_units(std::max<std::size_t>(previous.size_bytes, next ? next->size_bytes() : 0));
    charge_index_changes(changes, outcome.charge);
    if (wishes.next && next) outcome.next = Item(*next);
    if (wishes.previous) outcome.previous = std::move(previous.item);
    return outcome;
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
