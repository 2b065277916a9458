// Time to live in a whole database, on every engine, with a clock that the test moves.
#include <map>
#include <random>
#include <thread>

#include <gtest/gtest.h>

#include "partita/database.h"

namespace partita {
namespace {

using namespace std::chrono_literals;
using Time = MovableClock::Time;

constexpr std::int64_t kStart = 1'800'000'000;
const std::string kTable = "Sessions";

struct Mode {
  EngineKind engine;
  std::chrono::milliseconds index_lag;
};

class ExpiryTest : public testing::TestWithParam<Mode> {
 protected:
  void SetUp() override {
    ASSERT_TRUE(clock_->freeze_at(Time(std::chrono::seconds(kStart))).has_value());
    auto opened = Database::open({.engine = GetParam().engine,
                                  .index_lag = GetParam().index_lag,
                                  .expiry_delay = 0ms,
                                  .clock = clock_});
    ASSERT_TRUE(opened.has_value()) << opened.error().message();
    database_ = *std::move(opened);
    CreateTableRequest table;
    table.table_name = kTable;
    table.attribute_definitions = {{"id", ScalarType::N}, {"kind", ScalarType::S}};
    table.key_schema = {{"id", KeyType::Hash}};
    table.billing_mode = BillingMode::PayPerRequest;
    GlobalSecondaryIndex index;
    index.index_name = "by_kind";
    index.key_schema = {{"kind", KeyType::Hash}};
    index.projection.type = ProjectionType::All;
    table.global_secondary_indexes = {index};
    const auto created = database_->create_table(table);
    ASSERT_TRUE(created.has_value()) << created.error().message();
  }

  Result<UpdateTimeToLiveResponse> change(bool enabled, std::string attribute = "until") {
    return database_->update_time_to_live({kTable, {enabled, std::move(attribute)}});
  }
  TimeToLiveStatus status() { return database_->describe_time_to_live({kTable})->status; }
  // What the background does takes its time, but not for ever.
  template <typename Condition>
  void wait_until(Condition condition) {
    const auto deadline = std::chrono::steady_clock::now() + 60s;
    while (!condition()) {
      ASSERT_LT(std::chrono::steady_clock::now(), deadline);
      std::this_thread::sleep_for(1ms);
    }
  }
  void enable() {
    const auto changed = change(true);
    ASSERT_TRUE(changed.has_value()) << changed.error().message();
    EXPECT_EQ(status(), TimeToLiveStatus::Enabled);
    // It says so a moment before it holds.
    const auto now = std::chrono::floor<std::chrono::seconds>(clock_->now().time_since_epoch());
    put(-1, Value::number(now.count() - 10));
    wait_until([&] {
      expire();
      return !scan().contains(-1);
    });
  }
  void disable() {
    ASSERT_TRUE(change(false).has_value());
    wait_until([&] { return status() == TimeToLiveStatus::Disabled; });
  }
  void expire() {
    ASSERT_TRUE(database_->settle_indexes().has_value());
    ASSERT_TRUE(database_->expire_items().has_value());
    ASSERT_TRUE(database_->settle_indexes().has_value());
  }
  void put(std::int64_t id, const std::optional<Value>& until) {
    Item item{{"id", Value::number(id)}, {"kind", Value::string("guest")}};
    if (until) {
      item = Item{{"id", Value::number(id)}, {"kind", Value::string("guest")}, {"until", *until}};
    }
    ASSERT_TRUE(database_->put_item({.table_name = kTable, .item = item}).has_value());
  }
  std::map<std::int64_t, std::string> scan(std::string index = {}) {
    ScanRequest request{.table_name = kTable};
    if (!index.empty()) request.index_name = index;
    std::map<std::int64_t, std::string> found;
    const auto page = database_->scan(request);
    EXPECT_TRUE(page.has_value());
    for (std::size_t i = 0; i < page->items.size(); ++i) {
      const ItemView item = page->items[i];
      const auto until = item.find("until");
      found.emplace(std::stoll(item.find("id")->number()),
                    until && until->is(ValueType::N) ? until->number() : "");
    }
    return found;
  }

