// The clock a Database goes by. It can be stopped and moved while the database is in use, so that
// what takes days needs no waiting in a test:
//
//   auto clock = std::make_shared<partita::MovableClock>();
//   auto database = partita::Database::open({.data_directory = "music", .clock = clock});
//   clock->freeze();
//   clock->advance(std::chrono::hours(24));  // what expires today has expired
//
// Timestamps, expiry, the ten minutes of a request token and Options::table_delay, index_lag and
// stale_reads follow it; the order of changes does not, so it may be set back at any time. A clock
// may be shared by several databases. Any thread may call.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <mutex>

#include "partita/result.h"

namespace partita {

class MovableClock {
 public:
  using Time = std::chrono::time_point<std::chrono::system_clock, std::chrono::milliseconds>;
  struct Reading {
    Time now;
    bool frozen = false;
    std::chrono::milliseconds ahead{};  // of the machine's clock
  };

  // Shows the machine's time until it is moved.
  MovableClock() = default;
  MovableClock(const MovableClock&) = delete;
  MovableClock& operator=(const MovableClock&) = delete;

  Time now() const;
  Reading read() const;

  // Stops it where it is. A frozen clock can be set and advanced; only release lets it run again.
  Reading freeze();
  // Moves it to a time, from where it runs on unless it is frozen. ErrorCode::Validation outside
  // the years 1970 to 9999.
  Result<Reading> set(Time time);
  // Both at once.
  Result<Reading> freeze_at(Time time);
  // Moves it by a stretch of time, also backwards.
  Result<Reading> advance(std::chrono::milliseconds by);
  // Back to the machine's time.
  Reading release();

  // Called, on the thread that moves it, after every move, until forgotten. Must not move it.
  using Listener = std::uint64_t;
  Listener when_moved(std::function<void()> call);
  void forget(Listener listener);

 private:
  static constexpr std::int64_t kRunning = std::numeric_limits<std::int64_t>::min();

  Result<Reading> move(std::int64_t to_ms, bool freeze);
  void tell() const;

  // What it shows is `frozen_at_ms_`, or the machine's time and `ahead_ms_`. Written with the mutex
  // held, the second before the first: nobody ever sees a moment that was not meant.
  std::atomic<std::int64_t> frozen_at_ms_ = kRunning;
  std::atomic<std::int64_t> ahead_ms_ = 0;
  mutable std::mutex mutex_;
  std::map<Listener, std::function<void()>> listeners_;
  Listener next_listener_ = 1;
};

}  // namespace partita
