// Key latches: writes to one item take turns, so that reading, deciding and committing is one step.
//
// A fixed number of stripes; two items may share one, which costs a short wait and nothing else.
// The engine's guards stay the final word (engine.h): latches only make their failure rare.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <span>
#include <vector>

#include "execution/item_place.h"

namespace partita {

class KeyLatches {
 public:
  [[nodiscard]] std::unique_lock<std::mutex> lock(const ItemPlace& place) {
    return std::unique_lock(stripes_[stripe_of(place)].mutex);
  }

  // Those of many items, always in the same order, so that no two callers wait for each other.
  class Held {
   public:
    Held(KeyLatches& latches, std::span<const ItemPlace> places) : latches_(latches) {
      held_.reserve(places.size());
      for (const ItemPlace& place : places) held_.push_back(stripe_of(place));
      std::sort(held_.begin(), held_.end());
      held_.erase(std::unique(held_.begin(), held_.end()), held_.end());
      for (const std::uint16_t stripe : held_) latches_.stripes_[stripe].mutex.lock();
    }
    ~Held() {
      for (const std::uint16_t stripe : held_) latches_.stripes_[stripe].mutex.unlock();
    }
    Held(const Held&) = delete;
    Held& operator=(const Held&) = delete;

   private:
    KeyLatches& latches_;
    std::vector<std::uint16_t> held_;
  };

 private:
  static constexpr std::size_t kStripes = 1024;
  struct alignas(64) Stripe {  // a cache line each: neighbours do not slow each other down
    std::mutex mutex;
  };
  static std::uint16_t stripe_of(const ItemPlace& place) {
    return static_cast<std::uint16_t>(place.hash() % kStripes);
  }

  std::array<Stripe, kStripes> stripes_;
};

}  // namespace partita
