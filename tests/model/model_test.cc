// Random operations against the reference model, through the public API, on every engine, with
// index rows in the item's commit and following the change log.
#include <filesystem>
#include <map>
#include <random>
#include <set>

#include <gtest/gtest.h>

#include "partita/database.h"

#include "reference_model.h"

namespace partita::model {
namespace {

struct Mode {
  EngineKind engine;
  bool lagged;
};

class ModelTest : public testing::TestWithParam<Mode> {
 public:
  void SetUp() override {
    seed_ = std::random_device()();
    if (const char* fixed = std::getenv("PARTITA_SEED")) seed_ = std::stoul(fixed);
    random_.seed(seed_);
    directory_ =
        std::filesystem::temp_directory_path() / ("partita-model-" + std::to_string(seed_));
    open(GetParam().lagged);
    CreateTableRequest table;
    table.table_name = "Model";
    table.attribute_definitions = {
        {"pk", ScalarType::S}, {"sk", ScalarType::N}, {"g", ScalarType::S}, {"n", ScalarType::N}};
    table.key_schema = {{"pk", KeyType::Hash}, {"sk", KeyType::Range}};
    table.billing_mode = BillingMode::PayPerRequest;
    table.global_secondary_indexes = {
        GlobalSecondaryIndex{"by_group",
                             {{"g", KeyType::Hash}, {"n", KeyType::Range}},
                             {ProjectionType::All, {}, false},
                             {},
                             {},
                             {}}};
    table.local_secondary_indexes = {
        LocalSecondaryIndex{"by_n",
                            {{"pk", KeyType::Hash}, {"n", KeyType::Range}},
                            {ProjectionType::KeysOnly, {}, false}}};
    const auto created = database_->create_table(table);
    ASSERT_TRUE(created.has_value()) << created.error().message();
  }
  void TearDown() override {
    database_.reset();
    std::filesystem::remove_all(directory_);
  }

  void open(bool lagged) {
    database_.reset();
    Options options{.engine = GetParam().engine,
                    .data_directory = directory_.string(),
                    .durability = Durability::Relaxed};
    // Indexes follow when they are looked at, and at random moments in between.
    if (lagged) options.index_lag = std::chrono::hours(1);
    auto opened = Database::open(std::move(options));
    ASSERT_TRUE(opened.has_value()) << opened.error().message();
    database_ = *std::move(opened);
  }

  std::int64_t below(std::int64_t end) {
    return std::uniform_int_distribution<std::int64_t>(0, end - 1)(random_);
  }
  Key any_key() { return {"p" + std::to_string(below(5)), below(40) - 20}; }
  static Item key_item(const Key& key) {
    return {{"pk", Value::string(key.first)}, {"sk", Value::number(key.second)}};
  }
  Row any_row() {
    Row row;
    if (below(4) != 0) row.n = below(10) - 5;
    if (below(3) != 0) row.g = "g" + std::to_string(below(3));
    row.payload.assign(static_cast<std::size_t>(below(50)), 'x');
    return row;
  }

  // One random step on both sides.
  void put() {
    const Key key = any_key();
    const Row row = any_row();
    const Item item = row.item(key);
    PutItemRequest request{.table_name = "Model", .item = item};
    const bool only_new = below(3) == 0;
    if (only_new) request.condition_expression = "attribute_not_exists(pk)";
    request.return_values = ReturnValues::AllOld;
    const auto answer = database_->put_item(request);
    if (only_new && model_.rows.contains(key)) {
      ASSERT_FALSE(answer.has_value());
      EXPECT_EQ(answer.error().code(), ErrorCode::ConditionalCheckFailed);
      return;
    }
    ASSERT_TRUE(answer.has_value()) << answer.error().message();
    EXPECT_EQ(answer->attributes, model_.get(key));
    model_.rows[key] = row;
  }

  void remove() {
    const Key key = any_key();
    const Item item = key_item(key);
    DeleteItemRequest request{.table_name = "Model", .key = item};
    request.return_values = ReturnValues::AllOld;
    const auto answer = database_->delete_item(request);
    ASSERT_TRUE(answer.has_value()) << answer.error().message();
    EXPECT_EQ(answer->attributes, model_.get(key));
    model_.rows.erase(key);
  }

