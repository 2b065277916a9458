#include "value/attribute_finder.h"

#include <algorithm>
#include <random>

#include <gtest/gtest.h>

namespace partita {
namespace {

TEST(AttributeFinder, finds_names_in_any_order_and_again) {
  const Item item{{"a", Value::number(1)}, {"b", Value::number(2)}, {"c", Value::number(3)}};
  AttributeFinder finder(item);
  for (const char* name : {"a", "c", "b", "b", "a", "c"}) {
    EXPECT_EQ(finder.find(name), item.view().find(name)) << name;
  }
}

TEST(AttributeFinder, a_name_that_is_missing_hides_none_behind_it) {
  const Item item{{"group2", Value::number(2)}, {"group3", Value::number(3)}};
  AttributeFinder finder(item);
  EXPECT_FALSE(finder.find("group1"));
  EXPECT_TRUE(finder.find("group2"));
  EXPECT_FALSE(finder.find("group22"));
  EXPECT_TRUE(finder.find("group3"));
  EXPECT_FALSE(finder.find("zebra"));
  EXPECT_FALSE(AttributeFinder(Item()).find("a"));
}

TEST(AttributeFinder, agrees_with_find) {
  std::mt19937 random(7);
  const auto random_name = [&] {
    std::string name;
    do name.push_back("ab\x7f\xc3\xa9"[random() % 3]);
    while (random() % 3 != 0);
    return name;
  };
  for (int round = 0; round < 300; ++round) {
    Item item;
    for (unsigned i = random() % 8; i > 0; --i) item.set(random_name(), Value::number(round));
    std::vector<std::string> names;
    for (int i = 0; i < 12; ++i) names.push_back(random_name());
    if (round % 2 == 0) std::sort(names.begin(), names.end());
    AttributeFinder finder(item);
    for (const std::string& name : names) {
      ASSERT_EQ(finder.find(name), item.view().find(name)) << name;
    }
  }
}

}  // namespace
}  // namespace partita
