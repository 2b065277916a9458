#include "value/document_path.h"

#include <array>

#include <gtest/gtest.h>

namespace partita {
namespace {

const Item kItem{
    {"a",
     Value::map({{"b", Value::list({Value::string("zero"), Value::map({{"c", Value::null()}})})}})},
    {"s", Value::string("text")},
    {"dotted.name", Value::number(1)}};

TEST(FindPath, walks_maps_and_lists) {
  const std::array path = {PathStep("a"), PathStep("b"), PathStep(1), PathStep("c")};
  EXPECT_EQ(find_path(kItem, path), Value::null().view());
  EXPECT_EQ(find_path(kItem, PathView(path).first(3)), Value::map({{"c", Value::null()}}).view());
  const std::array dotted = {PathStep("dotted.name")};
  EXPECT_EQ(find_path(kItem, dotted), Value::number(1).view());
}

TEST(FindPath, is_empty_where_there_is_nothing_or_the_type_is_another) {
  const std::array<std::vector<PathStep>, 8> paths = {{
      {PathStep("x")},
      {PathStep("x"), PathStep("y")},
      {PathStep("a"), PathStep("x")},
      {PathStep("a"), PathStep(0)},                   // an index into a map
      {PathStep("a"), PathStep("b"), PathStep("c")},  // a name in a list
      {PathStep("a"), PathStep("b"), PathStep(2)},    // beyond the end
      {PathStep("s"), PathStep("x")},
      {PathStep("s"), PathStep(0)},
  }};
  for (const auto& path : paths) EXPECT_EQ(find_path(kItem, path), std::nullopt) << path_text(path);
}

TEST(PathText, is_written_as_in_expressions) {
  const std::array path = {PathStep("a"), PathStep("b"), PathStep(3), PathStep(0), PathStep("c")};
  EXPECT_EQ(path_text(path), "a.b[3][0].c");
  EXPECT_EQ(path_text(PathView(path).first(1)), "a");
}

}  // namespace
}  // namespace partita
