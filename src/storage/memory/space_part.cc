#include "storage/memory/space_part.h"

namespace partita::memory {

Size SpacePart::size(const Partition& partition) const {
  const PartitionSize* found = partition_sizes_.find({partition.hash, partition.key, {}});
  return found == nullptr ? Size{} : found->size();
}

void SpacePart::grow_partition(const Partition& partition, Size delta) {
  if (delta == Size{}) return;
  const Position position{partition.hash, partition.key, {}};
  PartitionSize** found = partition_sizes_.find_for_write(position);
  if (found == nullptr) {
    partition_sizes_.put(partition.hash, PartitionSize::make(partition.key, delta));
    return;
  }
  if (!(*found)->references.sole()) {
    PartitionSize* shared = *found;
    *found = PartitionSize::make(partition.key, shared->size()).detach();
    release(shared);
  }
  (*found)->add(delta);
  if ((*found)->size() == Size{}) partition_sizes_.erase(position);
}

SpacePart& part_for_write(Directory& directory, SpaceId space) {
  SpacePart** found = directory.find_rank_for_write(space);
  if (found == nullptr) {
    auto* made = new SpacePart;
    directory.put(space, Ref<SpacePart>::adopt(made));
    return *made;
  }
  if (!(*found)->references.sole()) {
    SpacePart* shared = *found;
    *found = new SpacePart(*shared);
    release(shared);
  }
  return **found;
}

}  // namespace partita::memory
