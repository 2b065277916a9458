// Throttling through the public API. A request of a hundred units on a table of one unit a second
// leaves a debt that no test outlives, so nothing here depends on how fast it runs.
#include <gtest/gtest.h>

#include "partita/database.h"

namespace partita {
namespace {

class DatabaseThrottleTest : public testing::Test {
 protected:
  DatabaseThrottleTest() {
    auto opened = Database::open({.engine = EngineKind::Memory, .throttle = true});
    EXPECT_TRUE(opened.has_value()) << opened.error().message();
    database = *std::move(opened);
    create("Slow", 1000, 1);
    create("Fast", 1000, 1000);
  }

  void create(std::string name, std::int64_t reads, std::int64_t writes,
              std::int64_t index_writes = 1000) {
    CreateTableRequest table;
    table.table_name = std::move(name);
    table.attribute_definitions = {{"id", ScalarType::S}, {"group", ScalarType::S}};
    table.key_schema = {{"id", KeyType::Hash}};
    table.provisioned_throughput = ProvisionedThroughput{reads, writes};
    GlobalSecondaryIndex index;
    index.index_name = "by-group";
    index.key_schema = {{"group", KeyType::Hash}};
    index.projection.type = ProjectionType::All;
    index.provisioned_throughput = ProvisionedThroughput{1, index_writes};
    table.global_secondary_indexes = {{index}};
    const auto created = database->create_table(table);
    ASSERT_TRUE(created.has_value()) << created.error().message();
  }

