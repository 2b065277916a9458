// Commits to one partition go one after the other: a fixed number of locks, shared out by hash.
//
// Each lock also remembers the newest versions of a few rows written under it, so that the guard of
// a row written a moment ago, which is the common one in a contest, needs no lookup.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
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

  // The version the row has now, 0 for a row deleted; nothing when it is not remembered. The
  // partition is locked by the caller.
  std::optional<Version> recent(std::uint64_t partition_hash, Bytes row_key) const;
  void remember(std::uint64_t partition_hash, Bytes row_key, Version version);

 private:
  static constexpr std::size_t kStripeCount = 256;
  static constexpr std::size_t kRecentCount = 16;  // rows remembered by each stripe
  static constexpr std::size_t kRecentKeyBytesMax = 256;

  struct Recent {
    std::string row_key;  // whole, so that no two rows are ever confused
    Version version = 0;
  };
  struct Stripe {
    std::mutex mutex;
    std::array<Recent, kRecentCount> recent;
  };

  static std::size_t stripe_of(std::uint64_t partition_hash) {
    return static_cast<std::size_t>(partition_hash >> 32) % kStripeCount;
  }
  static std::size_t place_of(Bytes row_key);

  std::unique_ptr<std::array<Stripe, kStripeCount>> stripes_ =
      std::make_unique<std::array<Stripe, kStripeCount>>();
};

}  // namespace partita
