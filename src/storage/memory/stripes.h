// Stripes: the engine's content cut by hash into ranges, each with its own lock.
//
// A stripe is the high bits of the hash, so the order of stripes is the order of a scan. A commit
// holds the locks of all its stripes from before its guards are checked until its rows are in;
// whoever holds all of them sees one moment of the whole engine. Locks are taken in ascending
// order, and before those of the change log's lanes. Nobody holds one while a sink runs.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <mutex>

#include "storage/memory/space_part.h"

namespace partita::memory {

inline constexpr unsigned kStripeBits = 5;
inline constexpr unsigned kStripeCount = 1u << kStripeBits;
using StripeMask = std::uint32_t;
inline constexpr StripeMask kAllStripes = ~StripeMask{0};
static_assert(sizeof(StripeMask) * 8 == kStripeCount);

constexpr unsigned stripe_of(std::uint64_t hash) {
  return static_cast<unsigned>(hash >> (64 - kStripeBits));
}

// A mutex, not a reader-writer lock: it is held for one search, which takes no longer than the
// bookkeeping of readers would, and writers cannot starve.
struct alignas(64) Stripe {
  mutable std::mutex mutex;
  Directory directory;
  std::uint64_t lookups = 0;
  std::uint64_t commits = 0;
};
using Stripes = std::array<Stripe, kStripeCount>;

// Calls `use` with each index whose bit is set, ascending.
template <typename Mask, typename Use>
void for_each_bit(Mask mask, Use use) {
  for (; mask != 0; mask &= mask - 1) use(static_cast<unsigned>(std::countr_zero(mask)));
}

// Holds the mutexes of the elements whose bits are set.
template <typename Elements, typename Mask>
class MaskLock {
 public:
  MaskLock(Elements& elements, Mask mask) : elements_(elements), mask_(mask) {
    for_each_bit(mask_, [&](unsigned i) { elements_[i].mutex.lock(); });
  }
  ~MaskLock() {
    for_each_bit(mask_, [&](unsigned i) { elements_[i].mutex.unlock(); });
  }
  MaskLock(const MaskLock&) = delete;
  MaskLock& operator=(const MaskLock&) = delete;

 private:
  Elements& elements_;
  Mask mask_;
};

}  // namespace partita::memory