  static Item item(std::string_view id, std::size_t bytes = 1) {
    return {{"id", Value::string(id)}, {"payload", Value::string(std::string(bytes, 'x'))}};
  }
  Result<PutItemResponse> put(std::string_view table, const Item& wanted) {
    return database->put_item({.table_name = table, .item = wanted});
  }
  // Leaves the table in debt.
  void exhaust(std::string_view table) {
    const auto answer = put(table, item("large", 100'000));
    ASSERT_TRUE(answer.has_value()) << answer.error().message();
  }

  std::unique_ptr<Database> database;
};

constexpr auto kExceeded = ErrorCode::ProvisionedThroughputExceeded;

TEST_F(DatabaseThrottleTest, single_writes_are_refused_and_change_nothing) {
  exhaust("Slow");
  const auto refused = put("Slow", item("small"));
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error().code(), kExceeded);
  EXPECT_EQ(refused.error().throttling_reasons().at(0).reason,
            "TableWriteProvisionedThroughputExceeded");
  const Item key{{"id", Value::string("small")}};
  EXPECT_FALSE(database->get_item({.table_name = "Slow", .key = key})->item.has_value());
  EXPECT_FALSE(database->delete_item({.table_name = "Slow", .key = key}).has_value());
  EXPECT_TRUE(put("Fast", item("small")).has_value());
}

TEST_F(DatabaseThrottleTest, a_condition_that_fails_is_paid_for) {
  create("Conditional", 1000, 200);
  exhaust("Conditional");  // not quite: some hundred units are left, and few more come
  UpdateTableRequest update{.table_name = "Conditional"};
  update.provisioned_throughput = ProvisionedThroughput{1000, 1};
  ASSERT_TRUE(database->update_table(update).has_value());
  const Item large = item("large", 100'000);
  PutItemRequest request{.table_name = "Conditional", .item = large};
  request.condition_expression = "attribute_not_exists(id)";
  int failed = 0;
  ErrorCode last = ErrorCode::ConditionalCheckFailed;
  while (failed < 50 && last == ErrorCode::ConditionalCheckFailed) {
    const auto answer = database->put_item(request);
    ASSERT_FALSE(answer.has_value());
    last = answer.error().code();
    ++failed;
  }
  EXPECT_EQ(last, kExceeded);
}

TEST_F(DatabaseThrottleTest, batches_do_what_they_can) {
  exhaust("Slow");
  const Item one = item("one"), two = item("two");
  const WriteRequest writes[] = {{.put_item = one}, {.put_item = two}};
  const TableWrites both[] = {{.table_name = "Slow", .requests = writes},
                              {.table_name = "Fast", .requests = writes}};
  const auto partly = database->batch_write_item({.request_items = both});
  ASSERT_TRUE(partly.has_value()) << partly.error().message();
  ASSERT_EQ(partly->unprocessed_items.size(), 1u);
  EXPECT_EQ(partly->unprocessed_items[0].table_name, "Slow");
  EXPECT_EQ(partly->unprocessed_items[0].requests.size(), 2u);

  const auto nothing = database->batch_write_item({.request_items = std::span(both).first(1)});
  ASSERT_FALSE(nothing.has_value());
  EXPECT_EQ(nothing.error().code(), kExceeded);
}

TEST_F(DatabaseThrottleTest, a_batch_takes_its_entries_one_after_the_other) {
  const Item large = item("large", 100'000), small = item("small");
  const WriteRequest writes[] = {{.put_item = large}, {.put_item = small}};
  const TableWrites tables[] = {{.table_name = "Slow", .requests = writes}};
  const auto answer = database->batch_write_item({.request_items = tables});
  ASSERT_TRUE(answer.has_value());
  ASSERT_EQ(answer->unprocessed_items.size(), 1u);
  EXPECT_EQ(answer->unprocessed_items[0].requests.at(0).item, small);
}

TEST_F(DatabaseThrottleTest, batches_of_reads_do_what_they_can) {
  create("Read", 1, 1000);
  ASSERT_TRUE(put("Read", item("large", 390'000)).has_value());
  const Item key{{"id", Value::string("large")}};
  const ItemView keys[] = {key};
  const KeysAndAttributes wanted[] = {{.table_name = "Read", .keys = keys},
                                      {.table_name = "Fast", .keys = keys}};
  ASSERT_TRUE(database->get_item({.table_name = "Read", .key = key}).has_value());  // 48 units
  ASSERT_FALSE(database->get_item({.table_name = "Read", .key = key}).has_value());
  const auto partly = database->batch_get_item({.request_items = wanted});
  ASSERT_TRUE(partly.has_value());
  ASSERT_EQ(partly->unprocessed_keys.size(), 1u);
  EXPECT_EQ(partly->unprocessed_keys[0].table_name, "Read");
  const auto nothing = database->batch_get_item({.request_items = std::span(wanted).first(1)});
  ASSERT_FALSE(nothing.has_value());
  EXPECT_EQ(nothing.error().throttling_reasons().at(0).reason,
            "TableReadProvisionedThroughputExceeded");
  EXPECT_FALSE(database->scan({.table_name = "Read"}).has_value());
}

TEST_F(DatabaseThrottleTest, transactions_are_cancelled) {
  exhaust("Slow");
  const Item small = item("small");
  const TransactWrite actions[] = {{.table_name = "Fast", .item = small},
                                   {.table_name = "Slow", .item = small}};
  const auto refused = database->transact_write_items({.transact_items = actions});
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error().code(), ErrorCode::TransactionCanceled);
  const auto& reasons = refused.error().cancellation_reasons();
  ASSERT_EQ(reasons.size(), 2u);
  EXPECT_EQ(reasons[0].code, "None");
  EXPECT_EQ(reasons[1].code, "ProvisionedThroughputExceeded");
  const Item key{{"id", Value::string("small")}};
  EXPECT_FALSE(database->get_item({.table_name = "Fast", .key = key})->item.has_value());
}

TEST_F(DatabaseThrottleTest, an_index_holds_back_the_writes_that_touch_it) {
  create("Indexed", 1000, 1000, 1);
  Item large = item("large", 100'000);
  large.set("group", Value::string("all"));
  ASSERT_TRUE(put("Indexed", large).has_value());
  Item small = item("small");
  EXPECT_TRUE(put("Indexed", small).has_value()) << "not in the index";
  small.set("group", Value::string("all"));
  const auto refused = put("Indexed", small);
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error().throttling_reasons().at(0).reason,
            "IndexWriteProvisionedThroughputExceeded");
  EXPECT_TRUE(refused.error().throttling_reasons()[0].resource.ends_with("/index/by-group"));

  const TransactWrite actions[] = {{.table_name = "Indexed", .item = small}};
  const auto cancelled = database->transact_write_items({.transact_items = actions});
  ASSERT_FALSE(cancelled.has_value());
  EXPECT_EQ(cancelled.error().cancellation_reasons().at(0).code, "ProvisionedThroughputExceeded");
}

TEST_F(DatabaseThrottleTest, refusals_are_counted) {
  exhaust("Slow");
  ASSERT_FALSE(put("Slow", item("small")).has_value());
  const auto counted = [](const Database& of) {
    double requests = -1;
    for (const EngineFigure& figure : of.figures().engine) {
      if (figure.name == "throttled_table_write_provisioned_throughput") requests = figure.value;
    }
    return requests;
  };
  EXPECT_EQ(counted(*database), 1);
  EXPECT_EQ(counted(*Database::in_memory()), -1) << "only with throttling";
}

}  // namespace
}  // namespace partita
