#include "storage/rocksdb/partition_locks.h"

#include <algorithm>
#include <functional>

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
  (*locks_.stripes_)[first_].mutex.lock();
  for (const std::size_t stripe : others_) (*locks_.stripes_)[stripe].mutex.lock();
}

PartitionLocks::Held::~Held() {
  for (const std::size_t stripe : others_) (*locks_.stripes_)[stripe].mutex.unlock();
  (*locks_.stripes_)[first_].mutex.unlock();
}

std::size_t PartitionLocks::place_of(Bytes row_key) {
  return std::hash<Bytes>()(row_key) % kRecentCount;
}

std::optional<Version> PartitionLocks::recent(std::uint64_t partition_hash, Bytes row_key) const {
  const Recent& entry = (*stripes_)[stripe_of(partition_hash)].recent[place_of(row_key)];
  if (entry.row_key != row_key) return std::nullopt;
  return entry.version;
}

void PartitionLocks::remember(std::uint64_t partition_hash, Bytes row_key, Version version) {
  if (row_key.size() > kRecentKeyBytesMax) return;
  Recent& entry = (*stripes_)[stripe_of(partition_hash)].recent[place_of(row_key)];
  entry.row_key.assign(row_key);
  entry.version = version;
}

}  // namespace partita
