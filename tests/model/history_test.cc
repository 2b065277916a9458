// Concurrent random histories are serialisable: single writes, transactions and reads of both kinds
// can be put into one order that explains all they saw.
//
// Items hold a log that writers append their own number to, so the final log of an item is the
// order of its writers, and a reader that saw part of it came after the last one it saw and before
// the next. All those befores and afters must not form a circle; nor may they contradict time: who
// was answered before another began comes first.
//
// Meanwhile every write moves the item's entry in two global indexes, one of which is created under
// way. In the end both hold exactly what the table holds.
#include <algorithm>
#include <atomic>
#include <filesystem>
#include <map>
#include <mutex>
#include <random>
#include <thread>

#include <gtest/gtest.h>

#include "partita/database.h"

namespace partita::model {
namespace {

constexpr int kItems = 4;

// One request that was answered.
struct Event {
  std::uint64_t began = 0, ended = 0;  // ticks of a shared counter
  std::vector<int> written;            // items it appended to
  std::map<int, std::size_t> read;     // item → how much of its log it saw
};

struct Way {
  EngineKind engine;
  bool lagged;  // global indexes follow the change log
};

// By the last writer, so that an entry moves with every write.
GlobalSecondaryIndex index_by_writer(std::string name) {
  GlobalSecondaryIndex index;
  index.index_name = std::move(name);
  index.key_schema = {{"writer", KeyType::Hash}};
  index.projection.type = ProjectionType::All;
  return index;
}

class HistoryTest : public testing::TestWithParam<Way> {
 protected:
  void SetUp() override {
    seed_ = std::random_device()();
    if (const char* fixed = std::getenv("PARTITA_SEED")) seed_ = std::stoul(fixed);
    directory_ = std::filesystem::temp_directory_path() /
                 ("partita-history-" + std::to_string(seed_) + "-" +
                  std::to_string(static_cast<int>(GetParam().engine)));
    auto opened =
        Database::open({.engine = GetParam().engine,
                        .data_directory = directory_.string(),
                        .durability = Durability::Relaxed,
                        .index_lag = std::chrono::milliseconds(GetParam().lagged ? 5 : 0)});
    ASSERT_TRUE(opened.has_value()) << opened.error().message();
    database_ = *std::move(opened);
    CreateTableRequest table;
    table.table_name = "Logs";
    table.attribute_definitions = {{"id", ScalarType::N}, {"writer", ScalarType::N}};
    table.key_schema = {{"id", KeyType::Hash}};
    table.billing_mode = BillingMode::PayPerRequest;
    table.global_secondary_indexes = {{index_by_writer("early")}};
    ASSERT_TRUE(database_->create_table(table).has_value());
    for (int i = 0; i < kItems; ++i) {
      keys_.push_back({{"id", Value::number(i)}});
      Item item = keys_.back();
      item.set("log", Value::list({}));
      item.set("writer", Value::number(0));
      ASSERT_TRUE(database_->put_item({.table_name = "Logs", .item = item}).has_value());
    }
  }
  void TearDown() override {
    database_.reset();
    std::filesystem::remove_all(directory_);
  }

  static std::vector<std::size_t> log_of(const std::optional<Item>& item) {
    std::vector<std::size_t> log;
    for (const ValueView entry : item->find("log")->list())
      log.push_back(std::stoul(entry.number()));
    return log;
  }

  // Appends the event's number to the items, all or one; false if it did not happen.
  bool write(std::size_t number, const std::vector<int>& items) {
    const Value entry = Value::list({Value::number(static_cast<std::int64_t>(number))});
    const Value writer = Value::number(static_cast<std::int64_t>(number));
    const ExpressionAttributeValue values[] = {{":entry", entry}, {":writer", writer}};
    const ExpressionAttributeName names[] = {{"#log", "log"}};
    constexpr std::string_view append = "SET #log = list_append(#log, :entry), writer = :writer";
    if (items.size() == 1) {
      UpdateItemRequest update{.table_name = "Logs", .key = keys_[index(items[0])]};
      update.update_expression = append;
      update.expression_attributes = {names, values};
      return database_->update_item(update).has_value();
    }
    std::vector<TransactWrite> actions;
    for (const int item : items) {
      actions.push_back(
          {.kind = TransactWrite::Kind::Update, .table_name = "Logs", .item = keys_[index(item)]});
      actions.back().update_expression = append;
      actions.back().expression_attributes = {names, values};
    }
    return database_->transact_write_items({.transact_items = actions}).has_value();
  }

