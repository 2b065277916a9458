// VersionClock: gives out versions and remembers when.
//
// Time is made to ascend with versions: a commit whose clock lags a little, as among threads,
// counts as made when the newest one before it was. A clock that was set back counts, and what was
// known of the time it takes back is forgotten. Recent times are kept to the millisecond; of
// seconds longer ago only the beginning is kept, and a question about a moment within one is
// answered with the state at that beginning.
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <limits>
#include <mutex>

#include "storage/engine.h"

namespace partita::memory {

class VersionClock {
 public:
  VersionClock() = default;
  VersionClock(const VersionClock& other);

  // The caller holds what keeps its rows from being seen until it is done. From any thread.
  Version next(TimePoint now);
  Version last() const { return last_.load(std::memory_order_acquire); }
  // The last version given at or before a time.
  Version at(TimePoint time) const;

 private:
  struct Tick {
    TimePoint time;
    Version first;  // the first version given at or after it
  };
  void remember(Tick tick);
  // Returns the first version that was given from then on.
  Version forget_from(TimePoint time);

  std::atomic<Version> last_ = 0;
  std::atomic<TimePoint::rep> newest_ = std::numeric_limits<TimePoint::rep>::min();
  mutable std::mutex mutex_;  // held to move newest_ on, and for all below
  std::deque<Tick> recent_;
  std::deque<Tick> seconds_;  // older than all of recent_, one to a second
};

}  // namespace partita::memory
