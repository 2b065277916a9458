#include "execution/stale_views.h"

#include <gtest/gtest.h>

#include "storage/memory/memory_engine.h"

namespace partita {
namespace {

using std::chrono::milliseconds;

class StaleViewsTest : public testing::Test {
 protected:
  static constexpr Partition kPartition{1, 1, "p"};
  static constexpr RowKey kRow{Slot::Item, "r"};

  void write(std::string_view value) {
    const Edit edit{kRow, value};
    const PartitionBatch batch{kPartition, {}, {&edit, 1}, {}, {}};
    ASSERT_TRUE(engine_->commit({&batch, 1}, {}));
  }
  std::string seen_at(int time) {
    const auto view = views_.at(at(time));
    std::string seen = "nothing";
    EXPECT_TRUE(engine_->get(kPartition, {&kRow, 1}, view.get(), [&](const RowView& row) {
      seen = row.value;
      return true;
    }));
    return seen;
  }
  static TimePoint at(int time) { return TimePoint(milliseconds(time)); }

  std::unique_ptr<Engine> engine_ = make_memory_engine();
  StaleViews views_{*engine_, milliseconds(100), at(1000)};
};

TEST_F(StaleViewsTest, a_write_is_seen_when_a_moment_after_it_is_old_enough) {
  write("one");
  EXPECT_EQ(seen_at(1000), "nothing");
  views_.take(at(1010));
  write("two");
  views_.take(at(1020));
  EXPECT_EQ(seen_at(1109), "nothing");
  EXPECT_EQ(seen_at(1110), "one");
  EXPECT_EQ(seen_at(1119), "one");
  EXPECT_EQ(seen_at(1120), "two");
  EXPECT_EQ(seen_at(9999), "two");
}

TEST_F(StaleViewsTest, what_was_there_at_the_start_is_seen_at_once) {
  write("one");
  StaleViews later(*engine_, milliseconds(100), at(2000));
  const auto view = later.at(at(2000));
  int rows = 0;
  ASSERT_TRUE(engine_->get(kPartition, {&kRow, 1}, view.get(), [&](const RowView&) {
    ++rows;
    return true;
  }));
  EXPECT_EQ(rows, 1);
}

TEST_F(StaleViewsTest, moments_nobody_can_ask_for_are_let_go) {
  const std::weak_ptr<const View> first = views_.at(at(1000));
  views_.take(at(1010));
  views_.take(at(1020));
  views_.take(at(1200));
  EXPECT_TRUE(first.expired());
}

TEST_F(StaleViewsTest, a_clock_set_back_does_not_show_the_future) {
  views_.take(at(1010));
  write("one");
  views_.take(at(950));  // a little, as among threads
  EXPECT_EQ(seen_at(1049), "nothing");
  views_.take(at(1020));
  EXPECT_EQ(seen_at(1109), "nothing");
  EXPECT_EQ(seen_at(1120), "one");
}

TEST_F(StaleViewsTest, a_clock_set_far_back_leaves_nothing_unseen_for_long) {
  views_.take(at(5000));
  write("one");
  views_.take(at(6000));
  EXPECT_EQ(seen_at(6000), "nothing");
  write("two");
  views_.take(at(10));
  EXPECT_EQ(seen_at(10), "one");
  EXPECT_EQ(seen_at(110), "two");
}

TEST_F(StaleViewsTest, a_frozen_clock_keeps_one_moment_however_long_it_stands) {
  views_.take(at(1010));
  for (int i = 0; i < 3; ++i) views_.take(at(1120));
  write("one");
  views_.take(at(1120));
  EXPECT_EQ(seen_at(1219), "nothing");
  EXPECT_EQ(seen_at(1220), "one");
}

}  // namespace
}  // namespace partita
