// Time and durability: tickets, version_at, and what is there after the engine is opened again.

#include <chrono>
#include <future>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "storage/contract/contract_fixture.h"

namespace partita {

TEST_P(EngineContract, ticket_is_called_back_once_its_version_is_durable) {
  using namespace contract;
  wait_until_durable(engine(), 0);
  const Place place(1, "p");
  const Version version = driver().commit(Batch(place).put("a", "1"));
  wait_until_durable(engine(), version);
  wait_until_durable(engine(), version);  // already durable
}

TEST_P(EngineContract, durable_version_never_goes_back_and_reaches_every_commit) {
  using namespace contract;
  std::atomic<bool> done = false;
  std::jthread watcher([&] {
    Version last = 0;
    while (!done) {
      const Version now = engine().durable();
      ASSERT_GE(now, last);
      last = now;
    }
  });
  std::atomic<int> called = 0;
  on_threads(4, [&](int number) {
    EngineDriver mine(engine());
    for (int i = 0; i < 20; ++i) {
      const Version version =
          mine.commit(Batch(Place(1, std::to_string(number))).put(std::to_string(i), "x"));
      engine().when_durable(version, [&, version](Result<void> result) {
        EXPECT_TRUE(result.has_value());
        EXPECT_GE(engine().durable(), version);
        ++called;
      });
    }
    wait_until_durable(engine(),
                       mine.commit(Batch(Place(1, "last")).put(std::to_string(number), "x")));
  });
  for (int i = 0; i < 3000 && called < 80; ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  EXPECT_EQ(called, 80);
  done = true;
  watcher.join();
}

// Whoever finds no row may have seen a delete, and must know what to wait for.
TEST_P(EngineContract, last_removal_is_known_to_whoever_misses_the_row) {
  using namespace contract;
  const Place place(1, "p");
  EXPECT_EQ(engine().last_removal(), 0u);
  driver().commit(Batch(place).put("a", "1").put("b", "1"));
  EXPECT_EQ(engine().last_removal(), 0u);
  const Version removal = driver().commit(Batch(place).put("a", "2").erase("b"));
  EXPECT_EQ(engine().last_removal(), removal);
  driver().commit(Batch(place).put("a", "3"));
  EXPECT_EQ(engine().last_removal(), removal);

  std::atomic<Version> removed = 0;
  std::atomic<bool> done = false;
  std::jthread writer([&] {
    for (int i = 0; i < 200; ++i) {
      removed = driver().commit(Batch(place).erase("a"));
      driver().commit(Batch(place).put("a", ""));
    }
    done = true;
  });
  EngineDriver mine(engine());
  while (!done) {
    const Version before = removed;
    if (!mine.get_one(place, "a")) {
      // Missed because of this delete or a later one; the answer of before may be an older one.
      ASSERT_GE(engine().last_removal(), std::max(before, removal));
    }
  }
  writer.join();
}

// Callers hold answers until their ticket comes: closing an engine must not lose one.
TEST_P(EngineContract, every_ticket_is_answered_before_the_engine_is_gone) {
  using namespace contract;
  std::atomic<int> called = 0;
  for (int i = 0; i < 20; ++i) {
    const Version version = driver().commit(Batch(Place(1, std::to_string(i))).put("", "x"));
    engine().when_durable(version, [&](Result<void>) { ++called; });
  }
  reopen();
  EXPECT_EQ(called, 20);
}

TEST_P(EngineContract, version_at_is_the_last_committed_by_then) {
  using namespace contract;
  auto version_at = [&](std::int64_t seconds) {
    auto version = engine().version_at(at_second(seconds));
    EXPECT_TRUE(version.has_value());
    return version ? *version : 0;
  };
  EXPECT_EQ(version_at(1000), 0u);
  const Place place(1, "p");
  const Version first = driver().commit_at(at_second(10), Batch(place).put("a", "1"));
  driver().commit_at(at_second(20), Batch(place).put("a", "2"));
  const Version second = driver().commit_at(at_second(20), Batch(place).put("a", "3"));
  const Version third = driver().commit_at(at_second(30), Batch(place).put("a", "4"));
  EXPECT_EQ(version_at(9), 0u);
  EXPECT_EQ(version_at(10), first);
  EXPECT_EQ(version_at(19), first);
  EXPECT_EQ(version_at(20), second);
  EXPECT_EQ(version_at(29), second);
  EXPECT_EQ(version_at(30), third);
  EXPECT_EQ(version_at(1000), third);
}

// Order comes from versions: a clock set back does not reorder what was committed.
TEST_P(EngineContract, version_at_survives_a_clock_that_goes_back) {
  using namespace contract;
  const Place place(1, "p");
  driver().commit_at(at_second(100), Batch(place).put("a", "1"));
  const Version second = driver().commit_at(at_second(50), Batch(place).put("a", "2"));
  auto late = engine().version_at(at_second(100));
  ASSERT_TRUE(late.has_value());
  EXPECT_EQ(*late, second);
}

TEST_P(EngineContract, what_was_durable_is_there_when_opened_again) {
  using namespace contract;
  if (!GetParam().survives_reopen) return;
  const Place place(1, "p", 1);
  const Version first = driver().commit_at(
      at_second(10), Batch(place).put("a", "1").put("a", "l", Slot::Local1).record("r").grow(1, 5));
  const Version second =
      driver().commit_at(at_second(20), Batch(Place(2, "dropped")).put("a", "1").grow(1, 1));
  ASSERT_TRUE(engine().drop(2));
  const Version third = driver().commit_at(at_second(30), Batch(place).put("b", "2").grow(1, 7));
  wait_until_durable(engine(), third);
  reopen();
  EXPECT_GE(engine().durable(), third);
  EXPECT_EQ(driver().get_one(place, "a")->version, first);
  EXPECT_EQ(driver().get_one(place, "a", nullptr, Slot::Local1)->value, "l");
  EXPECT_EQ(driver().get_one(place, "b")->version, third);
  EXPECT_EQ(driver().size(1), (Size{2, 12}));
  EXPECT_EQ(driver().size(place), (Size{2, 12}));
  EXPECT_EQ(driver().changes(1, 0), (std::vector<SeenChange>{{first, 0, "r"}}));
  EXPECT_TRUE(driver().scan(2).empty());
  EXPECT_EQ(driver().size(2), (Size{}));
  EXPECT_EQ(*engine().version_at(at_second(15)), first);
  EXPECT_EQ(*engine().version_at(at_second(25)), second);
  EXPECT_GT(driver().commit_at(at_second(40), Batch(place).put("c", "")), third);
}

}  // namespace partita
