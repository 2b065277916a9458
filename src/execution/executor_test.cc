#include "execution/executor.h"

#include <thread>

#include <gtest/gtest.h>

#include "expression/binder.h"
#include "storage/memory/memory_engine.h"

namespace partita {
namespace {

TablePointer songs_table() {
  auto table = std::make_shared<TableSchema>();
  table->name = "Songs";
  table->space = 7;
  table->key = {{{"artist", ScalarType::S}}, {{"title", ScalarType::S}}};
  return table;
}

TablePointer indexed_table() {
  auto table = std::make_shared<TableSchema>(*songs_table());
  IndexSchema by_year;
  by_year.name = "by_year";
  by_year.key = {{{"year", ScalarType::N}}, {}};
  by_year.global = true;
  by_year.space = 8;
  by_year.projection = ProjectionType::KeysOnly;
  table->global_indexes.push_back(by_year);
  IndexSchema by_rating;
  by_rating.name = "by_rating";
  by_rating.key = {{{"artist", ScalarType::S}}, {{"rating", ScalarType::N}}};
  by_rating.slot = Slot::Local1;
  by_rating.space = 9;
  table->local_indexes.push_back(by_rating);
  return table;
}

class ExecutorTest : public testing::Test {
 protected:
  WriteOutcome write(const WritePlan& plan, WriteWishes wishes = {}) {
    auto outcome = executor.write(plan, wishes, TimePoint{}, version);
    EXPECT_TRUE(outcome.has_value()) << outcome.error().message();
    return *std::move(outcome);
  }
  WriteOutcome put(const TablePointer& table, const Item& item, WriteWishes wishes = {}) {
    auto plan = WritePlan::put(table, item, std::nullopt);
    EXPECT_TRUE(plan.has_value()) << plan.error().message();
    return write(*plan, wishes);
  }
  Size size(SpaceId space) { return *engine->size(space); }

