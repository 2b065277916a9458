#include "partita/database.h"

#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace partita {
namespace {

void create_counters(Database& database) {
  CreateTableRequest table;
  table.table_name = "Counters";
  table.attribute_definitions = {{"id", ScalarType::S}};
  table.key_schema = {{"id", KeyType::Hash}};
  table.billing_mode = BillingMode::PayPerRequest;
  const auto created = database.create_table(table);
  ASSERT_TRUE(created.has_value()) << created.error().message();
}

class DatabaseTest : public testing::TestWithParam<EngineKind> {
 protected:
  std::unique_ptr<Database> open() {
    auto opened = Database::open({.engine = GetParam()});
    EXPECT_TRUE(opened.has_value());
    return *std::move(opened);
  }
};

TEST_P(DatabaseTest, a_counter_incremented_by_64_threads_is_exact) {
  const auto database = open();
  create_counters(*database);
  const Item key{{"id", Value::string("visits")}};
  const Value one = Value::number(1);
  const ExpressionAttributeValue values[] = {{":one", one}};
  UpdateItemRequest increment{.table_name = "Counters", .key = key};
  increment.update_expression = "ADD amount :one";
  increment.expression_attributes.values = values;

  constexpr int kThreads = 64, kEach = 20;
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < kEach; ++i) {
        const auto answer = database->update_item(increment);
        ASSERT_TRUE(answer.has_value()) << answer.error().message();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  const auto answer = database->get_item({.table_name = "Counters", .key = key});
  ASSERT_TRUE(answer.has_value());
  EXPECT_EQ(answer->item->find("amount")->number(), std::to_string(kThreads * kEach));
}

TEST_P(DatabaseTest, databases_in_one_process_do_not_see_each_other) {
  const auto one = open(), other = open();
  create_counters(*one);
  EXPECT_TRUE(one->describe_table({"Counters"}).has_value());
  EXPECT_FALSE(other->describe_table({"Counters"}).has_value());
}

TEST_P(DatabaseTest, a_ticket_tells_what_to_wait_for) {
  const auto database = open();
  create_counters(*database);
  const Item item{{"id", Value::string("a")}};
  DurabilityTicket ticket;
  ASSERT_TRUE(database->put_item({.table_name = "Counters", .item = item}, &ticket).has_value());
  EXPECT_NE(ticket.version, 0u);

  DurabilityTicket failure;
  PutItemRequest again{.table_name = "Counters", .item = item};
  again.condition_expression = "attribute_not_exists(id)";
  ASSERT_FALSE(database->put_item(again, &failure).has_value());
  EXPECT_EQ(failure.version, ticket.version) << "the failure tells of the row it saw";
}

TEST_P(DatabaseTest, figures_count_what_was_done) {
  const auto database = open();
  create_counters(*database);
  const DatabaseFigures before = database->figures();
  const Item item{{"id", Value::string("a")}};
  ASSERT_TRUE(database->put_item({.table_name = "Counters", .item = item}).has_value());
  ASSERT_TRUE(database->get_item({.table_name = "Counters", .key = item}).has_value());
  const DatabaseFigures after = database->figures();
  EXPECT_EQ(after.commits - before.commits, 1u);
  EXPECT_GE(after.lookups - before.lookups, 1u);
  ASSERT_EQ(after.tables.size(), 1u);
  EXPECT_EQ(after.tables[0].name, "Counters");
  EXPECT_EQ(after.tables[0].items, 1);
  EXPECT_EQ(after.tables[0].bytes, 3);
  EXPECT_TRUE(after.accepts_writes);
  EXPECT_TRUE(database->accepts_writes().has_value());
}

void create_grouped(Database& database) {
  CreateTableRequest table;
  table.table_name = "Grouped";
  table.attribute_definitions = {{"id", ScalarType::S}, {"group", ScalarType::S}};
  table.key_schema = {{"id", KeyType::Hash}};
  table.billing_mode = BillingMode::PayPerRequest;
  table.global_secondary_indexes = {GlobalSecondaryIndex{
      "by_group", {{"group", KeyType::Hash}}, {ProjectionType::All, {}, false}, {}, {}, {}}};
  ASSERT_TRUE(database.create_table(table).has_value());
}

void put_grouped(Database& database, std::string_view id) {
  const Item item{{"id", Value::string(id)}, {"group", Value::string("g")}};
  ASSERT_TRUE(database.put_item({.table_name = "Grouped", .item = item}).has_value());
}

int count_in(Database& database, std::optional<std::string_view> index, bool consistent = false) {
  ScanRequest request{.table_name = "Grouped", .index_name = index};
  request.consistent_read = consistent;
  const auto page = database.scan(request);
  EXPECT_TRUE(page.has_value()) << page.error().message();
  return page ? page->count : -1;
}

TEST_P(DatabaseTest, lagging_indexes_follow_when_they_are_told_to) {
  auto opened = Database::open({.engine = GetParam(), .index_lag = std::chrono::hours(1)});
  ASSERT_TRUE(opened.has_value());
  Database& database = **opened;
  create_grouped(database);
  put_grouped(database, "a");
  EXPECT_EQ(count_in(database, std::nullopt), 1);
  EXPECT_EQ(count_in(database, "by_group"), 0);
  ASSERT_TRUE(database.settle_indexes().has_value());
  EXPECT_EQ(count_in(database, "by_group"), 1);
}

TEST_P(DatabaseTest, lagging_indexes_follow_by_themselves) {
  auto opened = Database::open({.engine = GetParam(), .index_lag = std::chrono::milliseconds(5)});
  ASSERT_TRUE(opened.has_value());
  create_grouped(**opened);
  put_grouped(**opened, "a");
  while (count_in(**opened, "by_group") == 0) std::this_thread::yield();
}

TEST_P(DatabaseTest, stale_reads_miss_new_writes_and_consistent_ones_do_not) {
  auto opened = Database::open({.engine = GetParam(), .stale_reads = std::chrono::hours(1)});
  if (GetParam() == EngineKind::Rehearsal) {
    ASSERT_FALSE(opened.has_value());
    EXPECT_EQ(opened.error().message(),
              "Stale reads are not available: this engine keeps no past moments.");
    return;
  }
  ASSERT_TRUE(opened.has_value());
  Database& database = **opened;
  create_grouped(database);
  put_grouped(database, "a");
  EXPECT_EQ(count_in(database, std::nullopt), 0);
  EXPECT_EQ(count_in(database, "by_group"), 0);
  EXPECT_EQ(count_in(database, std::nullopt, true), 1);
  const Item key{{"id", Value::string("a")}};
  GetItemRequest get{.table_name = "Grouped", .key = key};
  EXPECT_FALSE(database.get_item(get)->item.has_value());
  get.consistent_read = true;
  EXPECT_TRUE(database.get_item(get)->item.has_value());
}

TEST(StaleReads, writes_are_seen_in_the_end) {
  auto opened =
      Database::open({.engine = EngineKind::Memory, .stale_reads = std::chrono::milliseconds(5)});
  ASSERT_TRUE(opened.has_value());
  create_grouped(**opened);
  put_grouped(**opened, "a");
  while (count_in(**opened, "by_group") == 0) std::this_thread::yield();
}

INSTANTIATE_TEST_SUITE_P(engines, DatabaseTest,
                         testing::Values(EngineKind::Memory, EngineKind::Rehearsal));

}  // namespace
}  // namespace partita
