// SpacePart: what one stripe holds of one space, and Directory: all spaces of a stripe.
//
// A tree per slot, so that a scan of a table meets no index rows. The directory is itself a
// copy-on-write tree, by space id, so that a view of a stripe is one pointer however many tables
// there are.
#pragma once

#include <array>
#include <cstdint>
#include <new>

#include "base/ref.h"
#include "storage/engine.h"
#include "storage/memory/cow_tree.h"
#include "storage/memory/row.h"

namespace partita::memory {

// The sum of one partition's size deltas, in one allocation with its key. Kept while it is not
// zero.
class PartitionSize {
 public:
  static Ref<PartitionSize> make(Bytes key, Size size) {
    void* room = ::operator new(sizeof(PartitionSize) + key.size());
    return Ref<PartitionSize>::adopt(new (room) PartitionSize(key, size));
  }
  static void destroy(PartitionSize* object) {
    object->~PartitionSize();
    ::operator delete(object);
  }
  Bytes key() const { return {reinterpret_cast<const char*>(this + 1), key_bytes_}; }
  Bytes sort() const { return {}; }
  Size size() const { return size_; }
  void add(Size delta) { size_ += delta; }  // only as the sole owner

  ReferenceCount references;

 private:
  PartitionSize(Bytes key, Size size)
      : key_bytes_(static_cast<std::uint32_t>(key.size())), size_(size) {
    key.copy(reinterpret_cast<char*>(this + 1), key.size());
  }

  std::uint32_t key_bytes_;
  Size size_;
};

class SpacePart {
 public:
  static void destroy(SpacePart* part) { delete part; }
  Bytes key() const { return {}; }
  Bytes sort() const { return {}; }

  const CowTree<Row>& rows(Slot slot) const { return rows_[static_cast<std::size_t>(slot)]; }
  CowTree<Row>& rows(Slot slot) { return rows_[static_cast<std::size_t>(slot)]; }
  Row* find(const Partition& partition, const RowKey& key) const {
    return rows(key.slot).find({partition.hash, partition.key, key.sort});
  }

  Size size() const { return size_; }
  Size size(const Partition& partition) const;
  void grow(Size delta) { size_ += delta; }
  void grow_partition(const Partition& partition, Size delta);

  ReferenceCount references;

 private:
  std::array<CowTree<Row>, kSlotCount> rows_;
  CowTree<PartitionSize> partition_sizes_;
  Size size_;
};

using Directory = CowTree<SpacePart>;

// Null when the stripe holds nothing of the space.
inline const SpacePart* find_part(const Directory& directory, SpaceId space) {
  return directory.find_rank(space);
}
// Ours alone to change; made when missing.
SpacePart& part_for_write(Directory& directory, SpaceId space);

}  // namespace partita::memory
