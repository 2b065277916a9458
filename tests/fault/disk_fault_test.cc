// Disks that are slow, full or broken while the engine runs on them.
#include <array>
#include <barrier>
#include <chrono>
#include <future>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <thread>

#include <gtest/gtest.h>

#include "durability_ticket.h"
#include "fault_file_system.h"
#include "scratch_directory.h"
#include "storage/contract/contract_fixture.h"
#include "storage/rocksdb/rocksdb_engine.h"

namespace partita {

namespace {

using contract::Batch;
using contract::EngineDriver;
using contract::Place;
using std::chrono::milliseconds;

class DiskFault : public testing::Test {
 protected:
  DiskFault() { open(); }

  void open() {
    auto engine =
        open_rocksdb_engine({.directory = scratch_.data(), .sync = true, .file_system = files_});
    ASSERT_TRUE(engine.has_value()) << engine.error().message();
    engine_ = std::move(*engine);
    driver_.emplace(*engine_);
  }
  void cut_power_and_reopen() {
    files_->cut_power();
    engine_.reset();
    files_->restore_power(FaultFileSystem::Tail::None);
    open();
  }

  Batch row(std::string_view name, std::string_view value) {
    Batch batch(Place(1, name));
    batch.put("", value).record(name).grow(1, 10);
    return batch;
  }
  std::future<Result<void>> durable(Version version) { return when_durable(*engine_, version); }
  // A full disk that is freed again is noticed by RocksDB within seconds.
  Version commit_once_there_is_room(std::string_view name) {
    for (int i = 0; i < 300; ++i) {
      const Batch batch = row(name, "x");
      const std::array batches{batch.batch()};
      auto version = engine_->commit(batches, contract::at_second(1));
      if (version) return *version;
      if (i == 299) ADD_FAILURE() << version.error().message();
      std::this_thread::sleep_for(milliseconds(100));
    }
    return 0;
  }

