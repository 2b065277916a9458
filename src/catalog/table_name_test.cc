#include "catalog/table_name.h"

#include <gtest/gtest.h>

namespace partita {
namespace {

std::string failure(std::string_view name_or_arn) {
  const auto name = table_name_in(name_or_arn);
  return name ? "no failure: " + std::string(*name) : name.error().message();
}

TEST(TableName, a_plain_name_means_itself) {
  EXPECT_EQ(*table_name_in("Music"), "Music");
  EXPECT_EQ(*table_name_in(""), "");
  EXPECT_EQ(*table_name_in("arn"), "arn");
  EXPECT_EQ(*table_name_in("a:b"), "a:b");
}

TEST(TableName, an_arn_means_the_table_it_ends_in_wherever_it_was_written) {
  EXPECT_EQ(*table_name_in("arn:aws:dynamodb:us-east-1:314159265358:table/Music"), "Music");
  EXPECT_EQ(*table_name_in("arn:aws-cn:dynamodb:cn-north-1:123456789012:table/a.b-c_D"), "a.b-c_D");
}

TEST(TableName, an_arn_of_something_else_is_refused) {
  const std::string start = "arn:aws:dynamodb:us-east-1:314159265358:";
  EXPECT_EQ(failure(start + "stream/Music"), "1 validation error detected: Value '" + start +
                                                 "stream/Music' at 'tableName' failed to satisfy "
                                                 "constraint: Invalid resource type");
  EXPECT_EQ(
      failure(start + "table/ab"),
      "1 validation error detected: Value '" + start +
          "table/ab' at 'tableName' failed to satisfy constraint: Table name of ARN must have "
          "length greater than or equal to 3");
  for (const std::string& malformed :
       {start + "table/Music/index/genre", start + "table", start, std::string("arn:"),
        std::string("arn:aws:dynamodb"), start + "table/" + std::string(256, 'a')}) {
    EXPECT_NE(failure(malformed).find("Valid ARN format is"), std::string::npos) << malformed;
  }
}

TEST(TableName, names_no_table_can_have_are_told_apart) {
  EXPECT_FALSE(name_problem("abc"));
  EXPECT_FALSE(name_problem(std::string(255, 'x')));
  EXPECT_EQ(name_problem("")->message(),
            "1 validation error detected: Value '' at 'tableName' failed to satisfy constraint: "
            "Member must have length greater than or equal to 1");
  EXPECT_EQ(name_problem("ab")->message(),
            "1 validation error detected: Value 'ab' at 'tableName' failed to satisfy constraint: "
            "Member must have length greater than or equal to 3");
  EXPECT_EQ(name_problem("bad table!@#")->message(),
            "1 validation error detected: Value 'bad table!@#' at 'tableName' failed to satisfy "
            "constraint: Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+");
  EXPECT_NE(name_problem(std::string(256, 'x'))
                ->message()
                .find("Member must have length less than or equal to 255"),
            std::string::npos);
}

}  // namespace
}  // namespace partita
