// Power cuts at random points while threads write; what was acknowledged must be there afterwards.
//
// Each thread counts up in a few groups of rows. A commit writes its number to all rows of a group,
// in two partitions, with a guard, a change record and a size delta, so that what is left after a
// cut tells exactly which commits survived: they must be all up to some version and none beyond it.
// The same runs in relaxed mode, where acknowledged commits must get lost, or else the test proves
// nothing.
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <deque>
#include <iostream>
#include <map>
#include <mutex>
#include <random>
#include <set>
#include <thread>

#include <gtest/gtest.h>

#include "fault_file_system.h"
#include "scratch_directory.h"
#include "storage/contract/contract_fixture.h"
#include "storage/rocksdb/rocksdb_engine.h"

namespace partita {

namespace {

using contract::Batch;
using contract::EngineDriver;
using contract::Place;

constexpr SpaceId kSpace = 1, kFirstDroppedSpace = 100;
constexpr std::size_t kThreads = 6, kGroupsPerThread = 3;

// Rows that are always written together.
struct Group {
  Group(std::size_t number)
      : name(std::to_string(number)),
        here(kSpace, "here " + name),
        there(kSpace, "there " + name) {}

  std::string name;
  Place here, there;
  std::map<int, Version> versions;    // of the commits that returned
  int attempted = 0;                  // the newest number tried
  std::atomic<int> acknowledged = 0;  // the newest number reported durable
};

struct GroupSeen {
  int number = 0;
  Version version = 0;
};

class PowerCuts {
 public:
  PowerCuts(std::uint64_t seed, bool sync)
      : random_(seed), sync_(sync), files_(std::make_shared<FaultFileSystem>(seed)) {
    for (std::size_t i = 0; i < kThreads * kGroupsPerThread; ++i) groups_.emplace_back(i);
  }

  void run(std::chrono::seconds time, int cuts_min) {
    const auto end = std::chrono::steady_clock::now() + time;
    while ((cuts_ < cuts_min || std::chrono::steady_clock::now() < end) &&
           !testing::Test::HasFailure()) {
      write_until_cut();
      restore_power();
      for (int again = static_cast<int>(random_() % 3); again > 0; --again) open_until_cut();
      open();
      if (engine_ == nullptr) return;
      check();
      ++cuts_;
    }
  }

  int cuts() const { return cuts_; }
  int acknowledged_and_lost() const { return acknowledged_and_lost_; }
  std::uint64_t survived() const { return survived_; }

 private:
  void restore_power() { files_->restore_power(static_cast<FaultFileSystem::Tail>(random_() % 3)); }

  Result<std::unique_ptr<Engine>> try_to_open() {
    return open_rocksdb_engine(
        {.directory = scratch_.data(), .sync = sync_, .file_system = files_});
  }

  void open() {
    auto engine = try_to_open();
    ASSERT_TRUE(engine.has_value()) << engine.error().message();
    engine_ = std::move(*engine);
  }

  // The power goes again while what is left after a cut is being read, or just after.
  void open_until_cut() {
    files_->cut_power_after(1 + random_() % 40);
    {
      const auto engine = try_to_open();
      files_->cut_power();
    }
    restore_power();
  }

