#include <gtest/gtest.h>

#include "partita/clock.h"

#include "base/clock.h"

namespace partita {
namespace {

using namespace std::chrono_literals;

TEST(MovableClock, shows_the_machines_time_until_it_is_moved) {
  const MovableClock clock;
  const TimePoint before = machine_time();
  const TimePoint shown = clock.now();
  EXPECT_LE(before, shown);
  EXPECT_LE(shown, machine_time());
  EXPECT_EQ(clock.read().ahead, 0ms);
}

TEST(MovableClock, a_frozen_clock_moves_only_when_told_to) {
  MovableClock clock;
  const TimePoint frozen = clock.freeze().now;
  EXPECT_EQ(clock.now(), frozen);
  EXPECT_EQ(clock.advance(36h)->now, frozen + 36h);
  EXPECT_EQ(clock.advance(-48h)->now, frozen - 12h);
  EXPECT_EQ(clock.set(TimePoint(1s))->now, TimePoint(1s));
  EXPECT_EQ(clock.now(), TimePoint(1s));
  EXPECT_TRUE(clock.read().frozen);
}

TEST(MovableClock, a_moved_clock_runs_on_and_release_brings_it_back) {
  MovableClock clock;
  const TimePoint before = machine_time();
  EXPECT_GE(clock.advance(1h)->now, before + 1h);
  EXPECT_FALSE(clock.read().frozen);
  EXPECT_EQ(clock.read().ahead, 1h);
  EXPECT_TRUE(clock.freeze_at(TimePoint(5s))->frozen);
  EXPECT_EQ(clock.release().ahead, 0ms);
  EXPECT_LE(clock.now(), machine_time());
}

TEST(MovableClock, times_beyond_the_calendar_are_refused_and_change_nothing) {
  MovableClock clock;
  const TimePoint frozen = clock.freeze_at(TimePoint(1000s))->now;
  EXPECT_FALSE(clock.set(TimePoint(-1ms)).has_value());
  EXPECT_FALSE(clock.set(TimePoint::max()).has_value());
  EXPECT_FALSE(clock.freeze_at(TimePoint::min()).has_value());
  EXPECT_FALSE(clock.advance(std::chrono::milliseconds::max()).has_value());
  EXPECT_FALSE(clock.advance(std::chrono::milliseconds::min()).has_value());
  EXPECT_EQ(clock.now(), frozen);
}

TEST(MovableClock, tells_of_every_move_until_nobody_listens) {
  MovableClock clock;
  int moves = 0;
  const auto listener = clock.when_moved([&] { ++moves; });
  clock.freeze();
  EXPECT_TRUE(clock.advance(1s).has_value());
  clock.release();
  EXPECT_EQ(moves, 3);
  clock.forget(listener);
  clock.freeze();
  EXPECT_EQ(moves, 3);
}

}  // namespace
}  // namespace partita