  bool read(const std::vector<int>& items, Event& event) {
    if (items.size() == 1) {
      const auto answer = database_->get_item(
          {.table_name = "Logs", .key = keys_[index(items[0])], .consistent_read = true});
      if (!answer) return false;
      event.read[items[0]] = log_of(answer->item).size();
      return true;
    }
    std::vector<TransactGet> gets;
    for (const int item : items) gets.push_back({.table_name = "Logs", .key = keys_[index(item)]});
    const auto answer = database_->transact_get_items({.transact_items = gets});
    if (!answer) return false;
    for (std::size_t i = 0; i < items.size(); ++i) {
      event.read[items[i]] = log_of(answer->responses[i]).size();
    }
    return true;
  }

  void run_client(unsigned number) {
    std::mt19937 random(static_cast<unsigned>(seed_) + number);
    for (int step = 0; step < 150; ++step) {
      std::vector<int> items{0, 1, 2, 3};
      std::shuffle(items.begin(), items.end(), random);
      items.resize(1 + random() % 3);
      const std::size_t event_number = next_number_++;
      Event event;
      event.began = clock_++;
      const bool writes = random() % 2 == 0;
      if (writes ? !write(event_number, items) : !read(items, event)) continue;
      event.ended = clock_++;
      if (writes) event.written = items;
      const std::lock_guard lock(mutex_);
      events_.emplace(event_number, std::move(event));
    }
  }

  void create_late_index() {
    UpdateTableRequest update{.table_name = "Logs"};
    update.attribute_definitions = {{{"writer", ScalarType::N}}};
    GlobalSecondaryIndexUpdate change;
    change.create = index_by_writer("late");
    update.global_secondary_index_updates = {{change}};
    const auto updated = database_->update_table(update);
    EXPECT_TRUE(updated.has_value()) << updated.error().message();
  }