  void write_until_cut() {
    const bool by_steps = random_() % 2 == 0;
    const bool large_rows = random_() % 8 == 0;  // enough of them that tables are written
    padding_.assign(large_rows ? 100'000 : 10, 'x');
    if (by_steps) files_->cut_power_after(1 + random_() % (large_rows ? 3000 : 300));
    if (engine_ == nullptr) {  // the first time: a cut while the database is made is as good
      if (auto engine = try_to_open()) engine_ = std::move(*engine);
    }
    if (engine_ != nullptr) {
      std::vector<std::thread> writers;
      for (std::size_t i = 0; i < kThreads; ++i) {
        writers.emplace_back([this, i, seed = random_()] { write(i, seed); });
      }
      std::thread dropper([this] { drop_a_space(); });
      std::this_thread::sleep_for(
          std::chrono::milliseconds(1 + random_() % (large_rows ? 300 : 40)));
      files_->cut_power();
      for (std::thread& writer : writers) writer.join();
      dropper.join();
    }
    files_->cut_power();
    engine_.reset();  // answers what still waits; no callback refers to the groups after this
  }

  void write(std::size_t thread, std::uint64_t seed) {
    std::mt19937_64 random(seed);
    const bool patient = thread % 2 == 0;  // waits for each acknowledgement
    for (int i = 0; i < 2000 && !files_->is_cut(); ++i) {
      Group& group = groups_[thread * kGroupsPerThread + random() % kGroupsPerThread];
      if (!commit_next(group)) return;
      const int number = group.attempted;
      engine_->when_durable(group.versions[number], [&group, number](Result<void> result) {
        if (result) group.acknowledged = std::max(group.acknowledged.load(), number);
      });
      while (patient && group.acknowledged < number && !files_->is_cut()) {
        std::this_thread::sleep_for(std::chrono::microseconds(100));
      }
    }
  }

  bool commit_next(Group& group) {
    const int number = ++group.attempted;
    const auto previous = group.versions.find(number - 1);
    const std::string value = std::to_string(number) + " " + padding_;
    Batch here(group.here), there(group.there);
    here.expect("a", previous == group.versions.end() ? 0 : previous->second).put("a", value);
    here.record(group.name + "/" + std::to_string(number)).grow(1, 10);
    there.put("c", value);
    number % 3 == 0 ? there.erase("b") : there.put("b", value);
    const std::array batches{here.batch(), there.batch()};
    auto version = engine_->commit(batches, machine_time());
    if (!version) {
      EXPECT_TRUE(files_->is_cut()) << version.error().message();
      return false;
    }
    group.versions[number] = *version;
    return true;
  }

  // A space whose drop was reported durable, by way of a later commit, stays away.
  void drop_a_space() {
    const SpaceId space = next_dropped_space_++;
    Batch row(Place(space, "p")), later(Place(space + 1'000'000, "later"));
    row.put("", "x").grow(1, 1);
    later.put("", "x");
    const std::array rows{row.batch()}, laters{later.batch()};
    if (!engine_->commit(rows, machine_time())) return;
    if (!engine_->drop(space)) return;
    auto version = engine_->commit(laters, machine_time());
    if (!version) return;
    engine_->when_durable(*version, [this, space](Result<void> result) {
      const std::lock_guard lock(dropped_mutex_);
      if (result && sync_) dropped_.insert(space);
    });
  }

  GroupSeen read(EngineDriver& driver, const Group& group) {
    GroupSeen seen;
    const auto a = driver.get_one(group.here, "a");
    const auto b = driver.get_one(group.there, "b"), c = driver.get_one(group.there, "c");
    EXPECT_EQ(a.has_value(), c.has_value()) << "half a commit";
    if (!a || !c) return seen;
    seen.number = std::stoi(a->value);
    seen.version = a->version;
    EXPECT_EQ(a->value, c->value);
    EXPECT_EQ(a->version, c->version);
    EXPECT_EQ(b.has_value(), seen.number % 3 != 0);
    if (b) {
      EXPECT_EQ(b->value, a->value);
    }
    return seen;
  }

  void check() {
    EngineDriver driver(*engine_);
    std::map<std::string, Version> records;
    for (Lane lane = 0; lane < kLaneCount; ++lane) {
      for (const auto& change : driver.changes(kSpace, lane)) {
        EXPECT_TRUE(records.emplace(change.record, change.version).second) << change.record;
      }
    }
    Version newest = 0;
    for (const auto& [record, version] : records) newest = std::max(newest, version);
    EXPECT_GE(engine_->durable(), newest);

    std::int64_t total = 0;
    for (Group& group : groups_) total += check_group(driver, group, records, newest);
    EXPECT_EQ(records.size(), static_cast<std::size_t>(total));
    EXPECT_EQ(driver.size(kSpace), (Size{total, 10 * total}));
    for (const SpaceId space : dropped_) {
      EXPECT_TRUE(driver.scan(space).empty()) << "a dropped space came back";
      EXPECT_EQ(driver.size(space), (Size{}));
    }
    survived_ = static_cast<std::uint64_t>(total);
  }

  // Returns how many commits of the group survived, and forgets the others.
  int check_group(EngineDriver& driver, Group& group, const std::map<std::string, Version>& records,
                  Version newest) {
    const GroupSeen seen = read(driver, group);
    EXPECT_LE(seen.number, group.attempted);
    if (seen.number < group.acknowledged) {
      ++acknowledged_and_lost_;
      if (sync_)
        ADD_FAILURE() << "acknowledged " << group.acknowledged << ", found " << seen.number;
    }
    EXPECT_EQ(driver.size(group.here), (Size{seen.number, 10 * seen.number}));
    for (const auto& [number, version] : group.versions) {
      EXPECT_EQ(number <= seen.number, version <= newest) << "commits survived out of order";
    }
    for (int number = 1; number <= seen.number; ++number) {
      const auto record = records.find(group.name + "/" + std::to_string(number));
      EXPECT_TRUE(record != records.end());
      if (record == records.end()) continue;
      // A commit that was cut off before it returned may have survived; now its version is known.
      const auto known = group.versions.emplace(number, record->second).first;
      EXPECT_EQ(known->second, record->second);
      newest_ever_ = std::max(newest_ever_, record->second);
    }
    if (seen.number > 0) {
      EXPECT_EQ(group.versions[seen.number], seen.version);
    }
    for (const auto& [number, version] : group.versions) {
      newest_ever_ = std::max(newest_ever_, version);
    }
    EXPECT_GE(engine_->durable(), newest_ever_) << "a version could be given twice";
    group.versions.erase(group.versions.upper_bound(seen.number), group.versions.end());
    group.attempted = seen.number;
    group.acknowledged = seen.number;
    return seen.number;
  }

  std::mt19937_64 random_;
  const bool sync_;
  const ScratchDirectory scratch_;
  const std::shared_ptr<FaultFileSystem> files_;
  std::unique_ptr<Engine> engine_;
  std::deque<Group> groups_;
  std::string padding_;
  std::mutex dropped_mutex_;
  std::set<SpaceId> dropped_;
  SpaceId next_dropped_space_ = kFirstDroppedSpace;
  Version newest_ever_ = 0;
  int cuts_ = 0, acknowledged_and_lost_ = 0;
  std::uint64_t survived_ = 0;
};

std::uint64_t chosen_seed() {
  const char* given = std::getenv("PARTITA_SEED");
  const std::uint64_t seed =
      given != nullptr ? std::strtoull(given, nullptr, 10) : std::random_device()();
  std::cout << "PARTITA_SEED=" << seed << '\n';
  return seed;
}

}  // namespace

TEST(PowerCut, nothing_acknowledged_is_lost_and_what_is_left_is_every_commit_up_to_a_version) {
  PowerCuts cuts(chosen_seed(), /*sync=*/true);
  cuts.run(std::chrono::seconds(15), /*cuts_min=*/20);
  std::cout << cuts.cuts() << " cuts, " << cuts.survived() << " commits survived\n";
  EXPECT_GT(cuts.survived(), 0u);
}

TEST(PowerCut, relaxed_durability_loses_acknowledged_commits_which_proves_the_test) {
  PowerCuts cuts(chosen_seed(), /*sync=*/false);
  // Each cut has a good chance to lose something; a slow machine has few of them in a second.
  for (int tries = 0; tries < 20 && cuts.acknowledged_and_lost() == 0; ++tries) {
    cuts.run(std::chrono::seconds(3), /*cuts_min=*/10);
  }
  std::cout << cuts.cuts() << " cuts, " << cuts.acknowledged_and_lost() << " groups lost some\n";
  EXPECT_GT(cuts.acknowledged_and_lost(), 0);
}

}  // namespace partita
