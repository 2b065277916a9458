#include "jobs/expiry_sweeper.h"

#include <gtest/gtest.h>

#include "catalog/observed_engine.h"
#include "execution/change_record.h"
#include "jobs/index_builder.h"
#include "storage/memory/memory_engine.h"

namespace partita {
namespace {

using namespace std::chrono_literals;
using std::chrono::milliseconds;

constexpr std::int64_t kNow = 1'700'000'000;

class ExpirySweeperTest : public testing::Test {
 protected:
  void SetUp() override {
    auto opened = Catalog::open(engine_, {}, now_);
    ASSERT_TRUE(opened.has_value());
    catalog_ = *std::move(opened);
    builder_.emplace(engine_, *catalog_, executor_, nullptr);
    TableSchema table;
    table.name = "Sessions";
    table.key = {{{"id", ScalarType::N}}, {}};
    table.attribute_definitions = {{"id", ScalarType::N}};
    ASSERT_TRUE(catalog_->create(std::move(table), now_).has_value());
  }

  TablePointer table() { return catalog_->find_any("Sessions", now_); }
  std::int64_t items() { return engine_.size(table()->space, nullptr)->items; }
  std::int64_t entries() { return engine_.size(table()->expiry->index.space, nullptr)->items; }

  void begin() {
    TableSchema changed = *table();
    changed.expiry = expiry_on("until");
    ASSERT_TRUE(catalog_->update(table(), std::move(changed), now_).has_value());
  }
  void settle() {
    for (int round = 0; round < 1000 && table()->is_unsettled(); ++round) builder_->run(now_);
    ASSERT_FALSE(table()->is_unsettled());
  }
  void enable() {
    begin();
    settle();
  }
  void put(std::int64_t id, std::string_view until) { put(id, *Value::number(until)); }
  void put(std::int64_t id, const Value& until) {
    const Item item{{"id", Value::number(id)}, {"until", until}};
    write(*WritePlan::put(table(), item, std::nullopt));
  }
  void write(const WritePlan& plan) {
    Version version = 0;
    ASSERT_TRUE(executor_.write(plan, {}, now_, version).has_value());
  }
  bool has(std::int64_t id) {
    const Item key{{"id", Value::number(id)}};
    Version version = 0;
    const auto found =
        executor_.get(*table(), *key_of_request(table()->key, key), nullptr, nullptr, version);
    EXPECT_TRUE(found.has_value());
    return found->item.has_value();
  }
  std::size_t sweep(milliseconds delay = 0ms) {
    ExpirySweeper sweeper(engine_, *catalog_, executor_, delay);
    std::size_t deleted = 0;
    for (bool more = true; more;) {
      const auto run = sweeper.run(now_, deleted);
      EXPECT_TRUE(run.has_value());
      more = run && *run;
    }
    return deleted;
  }

