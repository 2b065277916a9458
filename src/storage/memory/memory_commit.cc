#include "storage/memory/memory_commit.h"

namespace partita::memory {

MemoryCommit::MemoryCommit(std::span<const PartitionBatch> batches) : batches_(batches) {
  std::size_t edits = 0;
  for (const PartitionBatch& batch : batches_) edits += batch.edits.size();
  rows_.reserve(edits);
  for (const PartitionBatch& batch : batches_) {
    const Partition& partition = batch.partition;
    stripes_ |= StripeMask{1} << stripe_of(partition.hash);
    if (!batch.changes.empty()) lanes_ |= LaneMask{1} << lane_of(partition.hash);
    for (const Edit& edit : batch.edits) {
      removes_ |= !edit.value;
      puts_ |= edit.value.has_value();
      rows_.push_back(edit.value ? Row::make(partition.key, edit.key.sort, *edit.value)
                                 : Ref<Row>());
    }
  }
}

bool MemoryCommit::guards_hold(const Stripes& stripes) const {
  for (const PartitionBatch& batch : batches_) {
    if (batch.guards.empty()) continue;
    const Partition& partition = batch.partition;
    const SpacePart* part =
        find_part(stripes[stripe_of(partition.hash)].directory, partition.space);
    for (const Guard& guard : batch.guards) {
      const Row* row = part == nullptr ? nullptr : part->find(partition, guard.key);
      if ((row == nullptr ? 0 : row->version()) != guard.expected) return false;
    }
  }
  return true;
}

void MemoryCommit::append_changes(Lanes& lanes, Version version) const {
  for (const PartitionBatch& batch : batches_) {
    if (batch.changes.empty()) continue;
    auto& logs = lanes[lane_of(batch.partition.hash)].logs;
    for (const LoggedChange& change : batch.changes) {
      logs[change.log].append(version, change.record);
    }
  }
}

void MemoryCommit::apply(Stripes& stripes, Version version) {
  auto row = rows_.begin();
  for (const PartitionBatch& batch : batches_) {
    if (batch.edits.empty() && batch.delta == Size{}) continue;
    const Partition& partition = batch.partition;
    SpacePart& part = part_for_write(stripes[stripe_of(partition.hash)].directory, partition.space);
    for (const Edit& edit : batch.edits) {
      CowTree<Row>& rows = part.rows(edit.key.slot);
      if (*row) {
        (*row)->set_version(version);
        *row = rows.put(partition.hash, std::move(*row));
      } else {
        *row = rows.erase({partition.hash, partition.key, edit.key.sort});
      }
      ++row;
    }
    part.grow(batch.delta);
    if (batch.keeps_partition_size) part.grow_partition(partition, batch.delta);
  }
}

}  // namespace partita::memory
