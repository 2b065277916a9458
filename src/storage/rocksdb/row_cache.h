// RowCache: items read or written lately, so that another read of them does not search RocksDB's
// memtables and files again, and a guard needs no lookup. It also knows of rows that are not there.
//
// It is divided as the partition locks are, so each part has one writer at a time. From before a
// commit becomes visible until its rows are in the cache, the parts it writes to answer nothing and
// take nothing: whoever reads meanwhile asks RocksDB. So a reader never finds an older row here
// than it could have seen there.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "base/ref.h"
#include "storage/engine.h"
#include "storage/rocksdb/partition_locks.h"

namespace partita {

// A row in one allocation: this, its key, its value. Version 0: there is no such row.
class CachedRow {
 public:
  static CachedRow* make(Bytes row_key, std::size_t hash, Version version, Bytes value);
  static void destroy(CachedRow* row);

  Version version() const { return version_; }
  Bytes key() const { return {bytes(), key_bytes_}; }
  Bytes value() const { return {bytes() + key_bytes_, value_bytes_}; }
  std::size_t memory_bytes() const;

  ReferenceCount references;

 private:
  friend class RowCache;
  CachedRow(Bytes row_key, std::size_t hash, Version version, Bytes value);
  const char* bytes() const { return reinterpret_cast<const char*>(this + 1); }

  std::uint32_t key_bytes_;
  std::uint32_t value_bytes_;
  Version version_;
  // Guarded by the part it is in.
  std::size_t hash_;
  CachedRow* next_ = nullptr;  // of the same bucket
  std::uint32_t place_ = 0;    // in the part's ring
  bool used_ = false;          // since the hand went by
};

class RowCache {
 public:
  explicit RowCache(std::size_t bytes_max) : bytes_max_(bytes_max) {}
  ~RowCache();
  RowCache(const RowCache&) = delete;
  RowCache& operator=(const RowCache&) = delete;

  struct Found {
    Ref<CachedRow> row;        // null: not known here
    std::uint64_t moment = 0;  // for fill
  };
  Found find(std::uint64_t partition_hash, Bytes row_key);

  // What RocksDB answered to a reader that found nothing here, unless somebody wrote since.
  void fill(std::uint64_t partition_hash, Bytes row_key, std::uint64_t moment, Version version,
            Bytes value);

  // A commit under way, by a writer that holds the locks of these partitions.
  class Writing {
   public:
    Writing(RowCache& cache, std::span<const PartitionBatch> batches);
    // Without committed(): forgets what the commit wrote to, as nobody knows how far it came.
    ~Writing();
    Writing(const Writing&) = delete;
    Writing& operator=(const Writing&) = delete;

    void committed(Version version) { version_ = version; }

   private:
    RowCache& cache_;
    const std::span<const PartitionBatch> batches_;
    Version version_ = 0;
  };

  struct Figures {
    std::uint64_t hits = 0;
    std::uint64_t misses = 0;
    std::uint64_t bytes = 0;
    std::uint64_t bytes_max = 0;
  };
  Figures figures() const;

 private:
  struct alignas(64) Part {
    mutable std::mutex mutex;
    std::uint64_t moment = 0;  // odd while a commit is under way
    std::vector<CachedRow*> buckets;
    std::vector<CachedRow*> ring;
    std::size_t hand = 0;
    std::uint64_t hits = 0;
    std::uint64_t misses = 0;
  };

  Part& part_of(std::uint64_t partition_hash) {
    return parts_[PartitionLocks::stripe_of(partition_hash)];
  }
  static CachedRow** bucket(Part& part, std::size_t hash);
  static CachedRow* search(Part& part, Bytes row_key, std::size_t hash);
  void insert(Part& part, Bytes row_key, std::size_t hash, Version version, Bytes value);
  void remove(Part& part, CachedRow* row);
  static void grow(Part& part);
  void make_room();
  void sweep(Part& part);

  const std::size_t bytes_max_;
  std::atomic<std::size_t> bytes_{0};
  std::atomic<std::size_t> next_swept_{0};
  std::unique_ptr<std::array<Part, PartitionLocks::kStripeCount>> owned_ =
      std::make_unique<std::array<Part, PartitionLocks::kStripeCount>>();
  std::array<Part, PartitionLocks::kStripeCount>& parts_ = *owned_;
};

}  // namespace partita