  const ScratchDirectory scratch_;
  const std::shared_ptr<FaultFileSystem> files_ = std::make_shared<FaultFileSystem>(1);
  std::unique_ptr<Engine> engine_;
  std::optional<EngineDriver> driver_;
};

}  // namespace

TEST_F(DiskFault, sixty_four_waiting_writers_share_syncs) {
  const std::uint64_t syncs_before = files_->log_syncs(),
                      counted_before = engine_->counters().syncs;
  constexpr int kWriters = 64, kRounds = 10;
  // In each round all commit while the first sync is held, and so wait for it or for the next.
  files_->hold_log_syncs(true);
  std::barrier committed(kWriters, [this]() noexcept { files_->hold_log_syncs(false); });
  std::barrier answered(kWriters, [this]() noexcept { files_->hold_log_syncs(true); });
  std::vector<std::thread> writers;
  for (int i = 0; i < kWriters; ++i) {
    writers.emplace_back([&, i] {
      EngineDriver driver(*engine_);
      for (int round = 0; round < kRounds; ++round) {
        const Version version =
            driver.commit(row(std::to_string(i) + "/" + std::to_string(round), "x"));
        auto is_durable = durable(version);
        committed.arrive_and_wait();
        EXPECT_TRUE(is_durable.get().has_value());
        answered.arrive_and_wait();
      }
    });
  }
  for (std::thread& writer : writers) writer.join();
  files_->hold_log_syncs(false);
  const std::uint64_t syncs = files_->log_syncs() - syncs_before;
  EXPECT_LE(syncs, 2u * kRounds);
  EXPECT_GE(syncs, 1u * kRounds);
  EXPECT_LE(engine_->counters().syncs - counted_before, syncs);
  EXPECT_GT(engine_->counters().syncs, counted_before);
}

TEST_F(DiskFault, commits_that_share_a_sync_share_a_write) {
  const Version first = driver_->commit(row("first", "x"));
  ASSERT_TRUE(durable(first).get().has_value());
  files_->hold_log_syncs(true);
  const std::uint64_t syncs_before = files_->log_syncs();
  ASSERT_GT(driver_->commit(row("held", "x")), first);
  while (files_->log_syncs() == syncs_before) std::this_thread::yield();
  const std::uint64_t writes_before = files_->log_writes();
  Version last = 0;
  for (int i = 0; i < 50; ++i) last = driver_->commit(row(std::to_string(i), "x"));
  EXPECT_EQ(files_->log_writes(), writes_before);
  files_->hold_log_syncs(false);
  ASSERT_TRUE(durable(last).get().has_value());
  EXPECT_LE(files_->log_writes(), writes_before + 2) << "a write, and now and then zeros ahead";
  cut_power_and_reopen();
  EXPECT_EQ(driver_->scan(1).size(), 52u);
}

TEST_F(DiskFault, who_does_not_wait_for_syncs_gets_every_commit_written) {
  engine_.reset();
  auto engine =
      open_rocksdb_engine({.directory = scratch_.data(), .sync = false, .file_system = files_});
  ASSERT_TRUE(engine.has_value()) << engine.error().message();
  files_->hold_log_syncs(true);  // they would write zeros
  EngineDriver driver(**engine);
  for (int i = 0; i < 10; ++i) {
    const std::uint64_t writes_before = files_->log_writes();
    driver.commit(row(std::to_string(i), "x"));
    EXPECT_GT(files_->log_writes(), writes_before) << "a kill would lose it";
  }
  files_->hold_log_syncs(false);
}

TEST_F(DiskFault, slow_sync_delays_only_the_answers_that_depend_on_it) {
  const Version old = driver_->commit(row("old", "x"));
  ASSERT_TRUE(durable(old).get().has_value());

  // What waited for the sync would hang here.
  files_->hold_log_syncs(true);
  const Version young = driver_->commit(row("young", "x"));
  auto young_is_durable = durable(young);
  EXPECT_EQ(driver_->get_one(Place(1, "old"), "")->version, old);
  EXPECT_TRUE(durable(old).get().has_value());
  EXPECT_EQ(driver_->get_one(Place(1, "young"), "")->version, young) << "visible, not yet durable";
  EXPECT_LT(engine_->durable(), young);
  EXPECT_EQ(engine_->counters().unsynced_versions, young - old);
  EXPECT_GT(driver_->commit(row("youngest", "x")), young) << "a commit does not wait either";
  EXPECT_EQ(driver_->scan(1).size(), 3u);
  EXPECT_EQ(young_is_durable.wait_for(milliseconds(0)), std::future_status::timeout);
  files_->hold_log_syncs(false);
  EXPECT_TRUE(young_is_durable.get().has_value());
}

TEST_F(DiskFault, failed_sync_makes_the_engine_read_only_until_it_is_opened_again) {
  const Version old = driver_->commit(row("old", "x"));
  ASSERT_TRUE(durable(old).get().has_value());
  EXPECT_TRUE(engine_->accepts_writes().has_value());
  files_->set_syncs_fail(true);
  const Version lost = driver_->commit(row("young", "x"));
  const auto answer = durable(lost).get();
  ASSERT_FALSE(answer.has_value());
  EXPECT_EQ(answer.error().code(), ErrorCode::InternalServerError);
  EXPECT_NE(answer.error().message().find("read-only"), std::string::npos);

  files_->set_syncs_fail(false);  // too late: nobody knows what the disk holds
  auto refused = driver_->try_commit(row("later", "x"));
  ASSERT_FALSE(refused.has_value());
  EXPECT_NE(refused.error().message().find("read-only"), std::string::npos);
  EXPECT_FALSE(engine_->drop(1).has_value());
  const auto readiness = engine_->accepts_writes();
  ASSERT_FALSE(readiness.has_value());
  EXPECT_NE(readiness.error().message().find("open it again"), std::string::npos);
  EXPECT_FALSE(durable(lost).get().has_value());
  EXPECT_TRUE(durable(old).get().has_value());
  EXPECT_EQ(driver_->get_one(Place(1, "old"), "")->version, old) << "reads go on";

  cut_power_and_reopen();
  EXPECT_EQ(driver_->get_one(Place(1, "old"), "")->version, old);
  EXPECT_TRUE(durable(driver_->commit(row("later", "x"))).get().has_value());
}

TEST_F(DiskFault, full_disk_refuses_commits_and_takes_them_again_when_there_is_room) {
  const Version first = driver_->commit(row("first", "x"));
  ASSERT_TRUE(durable(first).get().has_value());
  files_->set_full(true);
  // The one that finds the disk full cannot be taken back; those behind it are not begun.
  const auto uncertain = durable(driver_->commit(row("uncertain", "x"))).get();
  ASSERT_FALSE(uncertain.has_value());
  EXPECT_EQ(uncertain.error().code(), ErrorCode::ServiceUnavailable);
  EXPECT_EQ(uncertain.error().message(),
            "The disk that holds the database is full; this is not yet durable.");
  for (int i = 0; i < 3; ++i) {
    auto refused = driver_->try_commit(row("refused", "x"));
    ASSERT_FALSE(refused.has_value());
    EXPECT_EQ(refused.error().code(), ErrorCode::ServiceUnavailable);
    EXPECT_EQ(refused.error().message(),
              "The disk that holds the database is full; nothing was written.");
  }
  const auto readiness = engine_->accepts_writes();
  ASSERT_FALSE(readiness.has_value());
  EXPECT_NE(readiness.error().message().find("make room"), std::string::npos);
  // Who has seen the uncertain row is told that it may go again.
  const auto seen = driver_->get_one(Place(1, "uncertain"), "");
  ASSERT_TRUE(seen);
  const auto answer = durable(seen->version).get();
  ASSERT_FALSE(answer.has_value());
  EXPECT_EQ(answer.error().code(), ErrorCode::ServiceUnavailable);
  EXPECT_FALSE(driver_->get_one(Place(1, "refused"), ""));
  EXPECT_EQ(driver_->get_one(Place(1, "first"), "")->version, first);

  files_->set_full(false);
  const Version second = driver_->commit(row("second", "x"));
  EXPECT_TRUE(engine_->accepts_writes().has_value());
  ASSERT_TRUE(durable(second).get().has_value());
  cut_power_and_reopen();
  EXPECT_EQ(driver_->get_one(Place(1, "first"), "")->version, first);
  EXPECT_EQ(driver_->get_one(Place(1, "uncertain"), "")->version, seen->version);
  EXPECT_EQ(driver_->get_one(Place(1, "second"), "")->version, second);
  EXPECT_EQ(driver_->scan(1).size(), 3u);
  EXPECT_EQ(driver_->size(1), (Size{3, 30}));
}

TEST_F(DiskFault, what_found_no_room_is_gone_whole_after_a_power_cut) {
  const Version first = driver_->commit(row("first", "x"));
  ASSERT_TRUE(durable(first).get().has_value());
  files_->set_full(true);
  // Of one that is too large to wait for the sync a part may reach the disk.
  EXPECT_FALSE(driver_->try_commit(row("uncertain", std::string(300'000, 'x'))).has_value());
  files_->cut_power();
  engine_.reset();
  files_->set_full(false);
  files_->restore_power(FaultFileSystem::Tail::Some);
  open();
  EXPECT_EQ(driver_->scan(1).size(), 1u);
  EXPECT_EQ(driver_->size(1), (Size{1, 10}));
}

// The disk fills up again and again, each time at another point; nothing acknowledged is lost.
TEST_F(DiskFault, disk_that_fills_up_repeatedly_loses_nothing) {
  std::map<std::string, Version> acknowledged;
  for (int round = 0; round < 4; ++round) {
    const std::string name = "before " + std::to_string(round);
    const Version version = commit_once_there_is_room(name);
    ASSERT_GT(version, 0u);
    ASSERT_TRUE(durable(version).get().has_value());
    acknowledged[name] = version;
    files_->set_full(true);
    (void)driver_->try_commit(row("refused " + std::to_string(round), "x"));
    if (round == 1) engine_.reset();  // closed while full
    files_->set_full(false);
    if (round == 1) open();
    if (round == 2) cut_power_and_reopen();
  }
  const Version last = commit_once_there_is_room("last");
  ASSERT_TRUE(durable(last).get().has_value());
  acknowledged["last"] = last;
  cut_power_and_reopen();
  for (const auto& [name, version] : acknowledged) {
    const auto found = driver_->get_one(Place(1, name), "");
    ASSERT_TRUE(found) << name;
    EXPECT_EQ(found->version, version);
  }
  EXPECT_EQ(driver_->size(1).items, static_cast<std::int64_t>(driver_->scan(1).size()));
}

TEST_F(DiskFault, disk_full_right_after_a_flush_is_no_different) {
  const Version first = driver_->commit(row("first", "x"));
  ASSERT_TRUE(engine_->fork((scratch_.path() / "fork").string()).has_value());  // flushes
  files_->set_full(true);
  EXPECT_FALSE(durable(driver_->commit(row("uncertain", "x"))).get().has_value());
  const auto accepts = engine_->accepts_writes();
  ASSERT_FALSE(accepts.has_value());
  EXPECT_NE(accepts.error().message().find("disk"), std::string::npos);
  EXPECT_FALSE(driver_->try_commit(row("refused", "x")).has_value());
  files_->set_full(false);
  const Version second = commit_once_there_is_room("second");
  ASSERT_GT(second, first);
  EXPECT_TRUE(engine_->accepts_writes().has_value());
  EXPECT_TRUE(durable(second).get().has_value());
  cut_power_and_reopen();
  EXPECT_EQ(driver_->get_one(Place(1, "first"), "")->version, first);
  EXPECT_EQ(driver_->get_one(Place(1, "second"), "")->version, second);
  EXPECT_FALSE(driver_->get_one(Place(1, "refused"), ""));
}

// Here it is RocksDB that finds no room, for a table, and gets over it by itself.
TEST_F(DiskFault, disk_full_during_a_flush_is_noticed_and_got_over) {
  const Version first = driver_->commit(row("first", "x"));
  files_->set_full(true);
  EXPECT_FALSE(engine_->fork((scratch_.path() / "fork").string()).has_value());
  EXPECT_FALSE(driver_->try_commit(row("refused", "x")).has_value());
  files_->set_full(false);
  const Version second = commit_once_there_is_room("second");
  ASSERT_GT(second, first);
  EXPECT_TRUE(durable(second).get().has_value());
  cut_power_and_reopen();
  EXPECT_EQ(driver_->get_one(Place(1, "first"), "")->version, first);
  EXPECT_EQ(driver_->get_one(Place(1, "second"), "")->version, second);
}

TEST_F(DiskFault, opening_on_a_full_disk_gives_one_sentence_and_harms_nothing) {
  const Version version = driver_->commit(row("row", "x"));
  ASSERT_TRUE(durable(version).get().has_value());
  engine_.reset();
  files_->set_full(true);
  for (const std::string& directory : {scratch_.data(), (scratch_.path() / "new").string()}) {
    auto refused = open_rocksdb_engine({.directory = directory, .file_system = files_});
    ASSERT_FALSE(refused.has_value());
    EXPECT_EQ(refused.error().code(), ErrorCode::CannotOpen);
    EXPECT_EQ(refused.error().message(), "Cannot open the data directory " + directory +
                                             ": the disk is full; make room on it.");
  }
  files_->set_full(false);
  open();
  EXPECT_EQ(driver_->get_one(Place(1, "row"), "")->version, version);
}

}  // namespace partita
