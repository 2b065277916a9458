#include "expression/key_condition.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "expression/test_request.h"

namespace partita {
namespace {

using namespace testing;

std::string error(std::string_view expression) {
  TestRequest request({}, {{":a", S("1")}, {":b", S("1")}});
  Binder binder = request.binder();
  auto condition = binder.key_condition(expression);
  if (!condition) return condition.error().message();
  // Whatever is unused comes first; use everything.
  EXPECT_TRUE(binder.condition("FilterExpression", ":a = :b"));
  return TestRequest::message(binder.finish());
}

TEST(KeyCondition, is_a_list_of_clauses_in_the_order_of_the_text) {
  TestRequest request({{"#s", "sk"}}, {{":p", S("p")}, {":l", N("1")}, {":u", N("9")}});
  auto condition = request.binder().key_condition("(#s BETWEEN :l AND :u) AND (:p = pk)");
  ASSERT_TRUE(condition);
  const auto clauses = condition->clauses();
  ASSERT_EQ(clauses.size(), 2U);
  EXPECT_EQ(clauses[0].attribute, "sk");
  EXPECT_EQ(clauses[0].op, KeyOperator::Between);
  EXPECT_EQ(clauses[0].value, N("1").view());
  EXPECT_EQ(clauses[0].upper, N("9").view());
  EXPECT_EQ(clauses[1].attribute, "pk");
  EXPECT_EQ(clauses[1].op, KeyOperator::Equal);
  EXPECT_EQ(clauses[1].value, S("p").view());
  EXPECT_FALSE(clauses[1].upper);
}

TEST(KeyCondition, exchanges_operands_so_that_the_attribute_comes_first) {
  const std::vector<std::pair<std::string, KeyOperator>> cases = {
      {"a = :a", KeyOperator::Equal},
      {":a = a", KeyOperator::Equal},
      {"a < :a", KeyOperator::Less},
      {":a < a", KeyOperator::Greater},
      {"a <= :a", KeyOperator::LessOrEqual},
      {":a <= a", KeyOperator::GreaterOrEqual},
      {"a > :a", KeyOperator::Greater},
      {":a > a", KeyOperator::Less},
      {"a >= :a", KeyOperator::GreaterOrEqual},
      {":a >= a", KeyOperator::LessOrEqual},
      {"begins_with(a, :a)", KeyOperator::BeginsWith}};
  for (const auto& [text, op] : cases) {
    TestRequest request({}, {{":a", S("x")}});
    auto condition = request.binder().key_condition(text);
    ASSERT_TRUE(condition) << text;
    ASSERT_EQ(condition->clauses().size(), 1U) << text;
    EXPECT_EQ(condition->clauses()[0].op, op) << text;
    EXPECT_EQ(condition->clauses()[0].attribute, "a");
    EXPECT_EQ(condition->clauses()[0].value, S("x").view());
  }
}

TEST(KeyCondition, takes_only_some_operators) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"a > b and size(b) > c or a > c", "OR"},
      {"a in (b, size(c), d)", "IN"},
      {"attribute_exists(a)", "attribute_exists"},
      {"attribute_not_exists(a)", "attribute_not_exists"},
      {"contains(a.d, b)", "contains"},
      {"not a > b", "NOT"},
      {"a <> b", "<>"},
      {"a = :a AND NOT b = :b", "NOT"}};
  for (const auto& [text, op] : cases) {
    EXPECT_EQ(error(text), "Invalid operator used in KeyConditionExpression: " + op) << text;
  }
}

TEST(KeyCondition, each_clause_is_about_one_attribute_and_values) {
  const std::string invalid = "Invalid condition in KeyConditionExpression: ";
  EXPECT_EQ(error(":a between size(b) and size(a) and b > :b"),
            invalid + "BETWEEN operator must have the key attribute as its first operand");
  EXPECT_EQ(error("begins_with(:a, b) and a > :b"),
            invalid + "begins_with operator must have the key attribute as its first operand");
  for (const char* text :
       {"size(b) > a AND a.b > b AND b > c", "a > size(b.d)", "a between size(b) and size(a)"}) {
    EXPECT_EQ(error(text), "KeyConditionExpressions cannot contain nested operations") << text;
  }
  for (const char* text :
       {"b > a.b", "b between c[1] and d", "a between b and size(a)", "begins_with(a, b)"}) {
    EXPECT_EQ(error(text), invalid + "Multiple attribute names used in one condition") << text;
  }
  for (const char* text : {"b.d > a AND c.d > e.f", "a.d > c", "b[0] > a"}) {
    EXPECT_EQ(error(text), "KeyConditionExpressions cannot have conditions on nested attributes");
  }
  for (const char* text : {":b > :a AND a < :b", ":a > b AND :a < :b"}) {
    EXPECT_EQ(error(text), invalid + "No key attribute specified") << text;
  }
  for (const char* text :
       {"b > :a AND b < :a and c = :a and d = :a", "(a > :a and b > :a) and (b > :a and c > :a)"}) {
    EXPECT_EQ(error(text), "KeyConditionExpressions must only contain one condition per key");
  }
}

TEST(KeyCondition, follows_the_rules_of_all_conditions_first) {
  TestRequest request({}, {{":a", S("a")}, {":n", N("1")}});
  const auto message = [&](std::string_view text) {
    return TestRequest::message(request.binder().key_condition(text));
  };
  EXPECT_EQ(message("begins_with(a, :n)"),
            "Invalid KeyConditionExpression: Incorrect operand type for operator or function; "
            "operator or function: begins_with, operand type: N");
  EXPECT_EQ(message("a between :n and :a"),
            "Invalid KeyConditionExpression: The BETWEEN operator requires same data type for "
            "lower and upper bounds; lower bound operand: AttributeValue: {N:1}, upper bound "
            "operand: AttributeValue: {S:a}");
  EXPECT_EQ(message("name = :a"),
            "Invalid KeyConditionExpression: Attribute name is a reserved keyword; reserved "
            "keyword: name");
}

TEST(KeyCondition, what_no_key_can_have_is_reported_after_other_expressions_and_unused_values) {
  TestRequest request({}, {{":a", S("a")}, {":unused", S("b")}});
  Binder binder = request.binder();
  auto condition = binder.key_condition("a = :a OR b = :a");
  ASSERT_TRUE(condition);
  EXPECT_TRUE(condition->clauses().empty());
  EXPECT_FALSE(binder.condition("FilterExpression", ""));
  EXPECT_EQ(TestRequest::message(binder.finish()),
            "Value provided in ExpressionAttributeValues unused in expressions: keys: {:unused}");
  EXPECT_TRUE(binder.condition("FilterExpression", "c = :unused"));
  EXPECT_EQ(TestRequest::message(binder.finish()),
            "Invalid operator used in KeyConditionExpression: OR");
}

}  // namespace
}  // namespace partita
