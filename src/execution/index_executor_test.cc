// Index rows that are not written with their item, and writers while an index comes or goes.
#include <gtest/gtest.h>

#include "execution/executor.h"
#include "execution/index_maintenance.h"
#include "storage/memory/memory_engine.h"

namespace partita {
namespace {

constexpr SpaceId kTable = 7, kIndex = 8;

TablePointer table_with(IndexPhase phase) {
  auto table = std::make_shared<TableSchema>();
  table->name = "Songs";
  table->space = kTable;
  table->key = {{{"id", ScalarType::S}}, {}};
  IndexSchema by_year;
  by_year.name = "by_year";
  by_year.key = {{{"year", ScalarType::N}}, {}};
  by_year.global = true;
  by_year.space = kIndex;
  by_year.phase = phase;
  table->global_indexes.push_back(by_year);
  return table;
}

TablePointer table_without() {
  auto table = std::make_shared<TableSchema>(*table_with(IndexPhase::Serving));
  table->global_indexes.clear();
  return table;
}

Item song(std::string_view id, int year) {
  return {{"id", Value::string(id)}, {"year", Value::number(year)}};
}

class IndexExecutorTest : public testing::Test {
 protected:
  void put(const TablePointer& table, const Item& item) { put(executor, table, item); }
  void put(Executor& writer, const TablePointer& table, const Item& item) {
    auto plan = WritePlan::put(table, item, std::nullopt);
    ASSERT_TRUE(plan.has_value()) << plan.error().message();
    ASSERT_TRUE(writer.write(*plan, {}, now, version).has_value());
  }
  void remove(const TablePointer& table, std::string_view id) {
    const Item key{{"id", Value::string(id)}};
    auto plan = WritePlan::remove(table, key, std::nullopt);
    ASSERT_TRUE(executor.write(*plan, {}, now, version).has_value());
  }
  void fill(std::string_view id) {
    const TablePointer table = table_with(IndexPhase::Filling);
    const auto key = key_of_item(table->key, Item{{"id", Value::string(id)}});
    ASSERT_TRUE(executor.fill_index(*table, table->global_indexes[0], *key, now).has_value());
  }
  // The entries of the index, and that its size counts them.
  std::vector<Item> entries() {
    std::vector<Item> found;
    EXPECT_TRUE(engine->scan(kIndex, Slot::Item, {}, {}, {}, nullptr, [&](const RowView& row) {
      found.emplace_back(ItemView(row.value));
      return true;
    }));
    Size size;
    for (const Item& item : found) size += {1, item.view().size_bytes()};
    EXPECT_EQ(*engine->size(kIndex), size);
    return found;
  }
  void follow() {
    for (Lane lane = 0; lane < kLaneCount; ++lane) {
      std::vector<std::pair<ChangePosition, std::string>> records;
      const FollowerProgress progress(kIndexFollower, kTable, lane);
      const auto from = progress.read(*engine);
      ASSERT_TRUE(from.has_value());
      ASSERT_TRUE(engine->changes(
          kTable, lane, from->version, from->ordinal, {}, [&](const ChangeView& change) {
            records.emplace_back(ChangePosition{change.version, change.ordinal}, change.record);
            return true;
          }));
      for (const auto& [position, record] : records) {
        const auto change = decode_change(record);
        ASSERT_TRUE(change.has_value());
        ASSERT_TRUE(
            executor
                .apply_change(*table_with(IndexPhase::Serving), *change, progress, position, now)
                .has_value());
        EXPECT_EQ(*progress.read(*engine), position);
      }
    }
  }

  std::unique_ptr<Engine> engine = make_memory_engine();
  Executor executor{*engine};
  Executor recording{*engine, IndexUpkeep::Followed};
  TimePoint now{};
  Version version = 0;
};

TEST_F(IndexExecutorTest, a_joining_index_loses_entries_but_gains_none) {
  put(table_with(IndexPhase::Joining), song("a", 1));
  EXPECT_TRUE(entries().empty());
  put(table_with(IndexPhase::Filling), song("b", 2));
  ASSERT_EQ(entries().size(), 1u);
  put(table_with(IndexPhase::Joining), song("b", 3));
  EXPECT_TRUE(entries().empty());
}

TEST_F(IndexExecutorTest, writers_of_a_filling_index_cope_with_entries_that_are_missing) {
  for (const char* id : {"moved", "same", "gone"}) put(table_without(), song(id, 1));
  const TablePointer filling = table_with(IndexPhase::Filling);
  put(filling, song("moved", 2));
  put(filling, song("same", 1));
  remove(filling, "gone");
  EXPECT_EQ(entries(), (std::vector<Item>{song("moved", 2), song("same", 1)}))
      << "in the order of their hashes";
  put(filling, song("moved", 3));
  remove(filling, "same");
  EXPECT_EQ(entries(), (std::vector<Item>{song("moved", 3)}));
}

TEST_F(IndexExecutorTest, filling_adds_what_is_missing_once) {
  put(table_without(), song("a", 1));
  put(table_with(IndexPhase::Filling), song("b", 2));
  for (int round = 0; round < 2; ++round) {
    for (const char* id : {"a", "b", "nothing"}) fill(id);
    EXPECT_EQ(entries().size(), 2u);
  }
}

TEST_F(IndexExecutorTest, values_that_cannot_be_keys_have_no_entry) {
  put(table_without(), Item{{"id", Value::string("a")}, {"year", Value::string("last")}});
  fill("a");
  EXPECT_TRUE(entries().empty());
}

TEST_F(IndexExecutorTest, a_leaving_index_is_left_alone) {
  put(table_with(IndexPhase::Serving), song("a", 1));
  remove(table_with(IndexPhase::Leaving), "a");
  put(table_with(IndexPhase::Leaving),
      Item{{"id", Value::string("b")}, {"year", Value::string("any type")}});
  EXPECT_EQ(entries(), (std::vector<Item>{song("a", 1)}));
}

TEST_F(IndexExecutorTest, recorded_changes_arrive_later_and_once) {
  const TablePointer table = table_with(IndexPhase::Serving);
  put(recording, table, song("a", 1));
  put(recording, table, song("a", 2));
  put(recording, table, song("b", 2));
  EXPECT_TRUE(entries().empty());
  follow();
  EXPECT_EQ(entries().size(), 2u);
  follow();
  EXPECT_EQ(entries().size(), 2u);
}

TEST_F(IndexExecutorTest, changes_from_before_an_entry_was_filled_in_end_at_the_right_one) {
  const TablePointer table = table_with(IndexPhase::Filling);
  for (const int year : {1, 2, 1, 3}) put(recording, table, song("a", year));
  fill("a");
  EXPECT_EQ(entries(), (std::vector<Item>{song("a", 3)}));
  follow();
  EXPECT_EQ(entries(), (std::vector<Item>{song("a", 3)}));
}

}  // namespace
}  // namespace partita
