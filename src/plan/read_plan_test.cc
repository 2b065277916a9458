#include "plan/read_plan.h"

#include <memory_resource>

#include <gtest/gtest.h>

#include "expression/binder.h"
#include "value/key_encoding.h"

namespace partita {
namespace {

ReadSource people() {
  auto table = std::make_shared<TableSchema>();
  table->name = "People";
  table->space = 3;
  table->key = {{{"pk", ScalarType::S}}, {{"sk", ScalarType::S}}};
  IndexSchema global;
  global.name = "by_city";
  global.global = true;
  global.space = 4;
  global.key = {{{"country", ScalarType::S}, {"city", ScalarType::S}},
                {{"street", ScalarType::S}, {"house", ScalarType::N}}};
  table->global_indexes = {global};
  return {table, nullptr};
}

class ReadPlanTest : public testing::Test {
 protected:
  // Values are :a to :z, given in order.
  Result<KeySelection> select(const ReadSource& source, std::string_view text,
                              const std::vector<Value>& values,
                              std::optional<ItemView> start = std::nullopt) {
    static constexpr std::string_view kPlaceholders[] = {":a", ":b", ":c", ":d"};
    std::vector<ExpressionAttributeValue> given;
    for (std::size_t i = 0; i < values.size(); ++i) given.push_back({kPlaceholders[i], values[i]});
    ExpressionAttributes attributes;
    attributes.values = given;
    Binder binder(cache_, attributes, std::pmr::get_default_resource());
    PARTITA_TRY(const KeyCondition condition, binder.key_condition(text));
    PARTITA_CHECK(binder.finish());
    return select_keys(source, condition, start);
  }
  std::string error(std::string_view text, const std::vector<Value>& values) {
    const auto selection = select(people(), text, values);
    return selection ? "no error" : selection.error().message();
  }
  static bool covers(const KeyRange& range, std::string_view sort_value) {
    std::string sort;
    append_key_component(Value::string(sort_value), sort);
    return sort >= range.lower && (!range.upper || sort < *range.upper);
  }