  std::shared_ptr<MovableClock> clock_ = std::make_shared<MovableClock>();
  std::unique_ptr<Database> database_;
};

TEST_P(ExpiryTest, expired_items_are_there_until_they_are_deleted_and_leave_indexes_too) {
  enable();
  put(1, Value::number(kStart + 10));
  put(2, Value::number(kStart + 20));
  put(3, std::nullopt);
  expire();
  EXPECT_EQ(scan().size(), 3u);
  ASSERT_TRUE(clock_->advance(11s).has_value());
  expire();
  EXPECT_EQ(scan().size(), 2u);
  EXPECT_EQ(scan("by_kind").size(), 2u);
  EXPECT_FALSE(scan().contains(1));
}

TEST_P(ExpiryTest, the_background_wakes_when_the_clock_is_moved) {
  enable();
  put(1, Value::number(kStart + 10));
  ASSERT_TRUE(clock_->advance(11s).has_value());
  wait_until([&] {
    static_cast<void>(database_->settle_indexes());
    return scan().empty();
  });
}

TEST_P(ExpiryTest, one_change_an_hour_and_what_makes_no_sense_is_told_first) {
  const auto message = [](const auto& result) {
    return result.has_value() ? std::string("done") : result.error().message();
  };
  EXPECT_EQ(message(change(false)), "TimeToLive is already disabled");
  enable();
  const std::string other =
      "TimeToLive is active on a different AttributeName: current AttributeName is until";
  const std::string lately =
      "Time to live has been modified multiple times within a fixed interval";
  EXPECT_EQ(message(change(true)), "TimeToLive is already enabled");
  EXPECT_EQ(message(change(true, "other")), other);
  EXPECT_EQ(message(change(false, "other")), other);
  EXPECT_EQ(message(change(false)), lately);
  ASSERT_TRUE(clock_->advance(1h - 1ms).has_value());
  EXPECT_EQ(message(change(false)), lately);
  ASSERT_TRUE(clock_->advance(1ms).has_value());
  EXPECT_EQ(message(change(true)), "TimeToLive is already enabled");
  disable();
  EXPECT_TRUE(database_->describe_time_to_live({kTable})->attribute_name.empty());
  EXPECT_EQ(message(change(false)), "TimeToLive is already disabled");
  EXPECT_EQ(message(change(true, "other")), lately);
  ASSERT_TRUE(clock_->set(Time(1000s)).has_value());  // an hour that is yet to come holds up nobody
  EXPECT_EQ(message(change(true, "other")), "done");
}

TEST_P(ExpiryTest, a_step_back_of_the_clock_brings_nothing_back_and_deletes_nothing) {
  enable();
  put(1, Value::number(kStart + 10));
  put(2, Value::number(kStart - 10'000));
  ASSERT_TRUE(clock_->advance(-20'000s).has_value());
  expire();
  EXPECT_LE(scan().size(), 2u);  // the background may have been first with the second
  put(2, Value::number(kStart - 10'000));
  expire();
  EXPECT_EQ(scan().size(), 2u);
  ASSERT_TRUE(clock_->advance(10'001s).has_value());
  expire();
  EXPECT_EQ(scan().size(), 1u);
  EXPECT_TRUE(scan().contains(1));
}

TEST_P(ExpiryTest, a_key_may_be_what_items_expire_by) {
  ASSERT_TRUE(change(true, "id").has_value());
  put(kStart - 1, std::nullopt);
  put(kStart + 1, std::nullopt);
  wait_until([&] {
    expire();
    return scan().size() == 1;
  });
  EXPECT_TRUE(scan().contains(kStart + 1));
}

// Random work, held against a map.
TEST_P(ExpiryTest, agrees_with_a_model) {
  const unsigned seed = std::random_device()();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 random(seed);
  const auto below = [&](int count) { return static_cast<int>(random() % unsigned(count)); };
  std::map<std::int64_t, std::string> model;
  std::int64_t now = kStart;
  bool enabled = false;
  // The background works whenever it likes, so the model is held against what is left when it has
  // nothing more to do.
  const auto expire_both = [&] {
    expire();
    if (!enabled) return;
    std::erase_if(model, [&](const auto& item) {
      if (item.second.empty()) return false;
      const std::int64_t until = std::stoll(item.second);
      return until < now && until > now - 150'000'000;
    });
  };
  for (int step = 0; step < 1500; ++step) {
    const std::int64_t id = below(60);
    switch (below(12)) {
      case 0:
      case 1:
      case 2:
      case 3: {
        // Every kind of moment: soon, past, long past, none, not a number.
        const std::int64_t until = below(8) == 0 ? now - 200'000'000 : now - 50 + below(200);
        put(id, Value::number(until));
        model[id] = std::to_string(until);
        break;
      }
      case 4:
        put(id, below(2) == 0 ? std::optional(Value::string("soon")) : std::nullopt);
        model[id] = "";
        break;
      case 5: {
        const Item key{{"id", Value::number(id)}};
        ASSERT_TRUE(database_->delete_item({.table_name = kTable, .key = key}).has_value());
        model.erase(id);
        break;
      }
      case 6: {
        const Item key{{"id", Value::number(id)}};
        const std::int64_t until = now + below(100);
        const Value value = Value::number(until);
        const ExpressionAttributeValue values[] = {{":u", value}};
        UpdateItemRequest update{.table_name = kTable, .key = key};
        const ExpressionAttributeName names[] = {{"#u", "until"}};  // a reserved word
        update.update_expression = "SET #u = :u";
        update.expression_attributes.names = names;
        update.expression_attributes.values = values;
        ASSERT_TRUE(database_->update_item(update).has_value());
        model[id] = std::to_string(until);
        break;
      }
      case 7:
        if (below(10) == 0) {
          ASSERT_TRUE(clock_->advance(1h).has_value());
          now += 3600;
          expire_both();
          enabled ? disable() : enable();
          enabled = !enabled;
        }
        break;
      default: {
        const int seconds = below(30);
        ASSERT_TRUE(clock_->advance(std::chrono::seconds(seconds)).has_value());
        now += seconds;
        break;
      }
    }
    expire_both();
    const auto found = scan();
    ASSERT_EQ(found, model) << "step " << step;
    if (step % 100 == 0) {
      ASSERT_EQ(scan("by_kind").size(), [&] {
        std::size_t with_kind = 0;
        const auto page = database_->scan({.table_name = kTable});
        for (std::size_t i = 0; i < page->items.size(); ++i) {
          with_kind += ItemView(page->items[i]).find("kind") ? 1 : 0;
        }
        return with_kind;
      }());
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    Engines, ExpiryTest,
    testing::Values(Mode{EngineKind::Memory, 0ms}, Mode{EngineKind::Rehearsal, 0ms},
                    Mode{EngineKind::Memory, 3600s}),
    [](const auto& mode) {
      const std::string lagged = mode.param.index_lag.count() > 0 ? "Lagged" : "";
      return (mode.param.engine == EngineKind::Memory ? "Memory" : "Rehearsal") + lagged;
    });

}  // namespace
}  // namespace partita
