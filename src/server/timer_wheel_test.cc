#include "server/timer_wheel.h"

#include <array>
#include <random>

#include <gtest/gtest.h>

namespace partita {
namespace {

TEST(TimerWheel, entries_expire_once_and_never_early) {
  const unsigned seed = std::random_device{}();
  std::mt19937 random(seed);
  TimerWheel wheel;
  struct Timed : TimerEntry {
    std::uint64_t due = 0;  // 0: not set
  };
  std::array<Timed, 50> entries;
  for (int tick = 0; tick < 3000; ++tick) {
    for (int changes = 0; changes < 5; ++changes) {
      Timed& entry = entries[random() % entries.size()];
      if (random() % 4 == 0) {
        wheel.clear(entry);
        entry.due = 0;
      } else {
        const std::uint64_t delay = random() % 700;  // also beyond one turn of the wheel
        wheel.set(entry, delay);
        entry.due = wheel.now() + delay + 1;
      }
    }
    wheel.advance([&](TimerEntry& expired) {
      Timed& entry = static_cast<Timed&>(expired);
      EXPECT_EQ(entry.due, wheel.now()) << "seed " << seed;
      entry.due = 0;
    });
    for (const Timed& entry : entries) {
      EXPECT_TRUE(entry.due == 0 || entry.due > wheel.now()) << "missed; seed " << seed;
    }
  }
  for (Timed& entry : entries) wheel.clear(entry);
}

TEST(TimerWheel, a_deadline_can_move_earlier) {
  TimerWheel wheel;
  TimerEntry entry;
  wheel.set(entry, 100);
  wheel.set(entry, 1);
  int expired = 0;
  for (int tick = 0; tick < 3; ++tick) wheel.advance([&](TimerEntry&) { ++expired; });
  EXPECT_EQ(expired, 1);
}

}  // namespace
}  // namespace partita
