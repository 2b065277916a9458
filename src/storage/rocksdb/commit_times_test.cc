#include "storage/rocksdb/commit_times.h"

#include <gtest/gtest.h>

namespace partita {

namespace {

// Commits at a time and says how many rows the batch took for it.
struct Clockwork {
  CommitTimes times{0, 0};
  Version version = 0;

  std::uint32_t commit(std::int64_t time_ms) {
    rocksdb::WriteBatch batch;
    times.committed(times.prepare(time_ms, batch), ++version);
    return batch.Count();
  }
};

}  // namespace

TEST(CommitTimes, newest_commits_are_known_to_the_millisecond) {
  Clockwork clock;
  EXPECT_EQ(clock.times.recent_version_at(0), 0u);
  clock.commit(1000);
  clock.commit(1001);
  clock.commit(1001);
  clock.commit(1003);
  EXPECT_EQ(clock.times.recent_version_at(999), std::nullopt) << "only the disk can tell";
  EXPECT_EQ(clock.times.recent_version_at(1000), 1u);
  EXPECT_EQ(clock.times.recent_version_at(1001), 3u);
  EXPECT_EQ(clock.times.recent_version_at(1002), 3u);
  EXPECT_EQ(clock.times.recent_version_at(9999), 4u);
}

TEST(CommitTimes, one_sample_is_written_a_second) {
  Clockwork clock;
  EXPECT_EQ(clock.commit(1000), 0u) << "there is nothing before the first";
  for (std::int64_t time = 1001; time < 2000; time += 100) EXPECT_EQ(clock.commit(time), 0u);
  EXPECT_EQ(clock.commit(2000), 1u);
  EXPECT_EQ(clock.commit(2999), 0u);
  EXPECT_EQ(clock.commit(9000), 1u);
}

TEST(CommitTimes, old_samples_are_removed_once_a_day) {
  Clockwork clock;
  constexpr std::int64_t kDayMs = 86'400'000;
  clock.commit(100 * kDayMs - 1);
  EXPECT_EQ(clock.commit(100 * kDayMs), 2u);
  EXPECT_EQ(clock.commit(100 * kDayMs + 1000), 1u);
}

TEST(CommitTimes, clock_a_little_late_counts_as_the_newest_time) {
  Clockwork clock;
  clock.commit(5000);
  clock.commit(4990);
  EXPECT_EQ(clock.times.recent_version_at(4995), std::nullopt);
  EXPECT_EQ(clock.times.recent_version_at(5000), 2u);
}

TEST(CommitTimes, clock_set_back_takes_back_what_was_recorded_for_that_time) {
  Clockwork clock;
  clock.commit(1'000);
  clock.commit(500'000);
  clock.commit(900'000);
  EXPECT_EQ(clock.commit(400'000), 1u) << "samples behind it are removed";
  EXPECT_EQ(clock.times.recent_version_at(1'000), 1u);
  EXPECT_EQ(clock.times.recent_version_at(399'999), 1u);
  EXPECT_EQ(clock.times.recent_version_at(400'000), 4u);
  EXPECT_EQ(clock.times.recent_version_at(950'000), 4u);
}

}  // namespace partita
