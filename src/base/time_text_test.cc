#include "base/time_text.h"

#include <gtest/gtest.h>

namespace partita {
namespace {

using namespace std::chrono_literals;
using std::chrono::milliseconds;

TimePoint at(std::int64_t count) { return TimePoint(milliseconds(count)); }

TEST(TimeText, moments_are_read_in_each_of_their_forms) {
  EXPECT_EQ(parse_time("0"), at(0));
  EXPECT_EQ(parse_time("1700000000"), at(1'700'000'000'000));
  EXPECT_EQ(parse_time("1700000000.0259"), at(1'700'000'000'025));
  EXPECT_EQ(parse_time("2023-11-14"), at(1'699'920'000'000));
  EXPECT_EQ(parse_time("2023-11-14T22:13:20Z"), at(1'700'000'000'000));
  EXPECT_EQ(parse_time("2023-11-14T23:13:20.5+01:00"), at(1'700'000'000'500));
  EXPECT_EQ(parse_time("2023-11-14T16:43:20-05:30"), at(1'700'000'000'000));
  EXPECT_EQ(parse_time("9999-12-31T23:59:59.999Z"), at(253'402'300'799'999));
}

TEST(TimeText, what_is_no_moment_is_refused) {
  for (const char* text : {"",
                           ".",
                           "1.",
                           "1.2.3",
                           "now",
                           "2023-13-01x",
                           "2023-02-29",
                           "2023-1-1",
                           "2023-11-14T22:13:20",
                           "2023-11-14 22:13:20Z",
                           "2023-11-14T24:00:00Z",
                           "2023-11-14T",
                           "2023-11-14T22:13:20Zx",
                           "2023-11-14T22:13:60Z",
                           "-1",
                           "253402300800",
                           "10000-01-01",
                           "99999999999999999999",
                           "1969-12-31",
                           "1970-01-01T00:00:00+01:00"}) {
    EXPECT_EQ(parse_time(text), std::nullopt) << text;
  }
  EXPECT_TRUE(parse_time("2023"));  // seconds
}

TEST(TimeText, stretches_are_read_with_their_units_and_sign) {
  EXPECT_EQ(parse_stretch("90s"), 90s);
  EXPECT_EQ(parse_stretch("+1h30m"), 90min);
  EXPECT_EQ(parse_stretch("-2d"), -48h);
  EXPECT_EQ(parse_stretch("1m5ms"), 60'005ms);
  for (const char* text : {"", "-", "5", "s", "5x", "1h30", "1 h", "--1s", "1h-30m",
                           "99999999999999999999s", "3000000000d", "100000000d100000000d"}) {
    EXPECT_EQ(parse_stretch(text), std::nullopt) << text;
  }
}

TEST(TimeText, moments_are_written_as_they_are_read) {
  EXPECT_EQ(time_text(at(1'700'000'000'025)), "2023-11-14T22:13:20.025Z");
  EXPECT_EQ(time_text(at(0)), "1970-01-01T00:00:00.000Z");
  EXPECT_EQ(time_text(at(-1)), "1969-12-31T23:59:59.999Z");
  EXPECT_EQ(parse_time(time_text(at(253'402'300'799'999))), at(253'402'300'799'999));
}

}  // namespace
}  // namespace partita
