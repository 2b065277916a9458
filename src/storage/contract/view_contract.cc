// Views and forks: one moment of the whole engine, kept or continued. Engines without them say so.

#include <atomic>
#include <string>

#include "storage/contract/contract_fixture.h"

namespace partita {

TEST_P(EngineContract, engine_without_views_or_forks_answers_null) {
  if (!engine().capabilities().views) {
    EXPECT_EQ(engine().view(), nullptr);
  } else {
    EXPECT_NE(engine().view(), nullptr);
  }
  auto fork = engine().fork(fork_directory());
  ASSERT_TRUE(fork.has_value());
  EXPECT_EQ(*fork != nullptr, engine().capabilities().forks);
}

TEST_P(EngineContract, view_is_not_moved_by_later_writes) {
  using namespace contract;
  if (!engine().capabilities().views) return;
  for (int i = 0; i < 200; ++i) {
    const std::string name = std::to_string(i);
    driver().commit(Batch(Place(1, name)).put("a", name).put("b", name));
  }
  const auto view = engine().view();
  const auto before = values_of(driver().scan(1));
  for (int i = 0; i < 300; ++i) {  // changes some, deletes some, adds some
    const std::string name = std::to_string(i);
    if (i % 3 == 0) {
      driver().commit(Batch(Place(1, name)).erase("a").erase("b"));
    } else {
      driver().commit(Batch(Place(1, name)).put("a", "new").put("c", "new"));
    }
  }
  ASSERT_TRUE(engine().drop(2));
  EXPECT_EQ(values_of(driver().scan(1, {}, {}, SIZE_MAX, view.get())), before);
  EXPECT_NE(values_of(driver().scan(1)), before);
  const Place place(1, "100");
  EXPECT_EQ(driver().get_one(place, "a", view.get())->value, "100");
  EXPECT_FALSE(driver().get_one(place, "c", view.get()));
  EXPECT_FALSE(driver().get_one(Place(1, "250"), "a", view.get()));
  EXPECT_EQ(sorts_of(driver().range(Place(1, "99"), {}, Direction::Forward, SIZE_MAX, view.get())),
            (Strings{"a", "b"}));
  EXPECT_EQ(sorts_of(driver().range(place, {}, Direction::Backward, SIZE_MAX, view.get())),
            (Strings{"b", "a"}));
  EXPECT_EQ(driver().get_one(place, "a")->value, "new");
}

TEST_P(EngineContract, view_is_one_moment_across_partitions) {
  using namespace contract;
  if (!engine().capabilities().views) return;
  const Place p(1, "p", 1), q(2, "q", ~0ull);
  driver().commit(Batch(p).put("", "0"), Batch(q).put("", "0"));
  std::atomic<bool> done = false;
  std::jthread writer([&] {
    for (int i = 1; i <= 5000; ++i) {
      const std::string value = std::to_string(i);
      driver().commit(Batch(p).put("", value), Batch(q).put("", value));
    }
    done = true;
  });
  EngineDriver mine(engine());
  while (!done) {
    const auto view = engine().view();
    auto one = mine.get_one(p, "", view.get()), two = mine.get_one(q, "", view.get());
    ASSERT_TRUE(one && two);
    ASSERT_EQ(one->value, two->value);
    ASSERT_EQ(one->version, two->version);
  }
  writer.join();
}

TEST_P(EngineContract, fork_goes_its_own_way) {
  using namespace contract;
  if (!engine().capabilities().forks) return;
  const Place place(1, "p", 1);
  for (int i = 0; i < 100; ++i) {
    driver().commit(Batch(Place(1, std::to_string(i))).put("a", "old").grow(1, 10));
  }
  const Version before = driver().commit(Batch(place).put("a", "old").record("before").grow(1, 10));
  auto result = engine().fork(fork_directory());
  ASSERT_TRUE(result.has_value()) << result.error().message();
  std::unique_ptr<Engine> forked = std::move(*result);
  EngineDriver fork(*forked);
  EXPECT_EQ(fork.scan(1).size(), 101u);
  EXPECT_EQ(fork.size(1), (Size{101, 1010}));
  EXPECT_EQ(fork.changes(1, 0), driver().changes(1, 0));

  const Version there = fork.commit(Batch(place).put("a", "fork").record("fork").grow(0, 1));
  const Version here = driver().commit(Batch(place).erase("a").record("here").grow(-1, -10));
  EXPECT_GT(there, before);
  EXPECT_GT(here, before);
  EXPECT_EQ(fork.get_one(place, "a")->value, "fork");
  EXPECT_FALSE(driver().get_one(place, "a"));
  EXPECT_EQ(fork.size(place), (Size{1, 11}));
  EXPECT_EQ(driver().size(place), (Size{}));
  EXPECT_EQ(driver().size(1), (Size{100, 1000}));
  EXPECT_EQ(fork.changes(1, 0, before, 0), (std::vector<SeenChange>{{there, 0, "fork"}}));
  EXPECT_EQ(driver().changes(1, 0, before, 0), (std::vector<SeenChange>{{here, 0, "here"}}));

  ASSERT_TRUE(engine().drop(1));
  EXPECT_EQ(fork.scan(1).size(), 101u);
  forked.reset();
  EXPECT_TRUE(driver().scan(1).empty());
}

}  // namespace partita