  ObservedEngine engine_{make_memory_engine()};
  TimePoint now_{std::chrono::seconds(kNow)};
  Executor executor_{engine_};
  std::unique_ptr<Catalog> catalog_;
  std::optional<IndexBuilder> builder_;
};

TEST_F(ExpirySweeperTest, items_go_when_their_moment_is_past_and_not_before) {
  enable();
  put(1, "1699999999");
  put(2, "1700000000");
  put(3, "1700000000.5");
  put(4, "17E8");
  put(5, "1700000001");
  EXPECT_EQ(sweep(), 1u);
  EXPECT_FALSE(has(1));
  now_ += 1ms;
  EXPECT_EQ(sweep(), 2u);
  EXPECT_FALSE(has(2) || has(4));
  now_ += 500ms;
  EXPECT_EQ(sweep(), 1u);
  EXPECT_FALSE(has(3));
  EXPECT_TRUE(has(5));
  EXPECT_EQ(entries(), 1);
}

TEST_F(ExpirySweeperTest, the_delay_is_kept) {
  enable();
  put(1, "1700000000");
  now_ += 60s;
  EXPECT_EQ(sweep(60s), 0u);
  now_ += 1ms;
  EXPECT_EQ(sweep(60s), 1u);
}

TEST_F(ExpirySweeperTest, what_names_no_moment_of_the_last_five_years_stays) {
  enable();
  put(1, Value::string("1"));
  put(2, Value::list({Value::number(1)}));
  put(3, "0");
  put(4, "-5");
  put(5, "1E-130");
  put(6, "1542000000");     // five years and some
  put(7, "1700000000000");  // milliseconds
  put(8, "9.9E125");
  const Item without{{"id", Value::number(9)}};
  write(*WritePlan::put(table(), without, std::nullopt));
  put(10, "1543000000");  // not quite five years
  EXPECT_EQ(sweep(), 1u);
  EXPECT_EQ(items(), 9);
  EXPECT_FALSE(has(10));
}

TEST_F(ExpirySweeperTest, it_reads_in_proportion_to_what_has_expired) {
  enable();
  for (int i = 0; i < 5000; ++i) put(i, "1800000000");
  for (int i = 5000; i < 5040; ++i) put(i, "1699999000");
  engine_.rows_read = 0;
  EXPECT_EQ(sweep(), 40u);
  EXPECT_LE(engine_.rows_read, 2 * 40u) << "an index row and the item itself";
  engine_.rows_read = 0;
  EXPECT_EQ(sweep(), 0u);
  EXPECT_EQ(engine_.rows_read, 0u);
}

TEST_F(ExpirySweeperTest, more_than_a_piece_goes_piece_by_piece) {
  enable();
  for (int i = 0; i < 5000; ++i) put(i, "1699999000");
  ExpirySweeper sweeper(engine_, *catalog_, executor_, 0ms);
  std::size_t deleted = 0;
  EXPECT_TRUE(*sweeper.run(now_, deleted)) << "there is more";
  EXPECT_LT(deleted, 3000u);
  EXPECT_EQ(deleted + sweep(), 5000u);
  EXPECT_EQ(items(), 0);
  EXPECT_EQ(entries(), 0);
}

TEST_F(ExpirySweeperTest, a_full_table_is_filled_in_and_writers_meanwhile_are_not_lost) {
  for (int i = 0; i < 1200; ++i) put(i, "1699999000");
  begin();
  for (int i = 1200; i < 1300; ++i) put(i, "1699999000");
  EXPECT_EQ(sweep(), 0u) << "not before it is enabled";
  builder_->run(now_);
  builder_->run(now_);
  for (int i = 1300; i < 1400; ++i) put(i, "1699999000");
  put(5, "1800000000");
  settle();
  EXPECT_EQ(entries(), 1400);
  EXPECT_EQ(sweep(), 1399u);
  EXPECT_TRUE(has(5));
}

TEST_F(ExpirySweeperTest, another_builder_takes_over_where_a_crash_left_off) {
  for (int i = 0; i < 1200; ++i) put(i, "1699999000");
  begin();
  builder_->run(now_);
  builder_->run(now_);
  auto reopened = Catalog::open(engine_, {}, now_);
  ASSERT_TRUE(reopened.has_value());
  builder_.reset();
  catalog_ = *std::move(reopened);
  builder_.emplace(engine_, *catalog_, executor_, nullptr);
  EXPECT_EQ(table()->expiry->index.phase, IndexPhase::Filling);
  settle();
  EXPECT_EQ(sweep(), 1200u);
}

TEST_F(ExpirySweeperTest, disabling_removes_the_index_and_nothing_expires_any_more) {
  enable();
  put(1, "1699999000");
  const SpaceId space = table()->expiry->index.space;
  TableSchema changed = *table();
  changed.expiry->index.phase = IndexPhase::Leaving;
  ASSERT_TRUE(catalog_->update(table(), std::move(changed), now_).has_value());
  EXPECT_EQ(sweep(), 0u);
  settle();
  EXPECT_FALSE(table()->expiry);
  EXPECT_EQ(engine_.size(space, nullptr)->items, 0);
  EXPECT_TRUE(has(1));
  enable();
  EXPECT_NE(table()->expiry->index.space, space);
  EXPECT_EQ(sweep(), 1u);
}

TEST_F(ExpirySweeperTest, an_item_that_is_written_anew_meanwhile_stays) {
  enable();
  put(1, "1699999000");
  const Item key{{"id", Value::number(1)}};
  const ExpiryWindow window{*parse_number("1600000000"), *parse_number("1700000000")};
  const auto plan = WritePlan::expire(table(), key, window);
  put(1, "1800000000");
  Version version = 0;
  const auto written = executor_.write(*plan, {.by_expiry = true}, now_, version);
  ASSERT_FALSE(written.has_value());
  EXPECT_EQ(written.error().code(), ErrorCode::ConditionalCheckFailed);
  EXPECT_TRUE(has(1));
}

TEST_F(ExpirySweeperTest, a_failing_disk_is_tried_again_later) {
  enable();
  put(1, "1699999000");
  ExpirySweeper sweeper(engine_, *catalog_, executor_, 0ms);
  engine_.commits_fail = true;
  std::size_t deleted = 0;
  EXPECT_FALSE(sweeper.run(now_, deleted).has_value());
  engine_.commits_fail = false;
  EXPECT_EQ(sweep(), 1u);
}

TEST_F(ExpirySweeperTest, nobody_pays_for_its_index) {
  put(1, "1700000000");
  enable();
  const Item item{{"id", Value::number(1)}, {"until", Value::number(1'800'000'000)}};
  Version version = 0;
  const auto plan = WritePlan::put(table(), item, std::nullopt);
  const auto written = executor_.write(*plan, {}, now_, version);
  ASSERT_TRUE(written.has_value());
  EXPECT_EQ(written->charge.table_units, 1);
  EXPECT_TRUE(written->charge.indexes.empty());
}

}  // namespace
}  // namespace partita
