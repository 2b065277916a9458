#include "base/counter.h"

#include <gtest/gtest.h>

namespace partita {
namespace {

using std::chrono::nanoseconds;

std::size_t bin_of(nanoseconds duration) {
  DurationHistogram histogram;
  histogram.record(duration);
  std::size_t bin = 0;
  while (histogram.count_in(bin) == 0) ++bin;
  return bin;
}

TEST(DurationHistogram, a_bin_holds_what_is_less_than_its_end) {
  EXPECT_EQ(bin_of(nanoseconds(0)), 0u);
  EXPECT_EQ(bin_of(nanoseconds(-1)), 0u) << "a clock that went back";
  for (std::size_t bin = 0; bin + 1 < DurationHistogram::kBins; ++bin) {
    const nanoseconds end = DurationHistogram::end_of_bin(bin);
    EXPECT_EQ(bin_of(end - nanoseconds(1)), bin);
    EXPECT_EQ(bin_of(end), bin + 1);
  }
  EXPECT_EQ(bin_of(std::chrono::hours(24)), DurationHistogram::kBins - 1);
}

TEST(DurationHistogram, keeps_the_sum) {
  DurationHistogram histogram;
  histogram.record(nanoseconds(5));
  histogram.record(nanoseconds(70'000));
  EXPECT_EQ(histogram.nanoseconds(), 70'005u);
}

}  // namespace
}  // namespace partita