  ExpressionCache cache_;
};

// Which of these sort keys a condition keeps; two of them hold a zero byte.
TEST_F(ReadPlanTest, sort_conditions_keep_exactly_what_they_say) {
  using namespace std::string_literals;
  const std::vector<std::string> keys = {"a", "a\0"s, "a\0b"s, "ab", "b", "ba", "c\xFF"s};
  const auto kept = [&](std::string_view condition, const std::vector<Value>& values) {
    const auto selection = select(people(), condition, values);
    EXPECT_TRUE(selection.has_value()) << condition;
    std::string names;
    for (std::size_t i = 0; i < keys.size(); ++i) {
      if (covers(selection->range, keys[i])) names += std::to_string(i);
    }
    return names;
  };
  const Value pk = Value::string("p"), a = Value::string("a"), b = Value::string("b");
  EXPECT_EQ(kept("pk = :a", {pk}), "0123456");
  EXPECT_EQ(kept("pk = :a AND sk = :b", {pk, a}), "0");
  EXPECT_EQ(kept("sk < :b AND pk = :a", {pk, b}), "0123");
  EXPECT_EQ(kept("pk = :a AND sk <= :b", {pk, b}), "01234");
  EXPECT_EQ(kept("pk = :a AND sk > :b", {pk, a}), "123456");
  EXPECT_EQ(kept("pk = :a AND sk >= :b", {pk, b}), "456");
  EXPECT_EQ(kept("pk = :a AND sk BETWEEN :b AND :c", {pk, a, b}), "01234");
  EXPECT_EQ(kept("pk = :a AND begins_with(sk, :b)", {pk, a}), "0123");
  EXPECT_EQ(kept("pk = :a AND begins_with(sk, :b)", {pk, Value::string("a\0"s)}), "12");
  EXPECT_EQ(kept("pk = :a AND begins_with(sk, :b)", {pk, Value::string("c\xFF"s)}), "6");
}

TEST_F(ReadPlanTest, conditions_that_do_not_fit_the_key_are_refused) {
  const Value s = Value::string("s");
  EXPECT_EQ(error("sk = :a", {s}), "Query condition missed key schema element: pk");
  EXPECT_EQ(error("pk > :a", {s}), "Query key condition not supported");
  EXPECT_EQ(error("pk = :a AND extra = :b", {s, s}),
            "Query condition missed key schema element: sk");
  EXPECT_EQ(error("pk = :a", {Value::number(1)}),
            "One or more parameter values were invalid: Condition parameter type does not match "
            "schema type");
  EXPECT_EQ(error("pk = :a", {Value::string("")}),
            "One or more parameter values are not valid. The AttributeValue for a key attribute "
            "cannot contain an empty string value. Key: pk");
}

TEST_F(ReadPlanTest, multi_attribute_keys_are_named_from_left_to_right) {
  ReadSource source = people();
  source.index = &source.table->global_indexes[0];
  const std::string_view in_order =
      "Query key condition not supported: RANGE key attribute street needs an equality condition, "
      "because house comes after it";
  const Value s = Value::string("s"), n = Value::number(5);
  const auto outcome = [&](std::string_view text, const std::vector<Value>& values) {
    const auto selection = select(source, text, values);
    return selection ? std::string("no error") : selection.error().message();
  };
  EXPECT_EQ(
      outcome("country = :a", {s}),
      "Query key condition not supported: every HASH key attribute needs an equality condition");
  EXPECT_EQ(outcome("city = :a AND country = :b", {s, s}), "no error");
  EXPECT_EQ(outcome("city = :a AND country = :b AND street = :c AND house > :d", {s, s, s, n}),
            "no error");
  EXPECT_EQ(outcome("city = :a AND country = :b AND house > :c", {s, s, n}), in_order);
  EXPECT_EQ(outcome("city = :a AND country = :b AND street > :c AND house = :d", {s, s, s, n}),
            in_order);
  EXPECT_EQ(outcome("city = :a AND country = :b AND extra = :c", {s, s, s}),
            "Query condition missed key schema element: street");
}

TEST_F(ReadPlanTest, a_start_key_must_lie_within_the_query) {
  const ReadSource source = people();
  const Value p = Value::string("p"), b = Value::string("b");
  const auto start_error = [&](std::string_view condition, const std::vector<Value>& values,
                               const Item& start) {
    const auto selection = select(source, condition, values, ItemView(start));
    if (!selection) return selection.error().message();
    const auto key = start_of_query(source, *selection, start);
    return key ? std::string("no error") : key.error().message();
  };
  const auto key = [](std::string_view pk, std::string_view sk) {
    return Item{{"pk", Value::string(pk)}, {"sk", Value::string(sk)}};
  };
  EXPECT_EQ(start_error("pk = :a", {p}, key("p", "x")), "no error");
  EXPECT_EQ(start_error("pk = :a", {p}, key("q", "x")),
            "The provided starting key is outside query boundaries based on provided conditions");
  EXPECT_EQ(start_error("pk = :a AND sk > :b", {p, b}, key("p", "a")),
            "The provided starting key does not match the range key predicate");
  EXPECT_EQ(start_error("pk = :a", {p}, Item{{"pk", p}}), "The provided starting key is invalid");
  EXPECT_EQ(start_error("pk = :a", {p}, Item{{"pk", p}, {"sk", Value::number(1)}}),
            "The provided key element does not match the schema");
}

TEST(Segments, cover_all_hashes_without_overlap) {
  for (const std::int32_t total : {1, 2, 3, 7, 1000, 1'000'000}) {
    std::uint64_t next = 0;
    for (std::int32_t segment = 0; segment < total; ++segment) {
      const HashRange range = ScanSegment{segment, total}.range();
      ASSERT_EQ(range.first, next);
      ASSERT_GE(range.last, range.first);
      next = range.last + 1;
    }
    EXPECT_EQ(next, 0u) << "the last hash is covered, so the next one wraps";
  }
}

}  // namespace
}  // namespace partita
