// OpenTransactions: the items and tokens of transactions that have begun and not ended.
//
// It is what makes conflicts as they are on AWS: a write that meets an item of an open transaction
// is told so, and so is a second transaction. It does not keep transactions apart, latches and
// guards do; whoever is not told here is merely early or late.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <mutex>
#include <span>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "execution/item_place.h"

namespace partita {

class OpenTransactions {
  // One item of a transaction, in the list of its bucket.
  struct Entry {
    const ItemPlace* place;
    Entry* next;
  };

 public:
  // Nearly always nothing is open, and asking so costs one load.
  bool any() const { return open_.load(std::memory_order_relaxed) != 0; }
  bool contains(const ItemPlace& place) const { return any() && find(place); }
  // Positions in `places` of items that are in an open transaction, ascending.
  std::vector<std::size_t> find_open(std::span<const ItemPlace> places) const;

  // One transaction, open from its first claim until it is destroyed. Borrows what it claims.
  class Transaction {
   public:
    explicit Transaction(OpenTransactions& all) : all_(all) {}
    ~Transaction();
    Transaction(const Transaction&) = delete;
    Transaction& operator=(const Transaction&) = delete;

    // False when a transaction with this token is open.
    bool claim_token(std::string_view token);
    // All of the items or, if some are in another open transaction, none: then their positions.
    std::vector<std::size_t> claim(std::span<const ItemPlace> places);

   private:
    OpenTransactions& all_;
    std::string_view token_;
    std::vector<Entry> entries_;  // stays where it is while claimed
  };

 private:
  static constexpr std::size_t kBuckets = 1024;

  Entry*& bucket_of(const ItemPlace& place) { return buckets_[place.hash() % kBuckets]; }
  bool find(const ItemPlace& place) const;
  bool find_locked(const ItemPlace& place) const;
  std::vector<std::size_t> find_locked(std::span<const ItemPlace> places) const;

  std::atomic<std::size_t> open_ = 0;  // transactions that have claimed items
  mutable std::mutex mutex_;           // guards what follows
  // A hash table whose entries are the transactions': they come and go too often for one that
  // allocates.
  std::array<Entry*, kBuckets> buckets_{};
  std::unordered_set<std::string_view> tokens_;
};

}  // namespace partita