  std::unique_ptr<Engine> engine = make_memory_engine();
  Executor executor{*engine};
  Version version = 0;
};

Item song(std::string_view title) {
  return {{"artist", Value::string("Nina Simone")}, {"title", Value::string(title)}};
}

TEST_F(ExecutorTest, put_item_costs_one_lookup_and_one_commit) {
  put(songs_table(), song("Sinnerman"));
  const EngineCounters before = engine->counters();
  put(songs_table(), song("Sinnerman"));
  const EngineCounters after = engine->counters();
  EXPECT_EQ(after.lookups - before.lookups, 1u);
  EXPECT_EQ(after.commits - before.commits, 1u);
  EXPECT_EQ(after.cursors - before.cursors, 0u);
}

TEST_F(ExecutorTest, put_item_with_indexes_costs_one_lookup_and_one_commit) {
  Item item = song("Sinnerman");
  item.set("year", Value::number(1965));
  item.set("rating", Value::number(5));
  const EngineCounters before = engine->counters();
  put(indexed_table(), item);
  const EngineCounters after = engine->counters();
  EXPECT_EQ(after.lookups - before.lookups, 1u);
  EXPECT_EQ(after.commits - before.commits, 1u);
}

TEST_F(ExecutorTest, a_batch_is_one_commit_with_one_lookup_for_each_item) {
  const TablePointer table = indexed_table();
  std::vector<Item> items;
  for (int i = 0; i < 25; ++i) {
    items.push_back(song("song " + std::to_string(i)));
    items.back().set("year", Value::number(1960 + i % 3));
    items.back().set("rating", Value::number(i));
  }
  std::vector<WritePlan> plans;
  for (const Item& item : items) plans.push_back(*WritePlan::put(table, item, std::nullopt));
  const EngineCounters before = engine->counters();
  const auto outcomes = executor.write_batch(plans, TimePoint{}, version);
  ASSERT_TRUE(outcomes.has_value());
  EXPECT_EQ(outcomes->size(), 25u);
  const EngineCounters after = engine->counters();
  EXPECT_EQ(after.lookups - before.lookups, 25u);
  EXPECT_EQ(after.commits - before.commits, 1u);
  EXPECT_EQ(size(7).items, 25);
  EXPECT_EQ(size(8).items, 25);
  EXPECT_EQ(size(9).items, 25);
}

TEST_F(ExecutorTest, a_page_opens_one_cursor) {
  for (int i = 0; i < 50; ++i) put(songs_table(), song("song " + std::to_string(i)));
  const EngineCounters before = engine->counters();
  ReadPlan plan;
  plan.source = {songs_table(), nullptr};
  const auto page = executor.read(plan, nullptr, version);
  ASSERT_TRUE(page.has_value());
  EXPECT_EQ(page->count, 50);
  EXPECT_EQ(engine->counters().cursors - before.cursors, 1u);
  EXPECT_EQ(engine->counters().lookups - before.lookups, 0u);
}

TEST_F(ExecutorTest, deleting_what_is_not_there_commits_nothing) {
  const Item key = song("unknown");
  const auto plan = WritePlan::remove(songs_table(), key, std::nullopt);
  ASSERT_TRUE(plan.has_value());
  const EngineCounters before = engine->counters();
  EXPECT_EQ(write(*plan).charge.table_units, 1);
  EXPECT_EQ(engine->counters().commits, before.commits);
}

TEST_F(ExecutorTest, sizes_follow_every_write) {
  put(songs_table(), song("a"));
  put(songs_table(), song("bb"));
  const std::int64_t both = song("a").view().size_bytes() + song("bb").view().size_bytes();
  EXPECT_EQ(size(7), (Size{2, both}));
  Item larger = song("a");
  larger.set("note", Value::string(std::string(2000, 'x')));
  EXPECT_EQ(put(songs_table(), larger).charge.table_units, 2);
  EXPECT_EQ(size(7), (Size{2, both + 2004}));
  EXPECT_EQ(put(songs_table(), song("a")).charge.table_units, 2) << "the larger of both images";
  EXPECT_EQ(size(7), (Size{2, both}));
}

TEST_F(ExecutorTest, index_rows_come_move_and_go_with_the_item) {
  const TablePointer table = indexed_table();
  Item item = song("Sinnerman");
  put(table, item);
  EXPECT_EQ(size(8).items, 0) << "sparse";
  item.set("year", Value::number(1965));
  item.set("rating", Value::number(5));
  const WriteOutcome entered = put(table, item);
  EXPECT_EQ(entered.charge.indexes.size(), 2u);
  EXPECT_EQ(size(8).items, 1);
  EXPECT_EQ(size(9).items, 1);

  item.set("note", Value::string("not projected by by_year"));
  const WriteOutcome unchanged = put(table, item);
  ASSERT_EQ(unchanged.charge.indexes.size(), 1u) << "by_year keeps keys only";
  EXPECT_EQ(unchanged.charge.indexes[0].index->name, "by_rating");

  item.set("year", Value::number(1966));
  item.set("rating", Value::number(4));
  const WriteOutcome moved = put(table, item);
  ASSERT_EQ(moved.charge.indexes.size(), 2u);
  for (const auto& part : moved.charge.indexes) EXPECT_EQ(part.units, 2) << "delete and put";
  EXPECT_EQ(size(8).items, 1);

  const Item key = song("Sinnerman");
  const auto plan = WritePlan::remove(table, key, std::nullopt);
  write(*plan);
  EXPECT_EQ(size(8), Size{});
  EXPECT_EQ(size(9), Size{});
  EXPECT_EQ(size(7), Size{});
}

TEST_F(ExecutorTest, concurrent_puts_keep_counts_exact) {
  const TablePointer table = indexed_table();
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < 300; ++i) {
        Item item = song("song " + std::to_string(i % 20));
        item.set("year", Value::number((t * 7 + i) % 5));
        const auto plan = WritePlan::put(table, item, std::nullopt);
        Version seen = 0;
        const auto outcome = executor.write(*plan, {}, TimePoint{}, seen);
        ASSERT_TRUE(outcome.has_value());
        ASSERT_NE(seen, 0u);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(size(7).items, 20);
  EXPECT_EQ(size(8).items, 20);
}

}  // namespace
}  // namespace partita