  void add_to_n() {
    const Key key = any_key();
    const Item item = key_item(key);
    const std::int64_t step = below(7) - 3;
    const Value step_value = Value::number(step);
    const ExpressionAttributeValue values[] = {{":step", step_value}};
    UpdateItemRequest request{.table_name = "Model", .key = item};
    request.update_expression = "ADD n :step";
    request.expression_attributes.values = values;
    request.return_values = ReturnValues::AllNew;
    const auto answer = database_->update_item(request);
    ASSERT_TRUE(answer.has_value()) << answer.error().message();
    Row& row = model_.rows[key];
    row.n = row.n.value_or(0) + step;
    EXPECT_EQ(answer->attributes, model_.get(key));
  }

  void remove_g_if_present() {
    const Key key = any_key();
    const Item item = key_item(key);
    UpdateItemRequest request{.table_name = "Model", .key = item};
    request.update_expression = "REMOVE g";
    request.condition_expression = "attribute_exists(g)";
    const auto answer = database_->update_item(request);
    const auto found = model_.rows.find(key);
    const bool present = found != model_.rows.end() && found->second.g;
    ASSERT_EQ(answer.has_value(), present);
    if (present) found->second.g.reset();
  }

  std::vector<Key> some_keys(std::size_t count_max) {
    std::set<Key> keys;
    const auto count = static_cast<std::size_t>(1 + below(static_cast<std::int64_t>(count_max)));
    while (keys.size() < count) keys.insert(any_key());
    return {keys.begin(), keys.end()};
  }

  void batch_write() {
    std::vector<Item> items;
    std::map<Key, std::optional<Row>> after;
    std::vector<bool> puts;
    for (const Key& key : some_keys(25)) {
      puts.push_back(below(3) != 0);
      if (puts.back())
        after[key] = any_row();
      else
        after[key] = std::nullopt;
      items.push_back(puts.back() ? after[key]->item(key) : key_item(key));
    }
    std::vector<WriteRequest> writes(items.size());
    for (std::size_t i = 0; i < items.size(); ++i) {
      (puts[i] ? writes[i].put_item : writes[i].delete_key) = items[i].view();
    }
    const TableWrites tables[] = {{.table_name = "Model", .requests = writes}};
    const auto answer = database_->batch_write_item({.request_items = tables});
    ASSERT_TRUE(answer.has_value()) << answer.error().message();
    EXPECT_TRUE(answer->unprocessed_items.empty());
    model_.apply(after);
  }

  // Puts, deletes, checks and additions; half of the transactions have a condition that fails.
  void transact_write() {
    const Value step_value = Value::number(2);
    const ExpressionAttributeValue values[] = {{":step", step_value}};
    const std::vector<Key> keys = some_keys(8);
    std::vector<Item> items;
    std::map<Key, std::optional<Row>> after;
    std::vector<TransactWrite> actions(keys.size());
    bool happens = true;
    for (std::size_t i = 0; i < keys.size(); ++i) {
      const Key& key = keys[i];
      const auto found = model_.rows.find(key);
      const bool present = found != model_.rows.end();
      Row row = present ? found->second : Row();
      TransactWrite& action = actions[i];
      action.table_name = "Model";
      action.kind = static_cast<TransactWrite::Kind>(below(4));
      items.push_back(key_item(key));
      switch (action.kind) {
        case TransactWrite::Kind::Put:
          row = any_row();
          items.back() = row.item(key);
          after[key] = row;
          break;
        case TransactWrite::Kind::Delete:
          after[key] = std::nullopt;
          break;
        case TransactWrite::Kind::Update:
          action.update_expression = "ADD n :step";
          action.expression_attributes.values = values;
          row.n = row.n.value_or(0) + 2;
          after[key] = row;
          break;
        case TransactWrite::Kind::ConditionCheck:
          break;
      }
      const bool fails = below(static_cast<std::int64_t>(2 * keys.size())) == 0;
      happens = happens && !fails;
      if (fails || action.kind == TransactWrite::Kind::ConditionCheck) {
        action.condition_expression =
            present != fails ? "attribute_exists(pk)" : "attribute_not_exists(pk)";
      }
    }
    for (std::size_t i = 0; i < keys.size(); ++i) actions[i].item = items[i];
    const auto answer = database_->transact_write_items({.transact_items = actions});
    ASSERT_EQ(answer.has_value(), happens) << (answer ? "" : answer.error().message());
    if (happens) model_.apply(after);
  }

