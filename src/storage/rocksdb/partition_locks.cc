#include "storage/rocksdb/partition_locks.h"

#include <algorithm>

namespace partita {

PartitionLocks::Held::Held(PartitionLocks& locks, std::span<const PartitionBatch> batches)
    : locks_(locks) {
  if (batches.empty()) {
    // A commit of nothing still takes a lock; it needs no case of its own.
  } else if (batches.size() == 1) {
    first_ = stripe_of(batches[0].partition.hash);
  } else {
    for (const PartitionBatch& batch : batches) {
      others_.push_back(stripe_of(batch.partition.hash));
    }
    std::sort(others_.begin(), others_.end());
    others_.erase(std::unique(others_.begin(), others_.end()), others_.end());
    first_ = others_.front();
    others_.erase(others_.begin());
  }
  locks_.stripes_[first_].lock();
  for (const std::size_t stripe : others_) locks_.stripes_[stripe].lock();
}

PartitionLocks::Held::~Held() {
  for (const std::size_t stripe : others_) locks_.stripes_[stripe].unlock();
  locks_.stripes_[first_].unlock();
}

}  // namespace partita
