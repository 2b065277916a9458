#include "execution/item_change.h"

#include <algorithm>

#include "execution/change_record.h"

namespace partita {

Result<void> ItemChange::read_previous(Engine& engine, bool with_item) {
  const RowKey key = place_.row();
  return engine.get(place_.partition, std::span(&key, 1), nullptr, [&](const RowView& row) {
    const ItemView item(row.value);
    previous_.version = row.version;
    previous_.size_bytes = item.size_bytes();
    if (with_item) previous_.item = Item(item);
    return true;
  });
}

Result<void> ItemChange::prepare(Engine& engine, TimePoint now, Version& depends_on) {
  const TableSchema& table = plan_.table();
  const bool indexed = plan_.writes() && table.has_indexes();
  const bool followed = plan_.writes() && upkeep_ == IndexUpkeep::Followed;
  const bool streamed = plan_.writes() && table.stream_space != 0;
  PARTITA_CHECK(read_previous(
      engine, plan_.reads_previous() || indexed || followed || streamed || wishes_.previous));
  // What the answer tells of: the row that was there, or the removal that left nothing there.
  depends_on =
      std::max(depends_on, previous_.version != 0 ? previous_.version : engine.last_removal());

  Result<std::optional<ItemView>> applied = plan_.apply(previous_.view(), storage_);
  if (!applied) {
    Error error = std::move(applied).error();
    if (error.code() == ErrorCode::ConditionalCheckFailed && wishes_.item_of_failure &&
        previous_.item) {
      error.set_item(*std::move(previous_.item));
    }
    return error;
  }
  next_ = *applied;
  if (indexed) {
    index_changes_ = index_changes(table, plan_.key(), previous_.view(), next_);
    if (!followed) PARTITA_CHECK(look_up_entries(engine, LookUp::Unsettled, index_changes_));
  }
  followed_ = followed && stores();
  // A write that leaves the item as it was is no change to a stream.
  streamed_ = streamed && stores() && previous_.view() != next_;
  if (followed_ || streamed_) {
    record_ = encode_change({now, previous_.view(), next_, wishes_.by_expiry});
  }
  return {};
}

Size ItemChange::delta() const {
  return {static_cast<std::int64_t>(next_.has_value()) - (previous_.version != 0 ? 1 : 0),
          static_cast<std::int64_t>(next_ ? next_->size_bytes() : 0) -
              static_cast<std::int64_t>(previous_.size_bytes)};
}

// The item's row and its guard, without index rows.
PartitionBatch ItemChange::own_batch() {
  guard_ = {place_.row(), previous_.version};
  if (!stores()) return {place_.partition, std::span(&guard_, 1), {}, {}, {}};
  edit_ = {place_.row(), next_ ? std::optional<Bytes>(next_->bytes()) : std::nullopt};
  PartitionBatch batch{place_.partition, std::span(&guard_, 1), std::span(&edit_, 1), {}, delta()};
  // The size of an item collection is told and limited only where there are local indexes.
  batch.keeps_partition_size = !plan_.table().local_indexes.empty();
  std::size_t logs = 0;
  if (followed_) logged_[logs++] = {place_.partition.space, record_};
  if (streamed_) logged_[logs++] = {plan_.table().stream_space, record_};
  batch.changes = std::span(logged_.data(), logs);
  return batch;
}

Result<Version> ItemChange::commit(Engine& engine, TimePoint now) {
  if (index_changes_.empty()) {
    const PartitionBatch batch = own_batch();
    return engine.commit(std::span(&batch, 1), now);
  }
  std::vector<PartitionBatch> batches;
  batches.reserve(1 + 2 * index_changes_.size());
  append_to(batches);
  return engine.commit(batches, now);
}

void ItemChange::append_to(std::vector<PartitionBatch>& batches) {
  const std::size_t own = batches.size();
  batches.push_back(own_batch());
  if (index_changes_.empty()) return;
  index_batches_.emplace(plan_.key(), index_changes_,
                         followed_ ? IndexBatches::Rows::Local : IndexBatches::Rows::All, batches);
  const std::vector<Edit>& local_edits = index_batches_->local_edits();
  if (!local_edits.empty()) {
    edits_.assign(1, edit_);
    edits_.insert(edits_.end(), local_edits.begin(), local_edits.end());
    batches[own].edits = edits_;
  }
}

std::uint32_t ItemChange::image_bytes() const {
  return std::max(previous_.size_bytes, next_ ? next_->size_bytes() : 0);
}

Charge ItemChange::charge() const {
  Charge charge;
  charge.table_units = write_units(image_bytes());
  charge_index_changes(index_changes_, charge);
  return charge;
}

WriteOutcome ItemChange::take_outcome() {
  WriteOutcome outcome;
  outcome.charge = charge();
  if (wishes_.next && next_) outcome.next = Item(*next_);
  if (wishes_.previous) outcome.previous = std::move(previous_.item);
  return outcome;
}

}  // namespace partita
