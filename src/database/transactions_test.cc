// What transactions and others meet of each other, through the public API. With transaction_hold a
// transaction stays open long enough to be met.
#include <atomic>
#include <chrono>
#include <functional>
#include <future>
#include <random>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "partita/database.h"

namespace partita {
namespace {

using namespace std::chrono_literals;

constexpr auto kHold = 400ms;

Item key_of(std::string_view id) { return {{"id", Value::string(id)}}; }

class TransactionsTest : public testing::TestWithParam<EngineKind> {
 protected:
  void open(std::chrono::milliseconds transaction_hold,
            std::chrono::milliseconds write_hold = 0ms) {
    auto opened = Database::open(
        {.engine = GetParam(), .transaction_hold = transaction_hold, .write_hold = write_hold});
    ASSERT_TRUE(opened.has_value()) << opened.error().message();
    database = *std::move(opened);
    CreateTableRequest table;
    table.table_name = "Things";
    table.attribute_definitions = {{"id", ScalarType::S}};
    table.key_schema = {{"id", KeyType::Hash}};
    table.billing_mode = BillingMode::PayPerRequest;
    ASSERT_TRUE(database->create_table(table).has_value());
  }

  Result<PutItemResponse> put(std::string_view id) {
    const Item item = key_of(id);
    return database->put_item({.table_name = "Things", .item = item});
  }
  bool exists(std::string_view id) {
    const Item key = key_of(id);
    auto answer = database->get_item({.table_name = "Things", .key = key, .consistent_read = true});
    EXPECT_TRUE(answer.has_value());
    return answer && answer->item.has_value();
  }
  Result<TransactWriteItemsResponse> transact_put(
      std::vector<std::string> ids, std::optional<std::string_view> token = std::nullopt) {
    std::vector<Item> items;
    for (const std::string& id : ids) items.push_back(key_of(id));
    std::vector<TransactWrite> actions;
    for (const Item& item : items) actions.push_back({.table_name = "Things", .item = item});
    return database->transact_write_items(
        {.transact_items = actions, .client_request_token = token});
  }
  Result<TransactGetItemsResponse> transact_get(std::string_view first, std::string_view second) {
    const Item keys[] = {key_of(first), key_of(second)};
    const TransactGet gets[] = {{.table_name = "Things", .key = keys[0]},
                                {.table_name = "Things", .key = keys[1]}};
    return database->transact_get_items({.transact_items = gets});
  }

  // Runs a write in another thread; returns once a transaction that reads "held" is told of it. A
  // write that probed would be met itself.
  template <typename Write>
  std::future<bool> hold_write(Write write) {
    auto running = std::async(std::launch::async, [write] { return write().has_value(); });
    while (transact_get("free", "held")) {
      if (running.wait_for(0s) == std::future_status::ready) break;  // too late: the test fails
    }
    return running;
  }
  // A transaction on "held" and "other" that is open.
  std::future<bool> hold(std::optional<std::string_view> token = std::nullopt) {
    return hold_write([this, token] { return transact_put({"held", "other"}, token); });
  }
  // What transactions of both kinds with "free" and "held" are told.
  void expect_conflicts() {
    const auto expect_conflict = [](const auto& answer) {
      ASSERT_FALSE(answer.has_value());
      EXPECT_EQ(answer.error().code(), ErrorCode::TransactionCanceled);
      const auto& reasons = answer.error().cancellation_reasons();
      ASSERT_EQ(reasons.size(), 2u);
      EXPECT_EQ(reasons[0].code, "None");
      EXPECT_EQ(reasons[1].code, "TransactionConflict");
      EXPECT_EQ(reasons[1].message, "Transaction is ongoing for the item");
    };
    expect_conflict(transact_put({"free", "held"}));
    expect_conflict(transact_get("free", "held"));
  }
  Result<BatchWriteItemResponse> batch_put(std::string_view first, std::string_view second) {
    const Item items[] = {key_of(first), key_of(second)};
    const WriteRequest writes[] = {{.put_item = items[0]}, {.put_item = items[1]}};
    const TableWrites tables[] = {{.table_name = "Things", .requests = writes}};
    return database->batch_write_item({.request_items = tables});
  }

