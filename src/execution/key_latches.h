// Key latches: writes to one item take turns, so that reading, deciding and committing is one step.
//
// A fixed number of stripes; two items may share one, which costs a short wait and nothing else.
// The engine's guards stay the final word (engine.h): latches only make their failure rare.
#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <mutex>

#include "storage/engine.h"

namespace partita {

class KeyLatches {
 public:
  [[nodiscard]] std::unique_lock<std::mutex> lock(const Partition& partition, Bytes sort) {
    const std::size_t hash = partition.hash ^ (std::hash<Bytes>()(sort) * 0x9E3779B97F4A7C15u) ^
                             (std::size_t{partition.space} * 0xBF58476D1CE4E5B9u);
    return std::unique_lock(stripes_[hash % kStripes].mutex);
  }

 private:
  static constexpr std::size_t kStripes = 1024;
  struct alignas(64) Stripe {  // a cache line each: neighbours do not slow each other down
    std::mutex mutex;
  };
  std::array<Stripe, kStripes> stripes_;
};

}  // namespace partita
