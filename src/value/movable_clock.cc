// MovableClock: a clock that shows the machine's time until somebody moves it. Here, as this is the
// lowest room that sees the public headers.
#include "partita/clock.h"

#include "base/clock.h"

namespace partita {
namespace {

constexpr std::int64_t kEarliestMs = 0;
constexpr std::int64_t kLatestMs = 253'402'300'799'999;  // the end of the year 9999

std::int64_t machine_ms() { return machine_time().time_since_epoch().count(); }
MovableClock::Time time_of(std::int64_t ms) {
  return MovableClock::Time(std::chrono::milliseconds(ms));
}

}  // namespace

MovableClock::Time MovableClock::now() const {
  const std::int64_t frozen_at_ms = frozen_at_ms_.load(std::memory_order_acquire);
  if (frozen_at_ms != kRunning) [[unlikely]]
    return time_of(frozen_at_ms);
  return time_of(machine_ms() + ahead_ms_.load(std::memory_order_relaxed));
}

MovableClock::Reading MovableClock::read() const {
  const std::int64_t frozen_at_ms = frozen_at_ms_.load(std::memory_order_acquire);
  if (frozen_at_ms == kRunning) {
    const std::int64_t ahead_ms = ahead_ms_.load(std::memory_order_relaxed);
    return {time_of(machine_ms() + ahead_ms), false, std::chrono::milliseconds(ahead_ms)};
  }
  return {time_of(frozen_at_ms), true, std::chrono::milliseconds(frozen_at_ms - machine_ms())};
}

Result<MovableClock::Reading> MovableClock::move(std::int64_t to_ms, bool freeze) {
  if (to_ms < kEarliestMs || to_ms > kLatestMs) {
    return Error::validation("The clock goes from the year 1970 to 9999");
  }
  if (freeze || frozen_at_ms_.load(std::memory_order_relaxed) != kRunning) {
    frozen_at_ms_.store(to_ms, std::memory_order_release);
  } else {
    ahead_ms_.store(to_ms - machine_ms(), std::memory_order_relaxed);
  }
  tell();
  return read();
}

MovableClock::Reading MovableClock::freeze() {
  const std::lock_guard lock(mutex_);
  frozen_at_ms_.store(now().time_since_epoch().count(), std::memory_order_release);
  tell();
  return read();
}

Result<MovableClock::Reading> MovableClock::set(Time time) {
  const std::lock_guard lock(mutex_);
  return move(time.time_since_epoch().count(), false);
}

Result<MovableClock::Reading> MovableClock::freeze_at(Time time) {
  const std::lock_guard lock(mutex_);
  return move(time.time_since_epoch().count(), true);
}

Result<MovableClock::Reading> MovableClock::advance(std::chrono::milliseconds by) {
  const std::lock_guard lock(mutex_);
  std::int64_t to_ms = 0;
  if (__builtin_add_overflow(now().time_since_epoch().count(), by.count(), &to_ms)) {
    to_ms = kLatestMs + 1;
  }
  return move(to_ms, false);
}

MovableClock::Reading MovableClock::release() {
  const std::lock_guard lock(mutex_);
  ahead_ms_.store(0, std::memory_order_relaxed);
  frozen_at_ms_.store(kRunning, std::memory_order_release);
  tell();
  return read();
}

MovableClock::Listener MovableClock::when_moved(std::function<void()> call) {
  const std::lock_guard lock(mutex_);
  listeners_.emplace(next_listener_, std::move(call));
  return next_listener_++;
}

void MovableClock::forget(Listener listener) {
  const std::lock_guard lock(mutex_);
  listeners_.erase(listener);
}

void MovableClock::tell() const {
  for (const auto& [listener, call] : listeners_) call();
}

}  // namespace partita
