#include "push/event_filter.h"

#include <gtest/gtest.h>

namespace partita {
namespace {

constexpr std::string_view kRecord = R"({"eventName": "MODIFY", "dynamodb": {
  "Keys": {"pk": {"S": "order#7"}}, "NewImage": {"total": {"N": "120.5"}, "state": {"S": "Paid"},
  "tags": {"SS": ["new", "big"]}, "lines": {"L": [{"M": {"sku": {"S": "a"}, "n": {"N": "1"}}},
  {"M": {"sku": {"S": "b"}, "n": {"N": "2"}}}]}, "none": {"NULL": true}, "where": {"M": {"city":
  {"S": ""}}}}, "SizeBytes": 40}, "userIdentity": null})";

bool matches(std::string_view pattern) {
  const auto filter = EventFilter::parse(pattern);
  EXPECT_TRUE(filter) << filter.error().message();
  const auto record = parse_json(kRecord);
  EXPECT_TRUE(record);
  return filter && record && filter->matches(*record);
}

TEST(EventFilter, values_and_lists_of_them) {
  EXPECT_TRUE(matches(""));
  EXPECT_TRUE(matches(R"({"eventName": ["MODIFY"]})"));
  EXPECT_TRUE(matches(R"({"eventName": ["INSERT", "MODIFY"]})"));
  EXPECT_FALSE(matches(R"({"eventName": ["INSERT"]})"));
  EXPECT_TRUE(matches(R"({"dynamodb": {"NewImage": {"tags": {"SS": ["big"]}}}})"));
  EXPECT_TRUE(matches(R"({"dynamodb": {"SizeBytes": [40]}})"));
  EXPECT_FALSE(matches(R"({"eventName": ["MODIFY"], "dynamodb": {"SizeBytes": [41]}})"))
      << "every member must match";
}

TEST(EventFilter, rules) {
  EXPECT_TRUE(matches(R"({"dynamodb": {"Keys": {"pk": {"S": [{"prefix": "order#"}]}}}})"));
  EXPECT_FALSE(matches(R"({"dynamodb": {"Keys": {"pk": {"S": [{"prefix": "user#"}]}}}})"));
  EXPECT_TRUE(matches(R"({"dynamodb": {"Keys": {"pk": {"S": [{"suffix": "#7"}]}}}})"));
  EXPECT_TRUE(
      matches(R"({"dynamodb": {"NewImage": {"state": {"S": [{"equals-ignore-case": "PAID"}]}}}})"));
  EXPECT_TRUE(matches(R"({"eventName": [{"anything-but": ["INSERT", "REMOVE"]}]})"));
  EXPECT_FALSE(matches(R"({"eventName": [{"anything-but": "MODIFY"}]})"));
  EXPECT_FALSE(matches(R"({"eventName": [{"anything-but": {"prefix": "MOD"}}]})"));
  EXPECT_TRUE(matches(R"({"dynamodb": {"OldImage": [{"exists": false}]}})"));
  EXPECT_TRUE(matches(R"({"dynamodb": {"NewImage": {"total": {"N": [{"exists": true}]}}}})"));
  EXPECT_FALSE(matches(R"({"dynamodb": {"NewImage": {"nothing": [{"exists": true}]}}})"));
  EXPECT_FALSE(matches(R"({"dynamodb": {"OldImage": {"state": {"S": [{"prefix": ""}]}}}})"));
}

TEST(EventFilter, what_is_nested) {
  EXPECT_TRUE(matches(R"({"dynamodb": {"NewImage": {"where": {"M": {"city": {"S": [""]}}}}}})"));
  EXPECT_TRUE(
      matches(R"({"dynamodb": {"NewImage": {"lines": {"L": {"M": {"sku": {"S": ["b"]}}}}}}})"));
  EXPECT_TRUE(matches(
      R"({"dynamodb": {"NewImage": {"lines": {"L": {"M": {"sku": {"S": ["b"]}, "n": {"N": ["2"]}}}}}}})"));
  EXPECT_FALSE(matches(
      R"({"dynamodb": {"NewImage": {"lines": {"L": {"M": {"sku": {"S": ["a"]}, "n": {"N": ["2"]}}}}}}})"))
      << "of one element";
  EXPECT_TRUE(matches(R"({"userIdentity": [null]})"));
  EXPECT_TRUE(matches(R"({"dynamodb": {"NewImage": {"none": {"NULL": [true]}}}})"));
}

// As on AWS, where filters know the ends of an event alone.
TEST(EventFilter, rules_are_about_values_and_not_about_what_holds_them) {
  EXPECT_FALSE(matches(R"({"dynamodb": {"NewImage": {"total": [{"exists": true}]}}})"));
  EXPECT_TRUE(matches(R"({"dynamodb": {"NewImage": {"total": [{"exists": false}]}}})"));
  EXPECT_FALSE(matches(R"({"dynamodb": {"NewImage": {"total": [{"anything-but": "x"}]}}})"));
  EXPECT_FALSE(matches(R"({"dynamodb": {"NewImage": {"lines": {"L": [{"anything-but": "x"}]}}}})"));
  EXPECT_TRUE(matches(R"({"dynamodb": {"NewImage": {"tags": {"SS": [{"anything-but": "new"}]}}}})"))
      << "another one is there too";
}

TEST(EventFilter, ranges_are_of_numbers_and_those_of_dynamodb_are_texts) {
  EXPECT_TRUE(matches(R"({"dynamodb": {"SizeBytes": [{"numeric": ["=", 40]}]}})"));
  EXPECT_TRUE(matches(R"({"dynamodb": {"SizeBytes": [{"numeric": [">", 30, "<=", 40]}]}})"));
  EXPECT_FALSE(matches(R"({"dynamodb": {"SizeBytes": [{"numeric": [">", 30, "<", 40]}]}})"));
  EXPECT_FALSE(
      matches(R"({"dynamodb": {"NewImage": {"total": {"N": [{"numeric": [">", 100]}]}}}})"));
  EXPECT_TRUE(matches(R"({"dynamodb": {"NewImage": {"total": {"N": ["120.5"]}}}})"));
  EXPECT_TRUE(matches(
      R"({"dynamodb": {"NewImage": {"total": {"N": [{"numeric": [">", 100]}, {"anything-but": "7"}]}}}})"));
}

TEST(EventFilter, one_of_several) {
  EXPECT_TRUE(matches(R"([{"eventName": ["INSERT"]}, {"eventName": ["MODIFY"]}])"));
  EXPECT_FALSE(matches(R"([{"eventName": ["INSERT"]}, {"eventName": ["REMOVE"]}])"));
  EXPECT_TRUE(
      matches(R"({"$or": [{"eventName": ["INSERT"]}, {"dynamodb": {"SizeBytes": [40]}}]})"));
  EXPECT_FALSE(matches(R"({"$or": [{"eventName": ["INSERT"]}, {"eventName": ["REMOVE"]}]})"));
}

TEST(EventFilter, what_is_no_pattern_is_refused) {
  for (const std::string_view text :
       {"{", "7", R"({"eventName": "MODIFY"})", R"({"a": [{"near": 3}]})",
        R"({"a": [{"numeric": [">"]}]})", R"({"a": [{"exists": 1}]})", R"({"a": [["b"]]})",
        R"({"$or": {}})", R"({"a": [{"prefix": "x", "suffix": "y"}]})", R"([7])"}) {
    EXPECT_FALSE(EventFilter::parse(text).has_value()) << text;
  }
}

}  // namespace
}  // namespace partita
