// The memory engine: the contract of all engines, and what is promised of this one alone.
#include "storage/memory/memory_engine.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <string>
#include <thread>
#include <unordered_map>
#include <vector>

#include <malloc.h>

#include "storage/engine_contract_test.h"

namespace partita {
namespace {

using contract::Batch;
using contract::EngineDriver;
using contract::Place;

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kSanitized = true;
#else
constexpr bool kSanitized = false;
#endif

INSTANTIATE_TEST_SUITE_P(
    Memory, EngineContract,
    testing::Values(EngineUnderTest{
        "memory", [](const std::filesystem::path&) { return make_memory_engine(); }, false}));

std::string name_of(int i) { return "item" + std::to_string(i); }

// Single-item partitions, a hundred to a commit.
void fill(Engine& engine, SpaceId space, int first, int end, std::string_view value) {
  EngineDriver driver(engine);
  for (int i = first; i < end; i += 100) {
    std::vector<Batch> batches;
    std::vector<PartitionBatch> given;
    for (int j = i; j < std::min(i + 100, end); ++j) {
      batches.emplace_back(Place(space, name_of(j))).put("", value).grow(1, 100);
    }
    for (const Batch& batch : batches) given.push_back(batch.batch());
    ASSERT_TRUE(driver.try_commit(given).has_value());
  }
}

TEST(MemoryEngine, scan_paged_during_100000_inserts_returns_every_earlier_item_once) {
  auto engine = make_memory_engine();
  constexpr int kEarlier = 5000, kInserted = kSanitized ? 20000 : 100000;
  fill(*engine, 1, 0, kEarlier, "earlier");
  std::atomic<bool> done = false;
  std::jthread writer([&] {
    fill(*engine, 1, kEarlier, kEarlier + kInserted, "inserted");
    done = true;
  });
  int scans = 0;
  do {
    std::unordered_map<std::string, int> seen;
    std::optional<ScanStart> start;
    std::string last_key;
    while (true) {
      int rows = 0;
      ASSERT_TRUE(engine->scan(1, Slot::Item, {}, start, {}, nullptr, [&](const RowView& row) {
        if (row.value == "earlier") ++seen[std::string(row.partition.key)];
        last_key = row.partition.key;
        start = ScanStart{row.partition.hash, {}, {}};
        return ++rows < 100;
      }));
      if (rows == 0) break;
      start->key = last_key;
    }
    ASSERT_EQ(seen.size(), static_cast<std::size_t>(kEarlier));
    for (const auto& [key, times] : seen) ASSERT_EQ(times, 1) << key;
    ++scans;
  } while (!done);
  writer.join();
  EXPECT_GT(scans, 0);
  EXPECT_EQ(engine->size(1)->items, kEarlier + kInserted);
}

// That the time does not depend on the number of items, cow_tree_test shows: a copy is one pointer.
TEST(MemoryEngine, view_of_a_million_items_takes_under_a_millisecond_and_stays) {
  auto engine = make_memory_engine();
  constexpr int kItems = kSanitized ? 50000 : 1000000;
  fill(*engine, 1, 0, kItems, "old");
  const Version before = engine->durable();

  auto best = std::chrono::steady_clock::duration::max();
  std::shared_ptr<const View> view;
  for (int i = 0; i < 20; ++i) {
    const auto start = std::chrono::steady_clock::now();
    view = engine->view();
    best = std::min(best, std::chrono::steady_clock::now() - start);
  }
  EXPECT_LT(best, std::chrono::milliseconds(1));

  fill(*engine, 1, 0, 20000, "new");
  fill(*engine, 1, kItems, kItems + 20000, "new");
  EngineDriver driver(*engine);
  for (int i = 30000; i < 31000; ++i) driver.commit(Batch(Place(1, name_of(i))).erase(""));
  int rows = 0;
  ASSERT_TRUE(engine->scan(1, Slot::Item, {}, {}, {}, view.get(), [&](const RowView& row) {
    EXPECT_EQ(row.value, "old");
    EXPECT_LE(row.version, before);
    ++rows;
    return row.value == "old";
  }));
  EXPECT_EQ(rows, kItems);
  view.reset();
  rows = 0;
  ASSERT_TRUE(engine->scan(1, Slot::Item, {}, {}, {}, nullptr, [&](const RowView&) {
    ++rows;
    return true;
  }));
  EXPECT_EQ(rows, kItems + 19000);
}

TEST(MemoryEngine, view_outlives_a_drop_and_the_engine) {
  auto engine = make_memory_engine();
  fill(*engine, 1, 0, 2000, "value");
  auto fork = *engine->fork("");
  auto view = engine->view();
  ASSERT_TRUE(engine->drop(1));
  EXPECT_EQ(EngineDriver(*engine).scan(1, {}, {}, SIZE_MAX, view.get()).size(), 2000u);
  EXPECT_TRUE(EngineDriver(*engine).scan(1).empty());
  engine.reset();
  EXPECT_EQ(EngineDriver(*fork).scan(1, {}, {}, SIZE_MAX, view.get()).size(), 2000u);
}

// A sink takes its time without anybody waiting for it: it may even write.
TEST(MemoryEngine, sink_may_write_to_the_rows_it_is_shown) {
  auto engine = make_memory_engine();
  fill(*engine, 1, 0, 1000, "old");
  EngineDriver driver(*engine);
  int rows = 0;
  ASSERT_TRUE(engine->scan(1, Slot::Item, {}, {}, {}, nullptr, [&](const RowView& row) {
    Place place(1, "");
    place.hash = row.partition.hash;
    place.key = row.partition.key;
    driver.commit(Batch(place).put("", "new").put("more", "new", Slot::Local1));
    ++rows;
    return true;
  }));
  EXPECT_EQ(rows, 1000);
  for (const auto& row : driver.scan(1)) ASSERT_EQ(row.value, "new");
}

TEST(MemoryEngine, items_cost_little_more_than_their_bytes) {
  if (kSanitized) return;  // their allocators keep other books
  auto engine = make_memory_engine();
  const std::size_t before = mallinfo2().uordblks + mallinfo2().hblkhd;
  constexpr std::size_t kItems = 20000;
  fill(*engine, 1, 0, kItems, std::string(1024, 'x'));
  const std::size_t used = mallinfo2().uordblks + mallinfo2().hblkhd - before;
  EXPECT_LT(used / kItems, 1024u + 200u);
  ASSERT_TRUE(engine->drop(1));
  for (int i = 0; i < 500 && mallinfo2().uordblks > before + used / 10; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  EXPECT_LT(mallinfo2().uordblks, before + used / 10) << "what was dropped is given back";
}

TEST(MemoryEngine, small_tables_are_small) {
  if (kSanitized) return;
  const std::size_t before = mallinfo2().uordblks;
  auto engine = make_memory_engine();
  EXPECT_LT(mallinfo2().uordblks - before, 8u * 1024);
  for (SpaceId space = 1; space <= 100; ++space) fill(*engine, space, 0, 10, "value");
  EXPECT_LT((mallinfo2().uordblks - before) / 100, 10u * 1024);
}

}  // namespace
}  // namespace partita
