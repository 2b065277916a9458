// Key latches: writes to one item take turns, so that reading, deciding and committing is one step.
//
// A fixed number of stripes; two items may share one, which costs a short wait and nothing else.
// The engine's guards stay the final word (engine.h): latches only make their failure rare.
//
// A stripe also tells which item its holder is writing, so that transactions can be told of it. It
// is the item's hash, all of it: unlike a stripe it is practically never another item's.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <span>
#include <vector>

#include "execution/item_place.h"

namespace partita {

class KeyLatches {
  struct Stripe;

 public:
  // That of one item.
  class One {
   public:
    One(KeyLatches& latches, const ItemPlace& place)
        : hash_(place.hash()), stripe_(latches.stripes_[stripe_of(hash_)]), lock_(stripe_.mutex) {}
    ~One() { stripe_.written.store(kNothing, std::memory_order_relaxed); }
    One(const One&) = delete;
    One& operator=(const One&) = delete;

    // From here on until the end the item is being written, as others see it.
    void show_write() { stripe_.written.store(shown(hash_), std::memory_order_relaxed); }

   private:
    std::size_t hash_;
    Stripe& stripe_;
    std::lock_guard<std::mutex> lock_;
  };

  // Has somebody shown that the item is being written? Says nothing of who holds Many.
  bool shows_write(const ItemPlace& place) const {
    const std::size_t hash = place.hash();
    return stripes_[stripe_of(hash)].written.load(std::memory_order_relaxed) == shown(hash);
  }

  // Those of many items, always in the same order, so that no two callers wait for each other.
  class Many {
   public:
    Many(KeyLatches& latches, std::span<const ItemPlace> places) : latches_(latches) {
      held_.reserve(places.size());
      for (const ItemPlace& place : places) held_.push_back(stripe_of(place.hash()));
      std::sort(held_.begin(), held_.end());
      held_.erase(std::unique(held_.begin(), held_.end()), held_.end());
      for (const std::uint16_t stripe : held_) latches_.stripes_[stripe].mutex.lock();
    }
    ~Many() {
      for (const std::uint16_t stripe : held_) latches_.stripes_[stripe].mutex.unlock();
    }
    Many(const Many&) = delete;
    Many& operator=(const Many&) = delete;

   private:
    KeyLatches& latches_;
    std::vector<std::uint16_t> held_;
  };

 private:
  static constexpr std::size_t kStripes = 1024;
  static constexpr std::size_t kNothing = 0;
  struct alignas(64) Stripe {  // a cache line each: neighbours do not slow each other down
    std::mutex mutex;
    std::atomic<std::size_t> written = kNothing;  // changed by the holder alone
  };
  static std::uint16_t stripe_of(std::size_t hash) {
    return static_cast<std::uint16_t>(hash % kStripes);
  }
  static std::size_t shown(std::size_t hash) { return hash | 1; }  // never kNothing

  std::array<Stripe, kStripes> stripes_;
};

}  // namespace partita
