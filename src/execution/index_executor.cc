// Index rows that are not written with their item: those of a new index, and those that follow the
// change log.
#include "execution/executor.h"
#include "execution/index_maintenance.h"

namespace partita {

Result<void> Executor::fill_index(const TableSchema& table, const IndexSchema& index,
                                  const EncodedKey& key, TimePoint now) {
  const ItemPlace place(table, key);
  const Partition& partition = place.partition;
  const RowKey row_key = place.row();
  const KeyLatches::One latch(latches_, place);
  for (;;) {
    Guard guard{row_key, 0};
    Item item;
    PARTITA_CHECK(engine_.get(partition, std::span(&row_key, 1), nullptr, [&](const RowView& row) {
      guard.expected = row.version;
      item = Item(ItemView(row.value));
      return true;
    }));
    if (guard.expected == 0) return {};  // deleted since it was found
    auto change = new_entry(table, index, key, item);
    if (!change) return {};
    std::vector<IndexChange> changes;
    changes.push_back(*std::move(change));
    PARTITA_CHECK(look_up_entries(engine_, LookUp::All, changes));
    if (changes[0].stored[0].version != 0) return {};  // whoever wrote the item wrote this too

    std::vector<PartitionBatch> batches{{partition, std::span(&guard, 1), {}, {}, {}}};
    const IndexBatches index_batches(key, changes, IndexBatches::Rows::Global, batches);
    Version version = 0;  // nobody waits for it
    PARTITA_TRY(const bool done, happened(engine_.commit(batches, now), version));
    if (done) return {};
  }
}

Result<void> Executor::apply_change(const TableSchema& table, const ChangeRecord& change,
                                    const FollowerProgress& progress, ChangePosition position,
                                    TimePoint now) {
  if (!change.before && !change.after) return {};
  PARTITA_TRY(const EncodedKey key,
              key_of_item(table.key, change.after ? *change.after : *change.before));
  std::vector<IndexChange> changes = index_changes(table, key, change.before, change.after);
  const std::string encoded = FollowerProgress::encode(position);
  const Edit note = progress.edit(encoded);
  for (;;) {
    PARTITA_CHECK(look_up_entries(engine_, LookUp::All, changes));
    std::vector<PartitionBatch> batches{{progress.partition(), {}, std::span(&note, 1), {}, {}}};
    const IndexBatches index_batches({}, changes, IndexBatches::Rows::Global, batches);
    Version version = 0;  // nobody waits for it
    PARTITA_TRY(const bool done, happened(engine_.commit(batches, now), version));
    if (done) return {};
  }
}

}  // namespace partita
