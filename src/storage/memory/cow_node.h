// CowNode: a node of the copy-on-write B+tree in cow_tree.h.
//
// Entries are ordered by (rank, key, sort). The rank, a partition's hash, lies in the node itself,
// so a search touches a row only where ranks are equal. A node is one allocation that grows with
// its entries, since a space of few rows is spread over all stripes:
//
//   leaf  := header { rank }*capacity { item pointer }*capacity
//   inner := header { rank }*capacity { child pointer }*capacity { separator pointer }*capacity
//
// Child i holds what is at or beyond separator i and before separator i + 1; the first separator of
// a node is never looked at. A separator is (rank, key, sort), and without key and sort where the
// rank alone tells the two sides apart.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <new>

#include "base/ref.h"
#include "storage/engine.h"

namespace partita::memory {

// A place between entries: just before or just beyond (rank, key, sort), or behind all of the key.
enum class Reach : std::uint8_t { Before, Beyond, EndOfKey };
struct Position {
  std::uint64_t rank = 0;
  Bytes key;
  Bytes sort;
  Reach reach = Reach::Before;
};

// The key and sort of a separator, or of anything else that has them, against a position of the
// same rank. Negative: lies before the position.
template <typename Keyed>
int compare_keys(const Keyed& keyed, const Position& position) {
  if (const int order = keyed.key().compare(position.key); order != 0) return order;
  if (position.reach == Reach::EndOfKey) return -1;
  return keyed.sort().compare(position.sort);
}

// Key bytes that outlive the row they were taken from.
class Separator {
 public:
  static Separator* make(Bytes key, Bytes sort) {
    void* room = ::operator new(sizeof(Separator) + key.size() + sort.size());
    return new (room) Separator(key, sort);
  }
  static void destroy(Separator* separator) {
    separator->~Separator();
    ::operator delete(separator);
  }
  Bytes key() const { return {reinterpret_cast<const char*>(this + 1), key_bytes_}; }
  Bytes sort() const { return {key().data() + key_bytes_, sort_bytes_}; }

  ReferenceCount references;

 private:
  Separator(Bytes key, Bytes sort)
      : key_bytes_(static_cast<std::uint32_t>(key.size())),
        sort_bytes_(static_cast<std::uint32_t>(sort.size())) {
    char* to = reinterpret_cast<char*>(this + 1);
    key.copy(to, key.size());
    sort.copy(to + key.size(), sort.size());
  }

  std::uint32_t key_bytes_;
  std::uint32_t sort_bytes_;
};

// T has key(), sort(), a member `references` and a static destroy.
template <typename T>
class alignas(std::uint64_t) CowNode {  // its arrays follow it
 public:
  // A leaf is copied with a count for every row it points to, which are far apart in memory.
  static constexpr unsigned kLeafEntriesMax = 32;
  static constexpr unsigned kInnerEntriesMax = 64;

  static CowNode* make(unsigned level, unsigned entries) {
    const unsigned capacity = room_for(entries);
    const std::size_t bytes = sizeof(CowNode) + capacity * (level == 0 ? 16 : 24);
    return new (::operator new(bytes)) CowNode(level, capacity);
  }
  // Another node with the same entries, which both then own.
  static CowNode* copy(const CowNode& node) {
    CowNode* made = make(node.level_, node.count_);
    made->take(node, 0, node.count_);
    made->for_each_pointer([](auto* pointer) {
      if (pointer != nullptr) pointer->references.retain();
    });
    return made;
  }
  static void destroy(CowNode* node) {
    node->for_each_pointer([](auto* pointer) { release(pointer); });
    free_shell(node);
  }
  // Frees a node whose entries were moved elsewhere.
  static void free_shell(CowNode* node) {
    node->~CowNode();
    ::operator delete(node);
  }

  bool leaf() const { return level_ == 0; }
  unsigned level() const { return level_; }
  unsigned count() const { return count_; }
  unsigned capacity() const { return capacity_; }
  unsigned entries_max() const { return leaf() ? kLeafEntriesMax : kInnerEntriesMax; }

  std::uint64_t* ranks() { return reinterpret_cast<std::uint64_t*>(this + 1); }
  T** items() { return reinterpret_cast<T**>(ranks() + capacity_); }
  CowNode** children() { return reinterpret_cast<CowNode**>(ranks() + capacity_); }
  Separator** separators() { return reinterpret_cast<Separator**>(children() + capacity_); }
  const std::uint64_t* ranks() const { return const_cast<CowNode*>(this)->ranks(); }
  T* const* items() const { return const_cast<CowNode*>(this)->items(); }
  CowNode* const* children() const { return const_cast<CowNode*>(this)->children(); }
  Separator* const* separators() const { return const_cast<CowNode*>(this)->separators(); }