  void get_many() {
    const std::vector<Key> keys = some_keys(20);
    std::vector<Item> items;
    for (const Key& key : keys) items.push_back(key_item(key));
    std::vector<TransactGet> gets;
    for (const Item& item : items) gets.push_back({.table_name = "Model", .key = item});
    const auto together = database_->transact_get_items({.transact_items = gets});
    ASSERT_TRUE(together.has_value()) << together.error().message();
    std::size_t present = 0;
    for (std::size_t i = 0; i < keys.size(); ++i) {
      EXPECT_EQ(together->responses[i], model_.get(keys[i]));
      present += model_.rows.contains(keys[i]);
    }
    const std::vector<ItemView> views(items.begin(), items.end());
    const KeysAndAttributes wanted[] = {{.table_name = "Model", .keys = views}};
    const auto batch = database_->batch_get_item({.request_items = wanted});
    ASSERT_TRUE(batch.has_value()) << batch.error().message();
    EXPECT_EQ(batch->responses[0].items.size(), present);
  }

  void get() {
    const Key key = any_key();
    const Item item = key_item(key);
    const auto answer = database_->get_item({.table_name = "Model", .key = item});
    ASSERT_TRUE(answer.has_value()) << answer.error().message();
    EXPECT_EQ(answer->item, model_.get(key));
  }

  // All pages of a query, each with a random limit.
  std::vector<Item> all_pages(QueryRequest request) {
    std::vector<Item> items;
    std::optional<Item> position;
    do {
      if (position) request.exclusive_start_key = position->view();
      request.limit = static_cast<std::int32_t>(1 + below(8));
      auto page = database_->query(request);
      EXPECT_TRUE(page.has_value()) << page.error().message();
      if (!page) return items;
      EXPECT_LE(page->scanned_count, *request.limit);
      for (std::size_t i = 0; i < page->items.size(); ++i) items.emplace_back(page->items[i]);
      position = std::move(page->last_evaluated_key);
    } while (position);
    return items;
  }

  void query() {
    const std::string pk = any_key().first;
    const std::int64_t low = below(40) - 20, high = low + below(20);
    const Value pk_value = Value::string(pk), low_value = Value::number(low),
                high_value = Value::number(high);
    const ExpressionAttributeValue values[] = {
        {":pk", pk_value}, {":low", low_value}, {":high", high_value}};
    QueryRequest request{.table_name = "Model"};
    request.key_condition_expression = "sk BETWEEN :low AND :high AND pk = :pk";
    request.expression_attributes.values = values;
    request.scan_index_forward = below(2) == 0;
    EXPECT_EQ(all_pages(request), model_.query(pk, low, high, request.scan_index_forward));
  }

  void settle() { ASSERT_TRUE(database_->settle_indexes().has_value()); }

  bool late_index_is(bool there) {
    settle();
    const auto table = database_->describe_table({"Model"});
    if (!table || table->table_status != TableStatus::Active) return false;
    const auto& indexes = table->global_secondary_indexes;
    if (indexes.size() != (there ? 2u : 1u)) return false;
    return !there || indexes[1].index_status == IndexStatus::Active;
  }

  // A second global index comes or goes while items are written.
  void change_late_index() {
    UpdateTableRequest request;
    request.table_name = "Model";
    auto& update = request.global_secondary_index_updates.emplace(1).front();
    if (late_index_) {
      update.delete_index_name = "late";
    } else {
      request.attribute_definitions = {{"n", ScalarType::N}};
      update.create = GlobalSecondaryIndex{
          "late", {{"n", KeyType::Hash}}, {ProjectionType::KeysOnly, {}, false}, {}, {}, {}};
    }
    const auto answer = database_->update_table(request);
    ASSERT_TRUE(answer.has_value()) << answer.error().message();
    late_index_ = !late_index_;
    while (!HasFailure() && !late_index_is(late_index_)) {
      put();
      remove();
      add_to_n();
    }
  }

  void query_late_index() {
    if (!late_index_) return;
    const std::int64_t n = below(10) - 5;
    const Value value = Value::number(n);
    const ExpressionAttributeValue values[] = {{":n", value}};
    QueryRequest request{.table_name = "Model", .index_name = "late"};
    request.key_condition_expression = "n = :n";
    request.expression_attributes.values = values;
    settle();
    std::vector<Item> expected;
    for (const auto& [key, row] : model_.rows) {
      if (row.n == n) expected.push_back(Row{row.n, {}, ""}.item(key));
    }
    EXPECT_EQ(all_pages(request), expected);
  }

  void query_indexes() {
    settle();
    const std::string g = "g" + std::to_string(below(3));
    const Value g_value = Value::string(g);
    const ExpressionAttributeValue g_values[] = {{":g", g_value}};
    QueryRequest global{.table_name = "Model", .index_name = "by_group"};
    global.key_condition_expression = "g = :g";
    global.expression_attributes.values = g_values;
    EXPECT_EQ(all_pages(global), model_.query_index(g));

    const std::string pk = any_key().first;
    const Value pk_value = Value::string(pk);
    const ExpressionAttributeValue pk_values[] = {{":pk", pk_value}};
    QueryRequest local{.table_name = "Model", .index_name = "by_n"};
    local.select = Select::AllAttributes;
    local.key_condition_expression = "pk = :pk";
    local.expression_attributes.values = pk_values;
    EXPECT_EQ(all_pages(local), model_.query_local(pk));
  }

