// Time as the database sees it, and the machine's clock.
//
// A database goes by a clock that can be moved (include/partita/clock.h) and reads it once per
// request; everything below gets the time as an argument. Only what the world outside goes by asks
// the machine: log lines, the Date of an answer, the age of a signature. How long something takes
// is a matter of std::chrono::steady_clock.
#pragma once

#include <chrono>

namespace partita {

using TimePoint = std::chrono::time_point<std::chrono::system_clock, std::chrono::milliseconds>;

// The only place that asks what time it is; tools/check_style.py finds any other.
inline TimePoint machine_time() {
  return std::chrono::floor<std::chrono::milliseconds>(std::chrono::system_clock::now());
}

// Threads act on a time they read a moment ago. One that lies further behind another than this was
// read after the clock was set back.
inline constexpr std::chrono::milliseconds kClockLateMax{10'000};

}  // namespace partita