  // Everything in the table or one of its indexes, by id.
  std::map<std::string, Item> content(std::optional<std::string_view> index_name) {
    std::map<std::string, Item> items;
    const auto answer = database_->scan({.table_name = "Logs", .index_name = index_name});
    EXPECT_TRUE(answer.has_value()) << answer.error().message();
    if (!answer) return items;
    for (std::size_t i = 0; i < answer->items.size(); ++i) {
      const Item item(answer->items[i]);
      EXPECT_TRUE(items.emplace(item.view().find("id")->number(), item).second) << "twice";
    }
    return items;
  }
  void expect_indexes_like_table() {
    const auto is_active = [&] {
      const auto table = database_->describe_table({.table_name = "Logs"});
      return table && table->global_secondary_indexes.size() == 2 &&
             table->table_status == TableStatus::Active &&
             table->global_secondary_indexes[0].index_status == IndexStatus::Active &&
             table->global_secondary_indexes[1].index_status == IndexStatus::Active;
    };
    for (int i = 0; i < 10'000 && !is_active(); ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    ASSERT_TRUE(is_active());
    ASSERT_TRUE(database_->settle_indexes().has_value());
    const auto table = content(std::nullopt);
    EXPECT_EQ(table.size(), static_cast<std::size_t>(kItems));
    EXPECT_EQ(content("early"), table);
    EXPECT_EQ(content("late"), table);
  }

  static std::size_t index(int item) { return static_cast<std::size_t>(item); }

  std::uint_fast32_t seed_ = 0;
  std::filesystem::path directory_;
  std::unique_ptr<Database> database_;
  std::vector<Item> keys_;
  std::atomic<std::size_t> next_number_ = 1;
  std::atomic<std::uint64_t> clock_ = 0;
  std::mutex mutex_;
  std::map<std::size_t, Event> events_;  // those that happened
};

using Graph = std::map<std::size_t, std::vector<std::size_t>>;

// Takes away, again and again, those that nobody comes before. Returns how many are left.
std::size_t left_in_circles(const Graph& after, const std::map<std::size_t, Event>& events) {
  std::map<std::size_t, std::size_t> before;
  for (const auto& [number, event] : events) before[number] = 0;
  for (const auto& [number, followers] : after) {
    for (const std::size_t follower : followers) ++before[follower];
  }
  std::vector<std::size_t> free;
  for (const auto& [number, count] : before) {
    if (count == 0) free.push_back(number);
  }
  std::size_t taken = 0;
  while (!free.empty()) {
    const std::size_t number = free.back();
    free.pop_back();
    ++taken;
    const auto found = after.find(number);
    if (found == after.end()) continue;
    for (const std::size_t follower : found->second) {
      if (--before[follower] == 0) free.push_back(follower);
    }
  }
  return events.size() - taken;
}

TEST_P(HistoryTest, concurrent_histories_are_serialisable) {
  SCOPED_TRACE("PARTITA_SEED=" + std::to_string(seed_));
  std::vector<std::thread> clients;
  for (unsigned i = 0; i < 8; ++i) clients.emplace_back([this, i] { run_client(i); });
  create_late_index();
  for (std::thread& client : clients) client.join();
  expect_indexes_like_table();

  std::vector<std::vector<std::size_t>> logs;
  std::map<std::size_t, std::size_t> found;  // writer → items it is found in
  for (const Item& key : keys_) {
    const auto answer =
        database_->get_item({.table_name = "Logs", .key = key, .consistent_read = true});
    ASSERT_TRUE(answer.has_value());
    logs.push_back(log_of(answer->item));
    for (const std::size_t writer : logs.back()) ++found[writer];
  }
  std::size_t writers = 0;
  for (const auto& [number, event] : events_) {
    if (event.written.empty()) continue;
    ++writers;
    EXPECT_EQ(found[number], event.written.size()) << "all or nothing, and once";
  }
  EXPECT_EQ(found.size(), writers) << "what was refused left something behind";
  ASSERT_GT(writers, 50u);

  Graph after;
  for (int item = 0; item < kItems; ++item) {
    const std::vector<std::size_t>& log = logs[index(item)];
    for (std::size_t i = 1; i < log.size(); ++i) after[log[i - 1]].push_back(log[i]);
    for (const auto& [number, event] : events_) {
      const auto seen = event.read.find(item);
      if (seen == event.read.end()) continue;
      if (seen->second > 0) after[log[seen->second - 1]].push_back(number);
      if (seen->second < log.size()) after[number].push_back(log[seen->second]);
    }
  }
  for (const auto& [first, event] : events_) {
    for (const auto& [second, other] : events_) {
      if (event.ended < other.began) after[first].push_back(second);
    }
  }
  EXPECT_EQ(left_in_circles(after, events_), 0u);
}

// The checker finds what it is for.
TEST(History, a_circle_is_found) {
  std::map<std::size_t, Event> events{{1, {}}, {2, {}}, {3, {}}};
  EXPECT_EQ(left_in_circles({{1, {2}}, {2, {3}}}, events), 0u);
  EXPECT_EQ(left_in_circles({{1, {2}}, {2, {3}}, {3, {2}}}, events), 2u);
}

std::string way_name(const testing::TestParamInfo<Way>& info) {
  constexpr const char* names[] = {"rocksdb", "memory", "rehearsal"};
  return std::string(names[static_cast<int>(info.param.engine)]) +
         (info.param.lagged ? "_lagged" : "");
}

std::vector<Way> ways() {
  std::vector<Way> all;
  for (const bool lagged : {false, true}) {
#ifdef PARTITA_WITH_ROCKSDB
    all.push_back({EngineKind::Rocksdb, lagged});
#endif
    all.push_back({EngineKind::Memory, lagged});
    all.push_back({EngineKind::Rehearsal, lagged});
  }
  return all;
}

INSTANTIATE_TEST_SUITE_P(engines, HistoryTest, testing::ValuesIn(ways()), way_name);

}  // namespace
}  // namespace partita::model
