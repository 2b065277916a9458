// Which version was the last at a time, recently to the millisecond and long ago to the second.
#include "storage/memory/version_clock.h"

#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace partita::memory {
namespace {

TimePoint ms(std::int64_t milliseconds) {
  return TimePoint(std::chrono::milliseconds(milliseconds));
}

TEST(VersionClock, answers_recent_times_to_the_millisecond) {
  VersionClock clock;
  EXPECT_EQ(clock.at(ms(0)), 0u);
  EXPECT_EQ(clock.next(ms(1000)), 1u);
  EXPECT_EQ(clock.next(ms(1001)), 2u);
  EXPECT_EQ(clock.next(ms(1001)), 3u);
  EXPECT_EQ(clock.next(ms(1003)), 4u);
  EXPECT_EQ(clock.at(ms(999)), 0u);
  EXPECT_EQ(clock.at(ms(1000)), 1u);
  EXPECT_EQ(clock.at(ms(1001)), 3u);
  EXPECT_EQ(clock.at(ms(1002)), 3u);
  EXPECT_EQ(clock.at(ms(1003)), 4u);
}

TEST(VersionClock, never_answers_with_a_later_version_than_asked_for) {
  VersionClock clock;
  for (std::int64_t i = 0; i < 20000; ++i)
    ASSERT_EQ(clock.next(ms(i)), static_cast<Version>(i) + 1);
  for (std::int64_t i = 0; i < 20000; ++i) {
    const Version exact = static_cast<Version>(i) + 1, answer = clock.at(ms(i));
    ASSERT_LE(answer, exact);
    ASSERT_GE(answer + 1000, exact);
    if (i > 16000) {
      ASSERT_EQ(answer, exact);
    }
  }
  // The state at the end of a second long ago is the one before the next second began.
  EXPECT_EQ(clock.at(ms(4000)), 4000u);
}

TEST(VersionClock, remembers_quiet_stretches_exactly_however_long_ago) {
  VersionClock clock;
  clock.next(ms(1500));
  clock.next(ms(61'200));
  for (std::int64_t i = 0; i < 10000; ++i) clock.next(ms(100'000 + i));
  EXPECT_EQ(clock.at(ms(1499)), 0u);
  EXPECT_EQ(clock.at(ms(30'000)), 1u);
  EXPECT_EQ(clock.at(ms(70'000)), 2u);
}

TEST(VersionClock, a_clock_set_back_takes_back_the_time_it_had_shown) {
  VersionClock clock;
  clock.next(ms(1'000'000));
  for (int i = 0; i < 5000; ++i) clock.next(ms(5'000'000 + i));
  const Version back = clock.next(ms(2'000'000));
  EXPECT_EQ(clock.at(ms(1'500'000)), 1u);
  EXPECT_EQ(clock.at(ms(2'000'000)), back);
  EXPECT_EQ(clock.at(ms(9'000'000)), back);
  const Version later = clock.next(ms(3'000'000));
  EXPECT_EQ(clock.at(ms(2'500'000)), back);
  EXPECT_EQ(clock.at(ms(3'000'000)), later);
}

TEST(VersionClock, threads_get_different_versions_and_times_ascend_with_them) {
  VersionClock clock;
  constexpr int kThreads = 8, kEach = 5000;
  std::vector<std::vector<std::pair<Version, std::int64_t>>> given(kThreads);
  std::vector<std::thread> threads;
  for (std::size_t t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      for (std::int64_t i = 0; i < kEach; ++i) given[t].emplace_back(clock.next(ms(i / 5)), i / 5);
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(clock.last(), static_cast<Version>(kThreads * kEach));
  std::vector<bool> seen(kThreads * kEach + 1);
  for (const auto& thread : given) {
    for (const auto& [version, time] : thread) {
      ASSERT_FALSE(seen[version]);
      seen[version] = true;
      // A version can count as made later than its clock said, never earlier.
      ASSERT_LT(clock.at(ms(time - 1)), version);
    }
  }
}

}  // namespace
}  // namespace partita::memory
