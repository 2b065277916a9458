// Moments and stretches of time as people write them.
//
//   moment  := date | date "T" time zone | seconds since 1970, perhaps with a fraction
//   date    := "2027-01-31"                       midnight UTC
//   time    := "12:00:00" [ "." digits ]          finer than milliseconds is cut off
//   zone    := "Z" | ("+" | "-") "01:00"
//   stretch := [ "+" | "-" ] ( digits unit )+     "90s", "1h30m"
//   unit    := "ms" | "s" | "m" | "h" | "d"
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

#include "base/clock.h"

namespace partita {

// "2027-01-31T12:00:00.123Z".
std::string time_text(TimePoint time);

// Years 1970 to 9999; empty for anything else.
std::optional<TimePoint> parse_time(std::string_view text);
// Up to ten thousand years either way; empty for anything else.
std::optional<std::chrono::milliseconds> parse_stretch(std::string_view text);

}  // namespace partita