  void scan() {
    const std::int32_t segments = static_cast<std::int32_t>(1 + below(4));
    std::map<std::string, int> seen;
    for (std::int32_t segment = 0; segment < segments; ++segment) {
      ScanRequest request{.table_name = "Model"};
      request.segment = segment;
      request.total_segments = segments;
      std::optional<Item> position;
      do {
        if (position) request.exclusive_start_key = position->view();
        request.limit = static_cast<std::int32_t>(1 + below(30));
        auto page = database_->scan(request);
        ASSERT_TRUE(page.has_value()) << page.error().message();
        for (std::size_t i = 0; i < page->items.size(); ++i) {
          ++seen[std::string(page->items[i].bytes())];
        }
        position = std::move(page->last_evaluated_key);
      } while (position);
    }
    std::map<std::string, int> expected;
    for (const auto& [key, row] : model_.rows)
      ++expected[std::string(row.item(key).view().bytes())];
    EXPECT_EQ(seen, expected);
  }

  void check_sizes() {
    settle();
    const auto table = database_->describe_table({"Model"});
    ASSERT_TRUE(table.has_value()) << table.error().message();
    EXPECT_EQ(table->item_count, static_cast<std::int64_t>(model_.rows.size()));
    EXPECT_EQ(table->table_size_bytes, model_.total_bytes());
    std::int64_t in_global = 0, in_local = 0;
    for (const auto& [key, row] : model_.rows) {
      in_global += row.g && row.n;
      in_local += row.n.has_value();
    }
    EXPECT_EQ(table->global_secondary_indexes[0].item_count, in_global);
    EXPECT_EQ(table->local_secondary_indexes[0].item_count, in_local);
    if (late_index_) {
      EXPECT_EQ(table->global_secondary_indexes[1].item_count, in_local);
    }
  }

  std::uint_fast32_t seed_ = 0;
  std::mt19937_64 random_;
  std::filesystem::path directory_;
  std::unique_ptr<Database> database_;
  ReferenceModel model_;
  bool late_index_ = false;
};

TEST_P(ModelTest, random_operations_agree_with_the_reference) {
  SCOPED_TRACE("PARTITA_SEED=" + std::to_string(seed_));
  using Step = void (ModelTest::*)();
  static constexpr Step steps[] = {&ModelTest::put,
                                   &ModelTest::put,
                                   &ModelTest::put,
                                   &ModelTest::remove,
                                   &ModelTest::add_to_n,
                                   &ModelTest::remove_g_if_present,
                                   &ModelTest::get,
                                   &ModelTest::query,
                                   &ModelTest::query_indexes,
                                   &ModelTest::scan,
                                   &ModelTest::check_sizes,
                                   &ModelTest::query_late_index,
                                   &ModelTest::batch_write,
                                   &ModelTest::transact_write,
                                   &ModelTest::transact_write,
                                   &ModelTest::get_many};
  for (int step = 0; step < 3000 && !HasFailure(); ++step) {
    (this->*steps[below(std::size(steps))])();
    if (step % 200 == 199) change_late_index();
    // Also from one mode to the other: what is left in the log comes first.
    if (GetParam().engine == EngineKind::Rocksdb && step % 350 == 349) {
      open(GetParam().lagged && below(2) == 0);
    }
  }
}

std::string mode_name(const testing::TestParamInfo<Mode>& info) {
  constexpr const char* names[] = {"rocksdb", "memory", "rehearsal"};
  return std::string(names[static_cast<int>(info.param.engine)]) +
         (info.param.lagged ? "_lagged" : "");
}

std::vector<Mode> modes() {
  std::vector<Mode> all;
  for (const bool lagged : {false, true}) {
#ifdef PARTITA_WITH_ROCKSDB
    all.push_back({EngineKind::Rocksdb, lagged});
#endif
    all.push_back({EngineKind::Memory, lagged});
    all.push_back({EngineKind::Rehearsal, lagged});
  }
  return all;
}

INSTANTIATE_TEST_SUITE_P(engines, ModelTest, testing::ValuesIn(modes()), mode_name);

}  // namespace
}  // namespace partita::model
