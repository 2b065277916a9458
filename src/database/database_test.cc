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

INSTANTIATE_TEST_SUITE_P(engines, DatabaseTest,
                         testing::Values(EngineKind::Memory, EngineKind::Rehearsal));

}  // namespace
}  // namespace partita
