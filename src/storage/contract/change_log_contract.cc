// The change log: numbered inside commit, never a gap for a reader however fast it polls.

#include <atomic>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "storage/contract/contract_fixture.h"

namespace partita {

TEST_P(EngineContract, changes_carry_the_version_of_their_commit_and_go_to_the_lane_of_their_hash) {
  using namespace contract;
  const Place low(1, "low", 1), high(1, "high", 3ull << 62);
  const Version first = driver().commit(Batch(low).put("a", "1").record("r1"));
  const Version second = driver().commit(Batch(low).put("a", "2").record("r2").record("r3"),
                                         Batch(high).put("a", "2").record("r4"),
                                         Batch(Place(1, "low too", 2)).put("a", "2").record("r5"));
  driver().commit(Batch(low).put("a", "3"));
  const Version third = driver().commit(Batch(low).record("without an edit"));
  EXPECT_EQ(driver().changes(1, lane_of(low.hash)),
            (std::vector<SeenChange>{{first, 0, "r1"},
                                     {second, 0, "r2"},
                                     {second, 1, "r3"},
                                     {second, 2, "r5"},
                                     {third, 0, "without an edit"}}));
  EXPECT_EQ(driver().changes(1, lane_of(high.hash)), (std::vector<SeenChange>{{second, 0, "r4"}}));
  EXPECT_TRUE(driver().changes(1, 1).empty());
  EXPECT_TRUE(driver().changes(2, 0).empty());
}

TEST_P(EngineContract, a_log_of_its_own_space_is_numbered_and_dropped_for_itself) {
  using namespace contract;
  const Place first(1, "p", 1), second(1, "q", 2);
  const Version both =
      driver().commit(Batch(first).put("a", "1").record("own").record_in(9, "stream 1"),
                      Batch(second).put("a", "1").record_in(9, "stream 2"));
  EXPECT_EQ(driver().changes(1, 0), (std::vector<SeenChange>{{both, 0, "own"}}));
  EXPECT_EQ(driver().changes(9, 0),
            (std::vector<SeenChange>{{both, 0, "stream 1"}, {both, 1, "stream 2"}}));
  ASSERT_TRUE(engine().drop(1)) << "the rows go, the log of another space stays";
  EXPECT_EQ(driver().changes(9, 0).size(), 2u);
  ASSERT_TRUE(engine().drop(9));
  EXPECT_TRUE(driver().changes(9, 0).empty());
}

TEST_P(EngineContract, changes_go_on_beyond_a_position) {
  using namespace contract;
  const Place place(1, "p", 1);
  const Version first = driver().commit(Batch(place).record("a").record("b"));
  const Version second = driver().commit(Batch(place).record("c"));
  EXPECT_EQ(driver().changes(1, 0, first, 0),
            (std::vector<SeenChange>{{first, 1, "b"}, {second, 0, "c"}}));
  EXPECT_EQ(driver().changes(1, 0, first, 1), (std::vector<SeenChange>{{second, 0, "c"}}));
  EXPECT_EQ(driver().changes(1, 0, first, 99), (std::vector<SeenChange>{{second, 0, "c"}}));
  EXPECT_TRUE(driver().changes(1, 0, second, 0).empty());
  EXPECT_EQ(driver().changes(1, 0, 0, 0, 2),
            (std::vector<SeenChange>{{first, 0, "a"}, {first, 1, "b"}}));
}

TEST_P(EngineContract, records_hold_any_bytes_in_any_number) {
  using namespace contract;
  const Place place(1, "p", 1);
  const std::string zeros("\0\0", 2), big(800 * 1024, 'x');
  driver().commit(Batch(place).record("").record(zeros).record(big).record("end"));
  auto records = driver().changes(1, 0);
  ASSERT_EQ(records.size(), 4u);
  EXPECT_EQ(records[0].record, "");
  EXPECT_EQ(records[1].record, zeros);
  EXPECT_EQ(records[2].record, big);
  EXPECT_EQ(records[3].record, "end");
  for (int i = 0; i < 500; ++i) driver().commit(Batch(place).record(std::string(300, 'y')));
  EXPECT_EQ(driver().changes(1, 0).size(), 504u);
}

TEST_P(EngineContract, trim_removes_what_is_older_than_a_version) {
  using namespace contract;
  const Place place(1, "p", 1), other(2, "p", 1), other_lane(1, "p", 1ull << 63);
  std::vector<Version> versions;
  for (int i = 0; i < 10; ++i) {
    const std::string name = std::to_string(i);
    versions.push_back(driver().commit(Batch(place).record(name), Batch(other).record(name),
                                       Batch(other_lane).record(name)));
  }
  ASSERT_TRUE(engine().trim_changes(1, 0, versions[4]));
  auto left = driver().changes(1, 0);
  ASSERT_EQ(left.size(), 6u);
  EXPECT_EQ(left[0].version, versions[4]);
  EXPECT_EQ(driver().changes(1, lane_of(other_lane.hash)).size(), 10u);
  EXPECT_EQ(driver().changes(2, 0).size(), 10u);
  ASSERT_TRUE(engine().trim_changes(1, 0, versions[2])) << "older than what is trimmed already";
  EXPECT_EQ(driver().changes(1, 0).size(), 6u);
  ASSERT_TRUE(engine().trim_changes(1, 0, versions[9] + 1));
  EXPECT_TRUE(driver().changes(1, 0).empty());
  const Version next = driver().commit(Batch(place).record("next"));
  EXPECT_EQ(driver().changes(1, 0), (std::vector<SeenChange>{{next, 0, "next"}}));
  ASSERT_TRUE(engine().trim_changes(77, 0, 5)) << "a space without changes";
}

TEST_P(EngineContract,
       reader_polling_while_16_threads_write_misses_nothing_and_sees_nothing_twice) {
  using namespace contract;
  constexpr int kThreads = 16, kCommits = 100;
  std::atomic<int> running = kThreads;
  std::mutex mutex;
  std::map<std::string, Version> written;

  std::array<std::vector<SeenChange>, kLaneCount> seen;
  std::jthread reader([&] {
    EngineDriver mine(engine());
    bool last_round = false;
    while (true) {
      for (Lane lane = 0; lane < kLaneCount; ++lane) {
        auto& lane_seen = seen[lane];
        const SeenChange from = lane_seen.empty() ? SeenChange{} : lane_seen.back();
        for (SeenChange& change : mine.changes(1, lane, from.version, from.ordinal, 50)) {
          lane_seen.push_back(std::move(change));
        }
      }
      if (last_round && mine.changes(1, 0, seen[0].empty() ? 0 : seen[0].back().version,
                                     seen[0].empty() ? 0 : seen[0].back().ordinal)
                            .empty()) {
        break;
      }
      last_round = running == 0;
    }
    for (Lane lane = 0; lane < kLaneCount; ++lane) {  // whatever is left beyond the last position
      const SeenChange from = seen[lane].empty() ? SeenChange{} : seen[lane].back();
      for (SeenChange& change : mine.changes(1, lane, from.version, from.ordinal)) {
        seen[lane].push_back(std::move(change));
      }
    }
  });
  on_threads(kThreads, [&](int number) {
    EngineDriver mine(engine());
    std::map<std::string, Version> mine_written;
    for (int i = 0; i < kCommits; ++i) {
      const std::string name = std::to_string(number) + "/" + std::to_string(i);
      const std::string second = name + "'";
      // Two partitions of two lanes: both records must be there, in both lanes' order.
      const Place place(1, name), across(1, second, ~place.hash);
      const Version version = mine.commit(Batch(place).put("", "x").record(name),
                                          Batch(across).put("", "x").record(second));
      mine_written[name] = mine_written[second] = version;
    }
    std::lock_guard lock(mutex);
    written.merge(mine_written);
    --running;
  });
  reader.join();

  std::size_t total = 0;
  for (Lane lane = 0; lane < kLaneCount; ++lane) {
    for (std::size_t i = 0; i < seen[lane].size(); ++i, ++total) {
      const SeenChange& change = seen[lane][i];
      ASSERT_EQ(written.count(change.record), 1u);
      EXPECT_EQ(written[change.record], change.version);
      if (i > 0) {
        const SeenChange& previous = seen[lane][i - 1];
        ASSERT_LT(std::tie(previous.version, previous.ordinal),
                  std::tie(change.version, change.ordinal));
      }
    }
  }
  EXPECT_EQ(total, written.size());
}

// A follower that reads the row a change speaks of finds it at least as new as the change.
TEST_P(EngineContract, row_is_visible_once_its_change_is) {
  using namespace contract;
  const Place place(1, "p", 1);
  driver().commit(Batch(place).put("a", ""));
  std::atomic<bool> done = false;
  std::jthread writer([&] {
    for (int i = 0; i < 500; ++i) driver().commit(Batch(place).put("a", "").record("r"));
    done = true;
  });
  EngineDriver mine(engine());
  SeenChange last;
  while (!done) {
    auto changes = mine.changes(1, 0, last.version, last.ordinal);
    if (changes.empty()) continue;
    last = changes.back();
    ASSERT_GE(mine.get_one(place, "a")->version, last.version);
  }
  writer.join();
}

}  // namespace partita
