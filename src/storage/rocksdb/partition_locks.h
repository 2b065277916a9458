// Commits to one partition go one after the other: a fixed number of locks, shared out by hash.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <span>
#include <vector>

#include "storage/engine.h"

namespace partita {

class PartitionLocks {
 public:
  // Locks every partition of the batches, always in the same order.
  class Held {
   public:
    Held(PartitionLocks& locks, std::span<const PartitionBatch> batches);
    ~Held();
    Held(const Held&) = delete;
    Held& operator=(const Held&) = delete;

   private:
    PartitionLocks& locks_;
    std::size_t first_ = 0;
    std::vector<std::size_t> others_;  // ascending, behind first_
  };

  static constexpr std::size_t kStripeCount = 256;
  static std::size_t stripe_of(std::uint64_t partition_hash) {
    return static_cast<std::size_t>(partition_hash >> 32) % kStripeCount;
  }

 private:
  std::array<std::mutex, kStripeCount> stripes_;
};

}  // namespace partita
