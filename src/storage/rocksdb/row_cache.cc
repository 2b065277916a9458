#include "storage/rocksdb/row_cache.h"

#include <algorithm>
#include <cstring>
#include <functional>
#include <new>
#include <utility>

#include "storage/rocksdb/row_layout.h"

namespace partita {
namespace {

// A longer row costs so much to send that finding it does not matter.
constexpr std::size_t kValueBytesMax = 32 * 1024;
constexpr std::size_t kSweptAtATime = 16;

std::size_t hash_of(Bytes row_key) { return std::hash<Bytes>()(row_key); }

}  // namespace

CachedRow::CachedRow(Bytes row_key, std::size_t hash, Version version, Bytes value)
    : key_bytes_(static_cast<std::uint32_t>(row_key.size())),
      value_bytes_(static_cast<std::uint32_t>(value.size())),
      version_(version),
      hash_(hash) {
  char* const to = reinterpret_cast<char*>(this + 1);
  std::memcpy(to, row_key.data(), row_key.size());
  if (!value.empty()) std::memcpy(to + row_key.size(), value.data(), value.size());
}

// Null when there is no memory: a cache can do without.
CachedRow* CachedRow::make(Bytes row_key, std::size_t hash, Version version, Bytes value) {
  void* const room =
      ::operator new(sizeof(CachedRow) + row_key.size() + value.size(), std::nothrow);
  return room == nullptr ? nullptr : new (room) CachedRow(row_key, hash, version, value);
}

void CachedRow::destroy(CachedRow* row) {
  row->~CachedRow();
  ::operator delete(row);
}

std::size_t CachedRow::memory_bytes() const {
  constexpr std::size_t kBeside = 16 + 3 * sizeof(void*);  // the heap's own, bucket and ring
  return sizeof(CachedRow) + key_bytes_ + value_bytes_ + kBeside;
}

RowCache::~RowCache() {
  for (Part& part : parts_) {
    for (CachedRow* row : part.ring) release(row);
  }
}

RowCache::Found RowCache::find(std::uint64_t partition_hash, Bytes row_key) {
  const std::size_t hash = hash_of(row_key);
  Part& part = part_of(partition_hash);
  const std::lock_guard lock(part.mutex);
  Found found{.row = {}, .moment = part.moment};
  if (part.moment % 2 != 0) return found;
  CachedRow* const row = search(part, row_key, hash);
  if (row == nullptr) {
    ++part.misses;
    return found;
  }
  ++part.hits;
  row->used_ = true;
  found.row = Ref<CachedRow>::share(row);
  return found;
}

void RowCache::fill(std::uint64_t partition_hash, Bytes row_key, std::uint64_t moment,
                    Version version, Bytes value) {
  if (moment % 2 != 0) return;
  const std::size_t hash = hash_of(row_key);
  {
    Part& part = part_of(partition_hash);
    const std::lock_guard lock(part.mutex);
    if (part.moment != moment || search(part, row_key, hash) != nullptr) return;
    insert(part, row_key, hash, version, value);
  }
  make_room();
}

RowCache::Writing::Writing(RowCache& cache, std::span<const PartitionBatch> batches)
    : cache_(cache), batches_(batches) {
  for (const PartitionBatch& batch : batches_) {
    Part& part = cache_.part_of(batch.partition.hash);
    const std::lock_guard lock(part.mutex);
    if (part.moment % 2 == 0) ++part.moment;  // several batches may share a part
  }
}

RowCache::Writing::~Writing() {
  for (const PartitionBatch& batch : batches_) {
    Part& part = cache_.part_of(batch.partition.hash);
    const std::lock_guard lock(part.mutex);
    for (const Edit& edit : batch.edits) {
      if (edit.key.slot != Slot::Item) continue;
      const rocksdb_layout::RowKeyBytes row_key(batch.partition, edit.key);
      const std::size_t hash = hash_of(row_key.bytes());
      if (CachedRow* const old = search(part, row_key.bytes(), hash)) cache_.remove(part, old);
      if (version_ == 0) continue;
      cache_.insert(part, row_key.bytes(), hash, edit.value ? version_ : 0,
                    edit.value.value_or(Bytes()));
    }
    if (batches_.size() == 1) ++part.moment;
  }
  // A later batch may write to the part of an earlier one, so of several none is opened before.
  for (const PartitionBatch& batch : batches_.size() == 1 ? batches_.first(0) : batches_) {
    Part& part = cache_.part_of(batch.partition.hash);
    const std::lock_guard lock(part.mutex);
    if (part.moment % 2 != 0) ++part.moment;
  }
  cache_.make_room();
}

CachedRow** RowCache::bucket(Part& part, std::size_t hash) {
  return &part.buckets[hash & (part.buckets.size() - 1)];
}

CachedRow* RowCache::search(Part& part, Bytes row_key, std::size_t hash) {
  if (part.buckets.empty()) return nullptr;
  for (CachedRow* row = *bucket(part, hash); row != nullptr; row = row->next_) {
    if (row->hash_ == hash && row->key() == row_key) return row;
  }
  return nullptr;
}

void RowCache::insert(Part& part, Bytes row_key, std::size_t hash, Version version, Bytes value) {
  if (value.size() > kValueBytesMax) return;
  try {
    if (part.ring.size() == part.buckets.size()) grow(part);
    part.ring.reserve(part.buckets.size());
  } catch (const std::bad_alloc&) {
    return;
  }
  CachedRow* const row = CachedRow::make(row_key, hash, version, value);
  if (row == nullptr) return;
  CachedRow** const first = bucket(part, hash);
  row->next_ = *first;
  *first = row;
  row->place_ = static_cast<std::uint32_t>(part.ring.size());
  part.ring.push_back(row);
  bytes_.fetch_add(row->memory_bytes(), std::memory_order_relaxed);
}

void RowCache::remove(Part& part, CachedRow* row) {
  CachedRow** link = bucket(part, row->hash_);
  while (*link != row) link = &(*link)->next_;
  *link = row->next_;
  part.ring[row->place_] = part.ring.back();
  part.ring[row->place_]->place_ = row->place_;
  part.ring.pop_back();
  bytes_.fetch_sub(row->memory_bytes(), std::memory_order_relaxed);
  release(row);
}

void RowCache::grow(Part& part) {
  std::vector<CachedRow*> buckets(std::max<std::size_t>(16, 2 * part.buckets.size()));
  part.buckets.swap(buckets);
  for (CachedRow* row : part.ring) {
    CachedRow** const first = bucket(part, row->hash_);
    row->next_ = *first;
    *first = row;
  }
}

// The parts give way in turn, whichever of them grew: what is not read goes, wherever it is.
void RowCache::make_room() {
  for (std::size_t visited = 0;
       bytes_.load(std::memory_order_relaxed) > bytes_max_ && visited < 2 * parts_.size();
       ++visited) {
    sweep(parts_[next_swept_.fetch_add(1, std::memory_order_relaxed) % parts_.size()]);
  }
}

void RowCache::sweep(Part& part) {
  const std::lock_guard lock(part.mutex);
  for (std::size_t looked_at = 0; looked_at < kSweptAtATime && !part.ring.empty(); ++looked_at) {
    part.hand = part.hand < part.ring.size() ? part.hand : 0;
    CachedRow* const row = part.ring[part.hand];
    if (!std::exchange(row->used_, false)) return remove(part, row);
    ++part.hand;
  }
}

RowCache::Figures RowCache::figures() const {
  Figures sum{.bytes = bytes_.load(std::memory_order_relaxed), .bytes_max = bytes_max_};
  for (const Part& part : parts_) {
    const std::lock_guard lock(part.mutex);
    sum.hits += part.hits;
    sum.misses += part.misses;
  }
  return sum;
}

}  // namespace partita