  // Index of the leaf's first item that does not lie before the position, and whether it is the one
  // at the position.
  struct Found {
    unsigned index;
    bool exact;
  };
  Found find(const Position& position) const {
    unsigned low = first_rank(0, position.rank);
    unsigned high = end_of_rank(low, position.rank);
    while (low < high) {
      const unsigned middle = low + (high - low) / 2;
      const int order = compare_keys(*items()[middle], position);
      if (order == 0) {
        return position.reach == Reach::Before ? Found{middle, true} : Found{middle + 1, false};
      }
      (order < 0 ? low : high) = order < 0 ? middle + 1 : middle;
    }
    return {low, false};
  }

  // Index of the leaf's entry with this rank, or count(). For trees in which ranks are unique.
  unsigned find_rank(std::uint64_t rank) const {
    const unsigned index = first_rank(0, rank);
    return index < count_ && ranks()[index] == rank ? index : count_;
  }

  // Index of the child in which the position lies.
  unsigned child_at(const Position& position) const {
    unsigned low = first_rank(1, position.rank);
    unsigned high = end_of_rank(low, position.rank);
    while (low < high) {
      const unsigned middle = low + (high - low) / 2;
      const Separator* separator = separators()[middle];
      if (separator == nullptr || compare_keys(*separator, position) <= 0) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low - 1;
  }

  // Opens a gap in front of an entry. There must be room.
  void open(unsigned index) {
    for_each_array([&](auto* entries) {
      std::memmove(entries + index + 1, entries + index, (count_ - index) * sizeof(*entries));
    });
    ++count_;
  }
  // Closes the gap of an entry whose pointers were taken out.
  void close(unsigned index) {
    --count_;
    for_each_array([&](auto* entries) {
      std::memmove(entries + index, entries + index + 1, (count_ - index) * sizeof(*entries));
    });
  }
  // Appends entries of another node, which must forget or share them.
  void take(const CowNode& from, unsigned begin, unsigned end) {
    const unsigned taken = end - begin;
    std::memcpy(ranks() + count_, from.ranks() + begin, taken * sizeof(std::uint64_t));
    std::memcpy(items() + count_, from.items() + begin, taken * sizeof(T*));
    if (!leaf()) {
      std::memcpy(separators() + count_, from.separators() + begin, taken * sizeof(Separator*));
    }
    count_ = static_cast<std::uint16_t>(count_ + taken);
  }
  void forget_from(unsigned index) { count_ = static_cast<std::uint16_t>(index); }

  ReferenceCount references;

 private:
  CowNode(unsigned level, unsigned capacity)
      : capacity_(static_cast<std::uint16_t>(capacity)), level_(static_cast<std::uint8_t>(level)) {}

  static unsigned room_for(unsigned entries) { return entries <= 4 ? 4 : (entries + 7) / 8 * 8; }

  // First index from `low` on whose rank is not smaller.
  unsigned first_rank(unsigned low, std::uint64_t rank) const {
    const std::uint64_t* base = ranks() + low;
    unsigned length = count_ - low;
    while (length > 1) {  // compiles to conditional moves
      const unsigned half = length / 2;
      base += base[half - 1] < rank ? half : 0;
      length -= half;
    }
    return static_cast<unsigned>(base - ranks()) + (length == 1 && *base < rank ? 1 : 0);
  }
  // First index from `low` on whose rank is greater, where none before it is smaller.
  unsigned end_of_rank(unsigned low, std::uint64_t rank) const {
    if (low == count_ || ranks()[low] != rank) return low;
    if (low + 1 == count_ || ranks()[low + 1] != rank) return low + 1;  // one row to a partition
    return static_cast<unsigned>(std::upper_bound(ranks() + low, ranks() + count_, rank) - ranks());
  }

  template <typename Use>
  void for_each_array(Use use) {
    use(ranks());
    use(items());
    if (!leaf()) use(separators());
  }
  template <typename Use>
  void for_each_pointer(Use use) {
    for (unsigned i = 0; i < count_; ++i) {
      if (leaf()) {
        use(items()[i]);
      } else {
        use(children()[i]);
        use(separators()[i]);
      }
    }
  }

  std::uint16_t count_ = 0;
  std::uint16_t capacity_;
  std::uint8_t level_;  // 0: a leaf
};

}  // namespace partita::memory
