#include "storage/memory/version_clock.h"

#include <algorithm>

namespace partita::memory {
namespace {

constexpr TimePoint::rep kLateMaxMs = kClockLateMax.count();
constexpr std::size_t kRecentTicksMax = 4096;
constexpr std::size_t kSecondsMax = 35 * 24 * 60 * 60;  // as far back as a table can be restored

std::chrono::seconds second_of(TimePoint time) {
  return std::chrono::floor<std::chrono::seconds>(time.time_since_epoch());
}

}  // namespace

VersionClock::VersionClock(const VersionClock& other) {
  std::lock_guard lock(other.mutex_);
  last_ = other.last_.load();
  newest_ = other.newest_.load();
  recent_ = other.recent_;
  seconds_ = other.seconds_;
}

Version VersionClock::next(TimePoint now) {
  const TimePoint::rep ticks = now.time_since_epoch().count();
  const TimePoint::rep newest = newest_.load(std::memory_order_acquire);
  if (ticks <= newest && newest - ticks <= kLateMaxMs) {
    return last_.fetch_add(1, std::memory_order_acq_rel) + 1;
  }
  std::lock_guard lock(mutex_);
  const Version version = last_.fetch_add(1, std::memory_order_acq_rel) + 1;
  const TimePoint::rep known = newest_.load(std::memory_order_relaxed);
  if (ticks <= known && known - ticks <= kLateMaxMs) return version;
  remember({now, ticks <= known ? forget_from(now) : version});
  newest_.store(ticks, std::memory_order_release);
  return version;
}

Version VersionClock::forget_from(TimePoint time) {
  Version first = last();
  for (std::deque<Tick>* ticks : {&recent_, &seconds_}) {
    for (; !ticks->empty() && ticks->back().time >= time; ticks->pop_back()) {
      first = ticks->back().first;
    }
  }
  return first;
}

void VersionClock::remember(Tick tick) {
  recent_.push_back(tick);
  if (recent_.size() <= kRecentTicksMax) return;
  const Tick old = recent_.front();
  recent_.pop_front();
  if (!seconds_.empty() && second_of(seconds_.back().time) == second_of(old.time)) return;
  seconds_.push_back(old);
  if (seconds_.size() > kSecondsMax) seconds_.pop_front();
}

Version VersionClock::at(TimePoint time) const {
  std::lock_guard lock(mutex_);
  auto first_later = [&](const std::deque<Tick>& ticks) {
    return std::upper_bound(ticks.begin(), ticks.end(), time,
                            [](TimePoint t, const Tick& tick) { return t < tick.time; });
  };
  if (!recent_.empty() && recent_.front().time <= time) {
    const auto later = first_later(recent_);
    return later == recent_.end() ? last() : later->first - 1;
  }
  const auto later = first_later(seconds_);
  if (later != seconds_.begin() && second_of(std::prev(later)->time) == second_of(time)) {
    return std::prev(later)->first - 1;  // what else happened in that second is not known any more
  }
  if (later != seconds_.end()) return later->first - 1;
  return recent_.empty() ? 0 : recent_.front().first - 1;
}

}  // namespace partita::memory