  std::unique_ptr<Database> database;
};

TEST_P(TransactionsTest, transactions_that_meet_a_single_write_are_cancelled) {
  open(0ms, kHold);
  const Item held = key_of("held");
  const Value one = Value::number(1);
  const ExpressionAttributeValue values[] = {{":one", one}};
  UpdateItemRequest update{.table_name = "Things", .key = held};
  update.update_expression = "SET n = :one";
  update.expression_attributes.values = values;
  const std::function<std::future<bool>()> writes[] = {
      [&] { return hold_write([&] { return put("held"); }); },
      [&] { return hold_write([&] { return database->update_item(update); }); },
      [&] {
        return hold_write(
            [&] { return database->delete_item({.table_name = "Things", .key = held}); });
      },
  };
  for (const auto& write : writes) {
    auto running = write();
    expect_conflicts();
    EXPECT_TRUE(transact_put({"free", "other"}).has_value()) << "exact by key";
    EXPECT_TRUE(running.get()) << "the write goes on";
    EXPECT_TRUE(transact_put({"free", "held"}).has_value()) << "the write is over";
  }
}

TEST_P(TransactionsTest, transactions_that_meet_a_batch_are_cancelled) {
  open(0ms, kHold);
  auto running = hold_write([&] { return batch_put("held", "other"); });
  expect_conflicts();
  EXPECT_TRUE(transact_put({"free", "more"}).has_value()) << "exact by key";
  EXPECT_TRUE(running.get());
  EXPECT_TRUE(transact_put({"free", "held"}).has_value());
}

TEST_P(TransactionsTest, single_writes_wait_for_single_writes_and_reads_for_none) {
  open(0ms, kHold);
  auto running = hold_write([&] { return put("held"); });
  EXPECT_FALSE(exists("held")) << "not there yet";
  EXPECT_TRUE(put("held").has_value());
  EXPECT_EQ(running.wait_for(0s), std::future_status::ready) << "it was before us";
  EXPECT_TRUE(running.get());
}

// What a batch leaves out for a transaction it does not write: the transaction goes on.
TEST_P(TransactionsTest, of_a_write_and_a_transaction_that_meet_one_goes_on) {
  open(kHold, kHold / 4);
  auto running = hold();
  const auto batch = batch_put("held", "free");
  ASSERT_TRUE(batch.has_value());
  EXPECT_EQ(batch->unprocessed_items.size(), 1u);
  EXPECT_FALSE(put("other").has_value());
  EXPECT_TRUE(running.get());
}

// Whoever meets whom: the item is always somebody's, so one of two that meet succeeds.
TEST_P(TransactionsTest, writes_and_transactions_at_one_item_all_come_through) {
  open(0ms);
  constexpr int kThreads = 8, kEach = 200;
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      for (int made = 0; made < kEach;) {
        made += t % 2 == 0 ? put("held").has_value() : transact_put({"held"}).has_value();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_TRUE(exists("held"));
}

TEST_P(TransactionsTest, writes_to_an_item_of_an_open_transaction_are_refused) {
  open(kHold);
  auto running = hold();
  const auto refused = put("held");
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error().code(), ErrorCode::TransactionConflict);
  EXPECT_EQ(refused.error().message(), "Transaction is ongoing for the item");
  EXPECT_TRUE(put("free").has_value()) << "exact by key";
  EXPECT_TRUE(running.get());
  EXPECT_TRUE(put("held").has_value()) << "the transaction is over";
}

TEST_P(TransactionsTest, reads_do_not_conflict_and_see_the_state_before) {
  open(kHold);
  auto running = hold();
  EXPECT_FALSE(exists("other"));
  const auto scanned = database->scan({.table_name = "Things", .consistent_read = true});
  ASSERT_TRUE(scanned.has_value());
  const Item keys[] = {key_of("held"), key_of("other")};
  const ItemView key_views[] = {keys[0], keys[1]};
  const KeysAndAttributes wanted[] = {{.table_name = "Things", .keys = key_views}};
  const auto batch = database->batch_get_item({.request_items = wanted});
  ASSERT_TRUE(batch.has_value());
  EXPECT_TRUE(batch->unprocessed_keys.empty());
  EXPECT_TRUE(running.get());
  EXPECT_TRUE(exists("held") && exists("other"));
}

TEST_P(TransactionsTest, a_transaction_that_meets_another_is_cancelled) {
  open(kHold);
  auto running = hold();
  const auto second = transact_put({"free", "other"});
  ASSERT_FALSE(second.has_value());
  EXPECT_EQ(second.error().code(), ErrorCode::TransactionCanceled);
  const auto& reasons = second.error().cancellation_reasons();
  ASSERT_EQ(reasons.size(), 2u);
  EXPECT_EQ(reasons[0].code, "None");
  EXPECT_EQ(reasons[1].code, "TransactionConflict");
  EXPECT_EQ(reasons[1].message, "Transaction is ongoing for the item");
  EXPECT_TRUE(running.get());
  EXPECT_FALSE(exists("free"));
}

TEST_P(TransactionsTest, transact_get_items_that_meets_a_transaction_is_cancelled) {
  open(kHold);
  auto running = hold();
  const auto read = transact_get("free", "held");
  ASSERT_FALSE(read.has_value());
  EXPECT_EQ(read.error().code(), ErrorCode::TransactionCanceled);
  EXPECT_EQ(read.error().cancellation_reasons()[1].code, "TransactionConflict");
  EXPECT_TRUE(running.get());
  const auto later = transact_get("free", "held");
  ASSERT_TRUE(later.has_value());
  EXPECT_TRUE(later->responses[1].has_value());
}

TEST_P(TransactionsTest, a_batch_leaves_out_what_is_in_a_transaction) {
  open(kHold);
  auto running = hold();
  const Item held = key_of("held"), free_item = key_of("free");
  const WriteRequest writes[] = {{.put_item = free_item}, {.delete_key = held}};
  const TableWrites tables[] = {{.table_name = "Things", .requests = writes}};
  const auto batch = database->batch_write_item({.request_items = tables});
  ASSERT_TRUE(batch.has_value()) << batch.error().message();
  ASSERT_EQ(batch->unprocessed_items.size(), 1u);
  ASSERT_EQ(batch->unprocessed_items[0].requests.size(), 1u);
  EXPECT_FALSE(batch->unprocessed_items[0].requests[0].put);
  EXPECT_EQ(batch->unprocessed_items[0].requests[0].item, held);
  EXPECT_TRUE(exists("free"));
  EXPECT_TRUE(running.get());
  EXPECT_TRUE(exists("held"));
}

TEST_P(TransactionsTest, a_token_in_use_says_that_its_transaction_is_in_progress) {
  open(kHold);
  auto running = hold("token");
  const auto again = transact_put({"held", "other"}, "token");
  ASSERT_FALSE(again.has_value());
  EXPECT_EQ(again.error().code(), ErrorCode::TransactionInProgress);
  EXPECT_TRUE(running.get());
  EXPECT_TRUE(transact_put({"held", "other"}, "token").has_value()) << "it has happened";
}

TEST_P(TransactionsTest, a_repetition_is_answered_even_while_its_items_are_in_a_transaction) {
  open(kHold);
  ASSERT_TRUE(transact_put({"held"}, "first").has_value());
  auto running = hold();
  EXPECT_TRUE(transact_put({"held"}, "first").has_value());
  EXPECT_TRUE(running.get());
}

// Money moves between accounts, all of which readers see at one moment.
TEST_P(TransactionsTest, transfers_keep_the_total_and_readers_see_it) {
  open(0ms);
  constexpr int kAccounts = 8, kEach = 1000, kThreads = 32, kTransfers = 40;
  std::vector<Item> keys;
  for (int i = 0; i < kAccounts; ++i) {
    keys.push_back(key_of("account " + std::to_string(i)));
    Item account = keys.back();
    account.set("balance", Value::number(kEach));
    ASSERT_TRUE(database->put_item({.table_name = "Things", .item = account}).has_value());
  }
  std::atomic<int> done = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      std::mt19937 random(static_cast<unsigned>(t));
      for (int made = 0; made < kTransfers;) {
        const std::size_t from = random() % kAccounts, to = random() % kAccounts;
        if (from == to) continue;
        const Value amount = Value::number(1 + static_cast<std::int64_t>(random() % 100));
        const ExpressionAttributeValue values[] = {{":n", amount}};
        TransactWrite actions[] = {
            {.kind = TransactWrite::Kind::Update, .table_name = "Things", .item = keys[from]},
            {.kind = TransactWrite::Kind::Update, .table_name = "Things", .item = keys[to]}};
        actions[0].update_expression = "SET balance = balance - :n";
        actions[0].condition_expression = "balance >= :n";
        actions[1].update_expression = "SET balance = balance + :n";
        for (TransactWrite& action : actions) action.expression_attributes.values = values;
        const auto answer = database->transact_write_items({.transact_items = actions});
        ASSERT_TRUE(answer || answer.error().code() == ErrorCode::TransactionCanceled);
        if (answer || answer.error().cancellation_reasons()[0].code == "ConditionalCheckFailed") {
          ++made;
        }
      }
      ++done;
    });
  }
  std::vector<TransactGet> gets;
  for (const Item& key : keys) gets.push_back({.table_name = "Things", .key = key});
  const auto total = [&]() -> std::optional<std::int64_t> {
    const auto answer = database->transact_get_items({.transact_items = gets});
    if (!answer) return std::nullopt;
    std::int64_t sum = 0;
    for (const auto& item : answer->responses) sum += std::stoll(item->find("balance")->number());
    return sum;
  };
  while (done < kThreads) {
    EXPECT_EQ(total().value_or(kAccounts * kEach), kAccounts * kEach);
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(total(), kAccounts * kEach);
}

INSTANTIATE_TEST_SUITE_P(engines, TransactionsTest,
                         testing::Values(EngineKind::Memory, EngineKind::Rehearsal));

}  // namespace
}  // namespace partita
