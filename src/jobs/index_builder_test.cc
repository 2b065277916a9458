#include "jobs/index_builder.h"

#include <gtest/gtest.h>

#include "storage/memory/memory_engine.h"

namespace partita {
namespace {

using std::chrono::milliseconds;

class IndexBuilderTest : public testing::Test {
 protected:
  void SetUp() override {
    auto opened = Catalog::open(*engine_, {}, now_);
    ASSERT_TRUE(opened.has_value());
    catalog_ = *std::move(opened);
    builder_.emplace(*engine_, *catalog_, executor_, nullptr);
    TableSchema table;
    table.name = "Songs";
    table.key = {{{"id", ScalarType::S}}, {}};
    table.attribute_definitions = {{"id", ScalarType::S}};
    ASSERT_TRUE(catalog_->create(std::move(table), now_).has_value());
  }

  TablePointer table() { return catalog_->find_any("Songs", now_); }

  void put(int number) { put(table(), number); }
  void put(const TablePointer& found, int number) {
    const Item item{{"id", Value::string("song " + std::to_string(number))},
                    {"year", Value::number(number)}};
    auto plan = WritePlan::put(found, item, std::nullopt);
    Version version = 0;
    ASSERT_TRUE(executor_.write(*plan, {}, now_, version).has_value());
  }
  void add_index() {
    TableSchema changed = *table();
    IndexSchema index;
    index.name = "by_year";
    index.key = {{{"year", ScalarType::N}}, {}};
    index.phase = IndexPhase::Joining;
    changed.global_indexes.push_back(index);
    changed.attribute_definitions.push_back({"year", ScalarType::N});
    ASSERT_TRUE(catalog_->update(table(), std::move(changed), now_).has_value());
  }
  void remove_index() {
    TableSchema changed = *table();
    changed.global_indexes[0].phase = IndexPhase::Leaving;
    ASSERT_TRUE(catalog_->update(table(), std::move(changed), now_).has_value());
  }
  IndexPhase phase() { return table()->global_indexes[0].phase; }
  void run_until_settled() {
    for (int round = 0; round < 1000 && table()->unsettled_index(); ++round) builder_->run(now_);
    EXPECT_EQ(table()->unsettled_index(), nullptr);
  }
  std::int64_t entries(SpaceId space) { return engine_->size(space)->items; }

  std::unique_ptr<Engine> engine_ = make_memory_engine();
  TimePoint now_{milliseconds(1'700'000'000'000)};
  Executor executor_{*engine_};
  std::unique_ptr<Catalog> catalog_;
  std::optional<IndexBuilder> builder_;
};

TEST_F(IndexBuilderTest, items_of_before_and_of_meanwhile_are_in_the_index) {
  for (int i = 0; i < 1200; ++i) put(i);  // more than a piece
  add_index();
  for (int i = 1200; i < 1300; ++i) put(i);
  EXPECT_EQ(builder_->run(now_), IndexBuilder::Left::Work);
  EXPECT_EQ(phase(), IndexPhase::Filling);
  builder_->run(now_);
  for (int i = 1300; i < 1400; ++i) put(i);
  run_until_settled();
  EXPECT_EQ(entries(table()->global_indexes[0].space), 1400);
  EXPECT_EQ(builder_->run(now_), IndexBuilder::Left::Nothing);
}

TEST_F(IndexBuilderTest, no_phase_begins_while_somebody_acts_on_an_earlier_one) {
  TablePointer before = table();
  add_index();
  EXPECT_EQ(builder_->run(now_), IndexBuilder::Left::Waiting);
  EXPECT_EQ(phase(), IndexPhase::Joining);
  put(before, 1);
  before.reset();

  TablePointer joining = table();
  builder_->run(now_);
  EXPECT_EQ(phase(), IndexPhase::Filling);
  put(1);
  put(joining, 2);
  EXPECT_EQ(builder_->run(now_), IndexBuilder::Left::Waiting);
  joining.reset();
  run_until_settled();
  EXPECT_EQ(entries(table()->global_indexes[0].space), 2);
}

TEST_F(IndexBuilderTest, a_large_table_says_that_it_is_backfilling) {
  for (int i = 0; i < 2001; ++i) put(i);
  add_index();
  builder_->run(now_);
  EXPECT_TRUE(table()->global_indexes[0].backfilling);
  run_until_settled();
  EXPECT_FALSE(table()->global_indexes[0].backfilling);
  EXPECT_EQ(entries(table()->global_indexes[0].space), 2001);
}

TEST_F(IndexBuilderTest, an_index_goes_when_nobody_writes_to_it_any_more) {
  put(1);
  add_index();
  run_until_settled();
  const SpaceId space = table()->global_indexes[0].space;
  TablePointer serving = table();
  remove_index();
  EXPECT_EQ(builder_->run(now_), IndexBuilder::Left::Waiting);
  put(serving, 2);
  EXPECT_EQ(entries(space), 2);
  serving.reset();
  builder_->run(now_);
  EXPECT_TRUE(table()->global_indexes.empty());
  EXPECT_EQ(table()->attribute_definitions.size(), 1u);
  EXPECT_EQ(entries(space), 0);
}

TEST_F(IndexBuilderTest, an_index_may_go_while_it_is_filled) {
  for (int i = 0; i < 1200; ++i) put(i);
  add_index();
  builder_->run(now_);
  builder_->run(now_);
  remove_index();
  run_until_settled();
  EXPECT_TRUE(table()->global_indexes.empty());
}

TEST_F(IndexBuilderTest, another_builder_takes_over_where_a_crash_left_off) {
  for (int i = 0; i < 1200; ++i) put(i);
  add_index();
  builder_->run(now_);
  builder_->run(now_);
  auto reopened = Catalog::open(*engine_, {}, now_);
  ASSERT_TRUE(reopened.has_value());
  builder_.reset();
  catalog_ = *std::move(reopened);
  builder_.emplace(*engine_, *catalog_, executor_, nullptr);
  EXPECT_EQ(phase(), IndexPhase::Filling);
  run_until_settled();
  EXPECT_EQ(entries(table()->global_indexes[0].space), 1200);
}

}  // namespace
}  // namespace partita
