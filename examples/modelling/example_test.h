// What the tests of the examples share: a database to run on, and comparing lists.
#pragma once

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "partita/model/lint.h"

#include "backend/test_backend.h"

namespace examples {

// The examples know only Api, so the same tests run in process and over HTTP.
class ExampleTest : public testing::Test {
 protected:
  partita::TestBackend api;

  // The attribute of an item as it is stored; "" when it is not there.
  std::string stored(std::string_view table, const partita::Item& key, std::string_view attribute) {
    const auto read = api->get_item({.table_name = table, .key = key});
    if (!read || !read->item) return "";
    const auto value = read->item->find(attribute);
    if (!value) return "";
    return value->is(partita::ValueType::N) ? value->number() : std::string(value->string());
  }
};

using Names = std::vector<std::string>;

// One member of each object that was found: names(found, &Star::user).
template <typename T, typename Member>
Names names(const partita::Result<std::vector<T>>& found, Member T::*member) {
  EXPECT_TRUE(found) << found.error().message();
  Names all;
  if (!found) return all;
  for (const T& each : *found) {
    if constexpr (std::is_arithmetic_v<Member>) {
      all.push_back(std::to_string(each.*member));
    } else {
      all.push_back(each.*member);
    }
  }
  return all;
}

// What lint says of a design, as "rule: where".
inline Names findings(const partita::model::LintReport& report) {
  Names all;
  for (const partita::model::LintFinding& found : report.findings) {
    all.push_back(std::string(name_of(found.rule)) + ": " + found.where);
  }
  return all;
}

}  // namespace examples

// Stops the test with the words of the error.
#define ASSERT_DONE(expression)                                           \
  do {                                                                    \
    const auto done_ = (expression);                                      \
    ASSERT_TRUE(done_) << #expression << ": " << done_.error().message(); \
  } while (false)
