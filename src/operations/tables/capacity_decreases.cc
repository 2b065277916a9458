#include "operations/tables/capacity_decreases.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <string>

namespace partita {
namespace {

using std::chrono::days;
using std::chrono::floor;

constexpr std::int64_t kDecreasesBeforeWaiting = 4;
constexpr std::chrono::seconds kWait{3600};

constexpr std::array<const char*, 7> kDayNames = {"Sunday",   "Monday", "Tuesday", "Wednesday",
                                                  "Thursday", "Friday", "Saturday"};
constexpr std::array<const char*, 12> kMonthNames = {
    "January", "February", "March",     "April",   "May",      "June",
    "July",    "August",   "September", "October", "November", "December"};

TimePoint last_decrease(const ProvisionedThroughputDescription& capacity) {
  return TimePoint(std::chrono::milliseconds(std::llround(*capacity.last_decrease * 1000)));
}

// "Thursday, October 8, 2026 at 11:20:48 PM Coordinated Universal Time"
std::string in_words(TimePoint time) {
  const auto day = floor<days>(time);
  const std::chrono::year_month_day date(day);
  const std::chrono::hh_mm_ss clock(floor<std::chrono::seconds>(time - day));
  const int hour = static_cast<int>(clock.hours().count());
  char text[96];
  std::snprintf(text, sizeof text, "%s, %s %u, %d at %d:%02d:%02d %s Coordinated Universal Time",
                kDayNames[std::chrono::weekday(day).c_encoding()],
                kMonthNames[static_cast<unsigned>(date.month()) - 1],
                static_cast<unsigned>(date.day()), static_cast<int>(date.year()),
                hour % 12 == 0 ? 12 : hour % 12, static_cast<int>(clock.minutes().count()),
                static_cast<int>(clock.seconds().count()), hour < 12 ? "AM" : "PM");
  return text;
}

}  // namespace

std::int64_t decreases_today(const ProvisionedThroughputDescription& capacity, TimePoint now) {
  if (!capacity.last_decrease || last_decrease(capacity) < TimePoint(floor<days>(now))) return 0;
  return capacity.number_of_decreases_today;
}

Result<void> check_decrease(const ProvisionedThroughputDescription& capacity, TimePoint now) {
  const std::int64_t today = decreases_today(capacity, now);
  if (today < kDecreasesBeforeWaiting) return {};
  const TimePoint last = last_decrease(capacity);
  const TimePoint tomorrow(floor<days>(now) + days(1));
  const TimePoint next = std::min(last + kWait, tomorrow);
  if (now >= next) return {};
  return Error(ErrorCode::LimitExceeded,
               "Subscriber limit exceeded: Provisioned throughput decreases are limited within a "
               "given UTC day. After the first 4 decreases, each subsequent decrease in the same "
               "UTC day can be performed at most once every 3600 seconds. Number of decreases "
               "today: " +
                   std::to_string(today) + ". Last decrease at " + in_words(last) +
                   ". Next decrease can be made at " + in_words(next) + ".");
}

}  // namespace partita
