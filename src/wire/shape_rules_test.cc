#include "wire/shape_rules.h"

#include <string>

#include <gtest/gtest.h>

namespace partita {
namespace {

TEST(ShapeRules, nothing_violated_is_no_error) {
  ShapeRules rules;
  rules.not_null("a", true);
  rules.length("a", "abc", 3, 3);
  rules.range("a", 1, 1, 1);
  rules.resource_name("a", "a.b-c_D9");
  EXPECT_TRUE(rules.check().has_value());
}

TEST(ShapeRules, lengths_count_characters) {
  ShapeRules rules;
  rules.length("a", "éé", 2, 2);
  EXPECT_TRUE(rules.check().has_value());
  rules.length("a", "ééé", 0, 2);
  EXPECT_FALSE(rules.check().has_value());
}

TEST(ShapeRules, an_arn_is_no_name) {
  const std::string arn = "arn:aws:dynamodb:us-east-1:314159265358:table/Songs";
  EXPECT_TRUE(check_item_table_name(arn).has_value());
  EXPECT_TRUE(check_table_name(arn).has_value());
  EXPECT_FALSE(check_item_table_name(arn + std::string(1024, 'a')).has_value());
  EXPECT_FALSE(check_item_table_name("a:b:c").has_value());
}

TEST(ShapeRules, names_no_table_can_have) {
  EXPECT_TRUE(check_item_table_name("abc").has_value());
  EXPECT_EQ(check_item_table_name("ab").error().message(),
            "1 validation error detected: Value 'ab' at 'tableName' failed to satisfy constraint: "
            "Member must have length greater than or equal to 3");
  EXPECT_TRUE(check_item_table_name(std::nullopt).has_value());
  EXPECT_FALSE(check_table_name(std::nullopt).has_value());
}

}  // namespace
}  // namespace partita
