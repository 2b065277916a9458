// Writing: atomicity, guards, versions, sizes, drop.

#include <atomic>
#include <random>
#include <string>
#include <vector>

#include "storage/contract/contract_fixture.h"

namespace partita {

TEST_P(EngineContract, commit_replaces_and_deletes) {
  using namespace contract;
  const Place place(1, "p");
  const Version first = driver().commit(Batch(place).put("a", "1").put("b", "1"));
  const Version second = driver().commit(Batch(place).put("a", "2").erase("b").erase("never"));
  EXPECT_GT(first, 0u);
  EXPECT_GT(second, first);
  EXPECT_EQ(driver().get_one(place, "a")->value, "2");
  EXPECT_EQ(driver().get_one(place, "a")->version, second);
  EXPECT_FALSE(driver().get_one(place, "b"));
  EXPECT_EQ(sorts_of(driver().scan(1)), (Strings{"a"}));
}

TEST_P(EngineContract, every_row_carries_the_version_of_its_commit) {
  using namespace contract;
  const Place p(1, "p"), q(2, "q");
  const Version first =
      driver().commit(Batch(p).put("a", "").put("a", "", Slot::Local1), Batch(q).put("a", ""));
  const Version second = driver().commit(Batch(p).put("b", ""));
  EXPECT_EQ(driver().get_one(p, "a")->version, first);
  EXPECT_EQ(driver().get_one(p, "a", nullptr, Slot::Local1)->version, first);
  EXPECT_EQ(driver().get_one(q, "a")->version, first);
  EXPECT_EQ(driver().range(p)[1].version, second);
  EXPECT_EQ(driver().scan(2)[0].version, first);
}

TEST_P(EngineContract, guards_compare_the_version_of_a_row) {
  using namespace contract;
  const Place place(1, "p");
  auto conflicts = [&](const Batch& batch) {
    auto result = driver().try_commit(batch);
    return !result && result.error().code() == ErrorCode::Conflict;
  };
  const Version version = driver().commit(Batch(place).expect("a", 0).put("a", "1"));
  EXPECT_TRUE(conflicts(Batch(place).expect("a", 0).put("a", "2")));
  EXPECT_TRUE(conflicts(Batch(place).expect("a", version + 1).put("a", "2")));
  EXPECT_TRUE(conflicts(Batch(place).expect("b", version).put("b", "2")));
  EXPECT_TRUE(conflicts(Batch(place).expect("a", version, Slot::Local1).put("a", "2")));
  EXPECT_EQ(driver().get_one(place, "a")->value, "1");
  EXPECT_FALSE(conflicts(Batch(place).expect("a", version).expect("b", 0).put("a", "2")));
  EXPECT_TRUE(conflicts(Batch(place).expect("a", version).put("a", "3")));
  EXPECT_EQ(driver().get_one(place, "a")->value, "2");
}

// Several items of one collection written by one transaction.
TEST_P(EngineContract, a_partition_may_come_in_several_batches) {
  using namespace contract;
  const Place place(1, "p"), other(1, "q");
  const Version first = driver().commit(
      Batch(place).expect("a", 0).put("a", "1").grow(1, 10), Batch(other).put("a", "1").grow(1, 1),
      Batch(place).expect("b", 0).put("b", "1").record("change").grow(1, 20));
  EXPECT_EQ(driver().get_one(place, "a")->version, first);
  EXPECT_EQ(driver().get_one(place, "b")->version, first);
  EXPECT_EQ(driver().size(place), (Size{2, 30}));
  EXPECT_EQ(driver().size(1), (Size{3, 31}));
  auto again = driver().try_commit(Batch(place).expect("a", first).put("a", "2").grow(0, 5),
                                   Batch(place).expect("b", 0).put("b", "2").grow(0, 5));
  ASSERT_FALSE(again.has_value()) << "the second guard of the partition counts too";
  EXPECT_EQ(driver().get_one(place, "a")->value, "1");
  EXPECT_EQ(driver().size(place), (Size{2, 30}));
}

TEST_P(EngineContract, a_batch_may_have_guards_alone) {
  using namespace contract;
  const Place checked(1, "p"), written(1, "q");
  const Version first = driver().commit(Batch(checked).put("a", "1"));
  EXPECT_TRUE(driver()
                  .try_commit(Batch(checked).expect("a", first).expect("b", 0),
                              Batch(written).put("a", "1"))
                  .has_value());
  EXPECT_FALSE(
      driver().try_commit(Batch(written).put("a", "2"), Batch(checked).expect("a", 0)).has_value());
  EXPECT_EQ(driver().get_one(written, "a")->value, "1");
  EXPECT_EQ(driver().get_one(checked, "a")->version, first);
}

TEST_P(EngineContract, failed_guard_leaves_nothing_of_any_batch) {
  using namespace contract;
  const Place p(1, "p", 1), q(1, "q", 1ull << 63), r(2, "r");
  driver().commit(Batch(p).put("a", "old").grow(1, 10));
  for (bool guard_first : {true, false}) {
    Batch writes(p), guarded(q);
    writes.put("a", "new").put("b", "new").record("change").grow(1, 5);
    guarded.expect("missing", 7).put("a", "new").record("change").grow(1, 5);
    Batch other(r);
    other.put("a", "new").grow(1, 1);
    auto result = guard_first ? driver().try_commit(guarded, writes, other)
                              : driver().try_commit(writes, other, guarded);
    ASSERT_FALSE(result.has_value());
    EXPECT_EQ(result.error().code(), ErrorCode::Conflict);
  }
  EXPECT_EQ(driver().get_one(p, "a")->value, "old");
  EXPECT_FALSE(driver().get_one(p, "b"));
  EXPECT_TRUE(driver().range(q).empty());
  EXPECT_TRUE(driver().scan(2).empty());
  EXPECT_EQ(driver().size(1), (Size{1, 10}));
  EXPECT_EQ(driver().size(2), (Size{}));
  EXPECT_EQ(driver().size(q), (Size{}));
  for (Lane lane = 0; lane < kLaneCount; ++lane) EXPECT_TRUE(driver().changes(1, lane).empty());
}

TEST_P(EngineContract, sizes_are_the_sum_of_deltas) {
  using namespace contract;
  const Place p(1, "p"), q(1, "q"), r(2, "r");
  EXPECT_EQ(driver().size(1), (Size{}));
  EXPECT_EQ(driver().size(p), (Size{}));
  driver().commit(Batch(p).put("a", "").grow(1, 100), Batch(q).put("a", "").grow(2, 50),
                  Batch(r).put("a", "").grow(1, 7));
  driver().commit(Batch(p).put("b", "").grow(1, 30));
  driver().commit(Batch(q).erase("a").grow(-2, -50));
  driver().commit(Batch(p).put("a", "smaller").grow(0, -40));
  EXPECT_EQ(driver().size(p), (Size{2, 90}));
  EXPECT_EQ(driver().size(q), (Size{}));
  EXPECT_EQ(driver().size(1), (Size{2, 90}));
  EXPECT_EQ(driver().size(2), (Size{1, 7}));
}

TEST_P(EngineContract, a_space_whose_partitions_keep_no_size_still_has_its_own) {
  const contract::Place place(1, "p");
  const Edit edit{{Slot::Item, "a"}, Bytes("value")};
  PartitionBatch batch{place.partition(), {}, std::span(&edit, 1), {}, {1, 100}};
  batch.keeps_partition_size = false;
  ASSERT_TRUE(engine().commit(std::span(&batch, 1), {}));
  ASSERT_TRUE(engine().commit(std::span(&batch, 1), {}));
  EXPECT_EQ(driver().size(1), (Size{2, 200}));
}

TEST_P(EngineContract, drop_forgets_one_space_and_no_other) {
  using namespace contract;
  for (SpaceId space : {1u, 2u, 3u}) {
    for (int i = 0; i < 50; ++i) {
      const Place place(space, std::to_string(i));
      driver().commit(
          Batch(place).put("a", "1").put("a", "2", Slot::Local3).record("change").grow(1, 10));
    }
  }
  ASSERT_TRUE(engine().drop(2));
  EXPECT_TRUE(driver().scan(2).empty());
  EXPECT_TRUE(driver().scan(2, {}, {}, SIZE_MAX, nullptr, Slot::Local3).empty());
  EXPECT_FALSE(driver().get_one(Place(2, "7"), "a"));
  EXPECT_TRUE(driver().range(Place(2, "7")).empty());
  EXPECT_EQ(driver().size(2), (Size{}));
  EXPECT_EQ(driver().size(Place(2, "7")), (Size{}));
  for (Lane lane = 0; lane < kLaneCount; ++lane) EXPECT_TRUE(driver().changes(2, lane).empty());
  for (SpaceId space : {1u, 3u}) {
    EXPECT_EQ(driver().scan(space).size(), 50u);
    EXPECT_EQ(driver().scan(space, {}, {}, SIZE_MAX, nullptr, Slot::Local3).size(), 50u);
    EXPECT_EQ(driver().size(space), (Size{50, 500}));
    EXPECT_EQ(driver().size(Place(space, "7")), (Size{1, 10}));
    std::size_t changes = 0;
    for (Lane lane = 0; lane < kLaneCount; ++lane) changes += driver().changes(space, lane).size();
    EXPECT_EQ(changes, 50u);
  }
  ASSERT_TRUE(engine().drop(99)) << "a space nobody wrote to can be dropped";
}

// A row written with its guard can lose a race but never an update.
TEST_P(EngineContract, guarded_increments_from_16_threads_are_exact) {
  using namespace contract;
  const Place place(1, "counter");
  driver().commit(Batch(place).put("n", "0"));
  constexpr int kIncrements = 500;
  on_threads(16, [&](int) {
    EngineDriver mine(engine());
    for (int done = 0; done < kIncrements;) {
      auto row = mine.get_one(place, "n");
      ASSERT_TRUE(row);
      const std::string next = std::to_string(std::stoi(row->value) + 1);
      const Batch batch =
          std::move(Batch(place).expect("n", row->version).put("n", next).grow(0, 1));
      const PartitionBatch batches[] = {batch.batch()};
      auto version = engine().commit(batches, at_second(1));
      if (version) {
        EXPECT_GT(*version, row->version);
        ++done;
      } else {
        ASSERT_EQ(version.error().code(), ErrorCode::Conflict);
      }
    }
  });
  EXPECT_EQ(driver().get_one(place, "n")->value, std::to_string(16 * kIncrements));
  EXPECT_EQ(driver().size(1), (Size{0, 16 * kIncrements}));
}

// Rows of one partition written together are seen together, by get and by range.
TEST_P(EngineContract, one_call_sees_one_moment_of_a_partition) {
  using namespace contract;
  const Place place(1, "p");
  auto write = [&](int n) {
    const std::string value = std::to_string(n);
    Batch batch(place);
    for (char sort = 'a'; sort <= 'z'; ++sort) batch.put(std::string(1, sort), value);
    driver().commit(batch);
  };
  write(0);
  std::atomic<bool> done = false;
  std::jthread writer([&] {
    for (int n = 1; n <= 300; ++n) write(n);
    done = true;
  });
  on_threads(3, [&](int number) {
    EngineDriver mine(engine());
    int newest = 0;
    while (!done) {
      auto rows = number == 0   ? mine.get(place, {{Slot::Item, "z"}, {Slot::Item, "a"}})
                  : number == 1 ? mine.range(place)
                                : mine.range(place, {}, Direction::Backward);
      ASSERT_EQ(rows.size(), number == 0 ? 2u : 26u);
      for (const SeenRow& row : rows) ASSERT_EQ(row.value, rows[0].value);
      ASSERT_GE(std::stoi(rows[0].value), newest) << "a reader went back in time";
      newest = std::stoi(rows[0].value);
    }
  });
  writer.join();
}

// Whoever has seen a version sees everything of every version before it.
TEST_P(EngineContract, versions_become_visible_in_their_order) {
  using namespace contract;
  constexpr int kWriters = 4;
  std::vector<Place> places;
  for (int i = 0; i < kWriters; ++i) {
    places.emplace_back(1, std::to_string(i), static_cast<std::uint64_t>(i) << 62);
    driver().commit(Batch(places.back()).put("", ""));
  }
  struct Written {
    std::mutex mutex;
    std::vector<std::pair<Version, int>> commits;  // which writer committed which version
  } written;
  struct Seen {
    int writer;
    Version version, next_version_of_other;
    int other;
  };
  std::vector<Seen> seen;
  std::atomic<int> running = kWriters;
  std::jthread reader([&] {
    EngineDriver mine(engine());
    std::mt19937 random(7);
    while (running > 0) {
      const int first = static_cast<int>(random() % kWriters),
                second = static_cast<int>(random() % kWriters);
      const Version one = mine.get_one(places[static_cast<std::size_t>(first)], "")->version;
      const Version two = mine.get_one(places[static_cast<std::size_t>(second)], "")->version;
      if (seen.size() < 20000) seen.push_back({first, one, two, second});
    }
  });
  on_threads(kWriters, [&](int number) {
    EngineDriver mine(engine());
    std::vector<std::pair<Version, int>> commits;
    for (int i = 0; i < 300; ++i) {
      commits.emplace_back(mine.commit(Batch(places[static_cast<std::size_t>(number)]).put("", "")),
                           number);
    }
    std::lock_guard lock(written.mutex);
    written.commits.insert(written.commits.end(), commits.begin(), commits.end());
    --running;
  });
  reader.join();

  std::sort(written.commits.begin(), written.commits.end());
  for (std::size_t i = 1; i < written.commits.size(); ++i) {
    ASSERT_LT(written.commits[i - 1].first, written.commits[i].first)
        << "a version was given twice";
  }
  for (const Seen& pair : seen) {
    // The other writer's newest commit at or before the version seen first.
    Version newest = 0;
    for (const auto& [version, writer] : written.commits) {
      if (version > pair.version) break;
      if (writer == pair.other) newest = version;
    }
    ASSERT_GE(pair.next_version_of_other, newest)
        << "saw version " << pair.version << " of writer " << pair.writer
        << " and then an older state of writer " << pair.other;
  }
}

TEST_P(EngineContract, counters_count_lookups_cursors_and_commits) {
  using namespace contract;
  const Place place(1, "p");
  driver().commit(Batch(place).put("a", "").put("b", ""));
  const EngineCounters before = engine().counters();
  driver().get(place, {{Slot::Item, "a"}, {Slot::Item, "missing"}});
  driver().range(place);
  driver().scan(1);
  driver().commit(Batch(place).put("a", "2"), Batch(Place(1, "q")).put("a", "2"));
  const EngineCounters after = engine().counters();
  EXPECT_EQ(after.lookups - before.lookups, 2u);
  EXPECT_EQ(after.cursors - before.cursors, 2u);
  EXPECT_EQ(after.commits - before.commits, 1u);
}

}  // namespace partita
