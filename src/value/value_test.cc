#include "partita/value.h"

#include <array>
#include <limits>

#include <gtest/gtest.h>

#include "partita/item.h"
#include "partita/result.h"

namespace partita {
namespace {

using namespace std::string_literals;

TEST(Value, reads_back_what_it_was_made_from) {
  EXPECT_EQ(Value::string("text").view().string(), "text");
  EXPECT_EQ(Value::binary("\0\x01"s).view().binary(), "\0\x01"s);
  EXPECT_EQ(Value::number(std::numeric_limits<std::int64_t>::min()).view().number(),
            "-9223372036854775808");
  EXPECT_EQ(Value::number("1.50")->view().number(), "1.5");
  EXPECT_FALSE(Value::number("many"));
  EXPECT_TRUE(Value::boolean(true).view().boolean());
  EXPECT_FALSE(Value::boolean(false).view().boolean());
  EXPECT_TRUE(Value::null().view().is(ValueType::NULL_));
}

TEST(Value, types_have_dynamodbs_names) {
  std::string names;
  for (int type = 0; type < 10; ++type) {
    names.append(type_name(static_cast<ValueType>(type))).append(" ");
  }
  EXPECT_EQ(names, "S N B BOOL NULL M L SS NS BS ");
}

TEST(Value, lists_keep_their_order) {
  const Value list = Value::list({Value::number(2), Value::string("a"), Value::list({})});
  EXPECT_EQ(list.view().count(), 3u);
  EXPECT_EQ(list.view().list().find(0), Value::number(2).view());
  EXPECT_EQ(list.view().list().find(2), Value::list({}).view());
  EXPECT_EQ(list.view().list().find(3), std::nullopt);
  EXPECT_NE(list, Value::list({Value::string("a"), Value::number(2), Value::list({})}));
}

TEST(Value, sets_are_equal_whatever_the_order_and_the_spelling) {
  const std::array<std::string_view, 3> left = {"10", "9", "-1"}, right = {"-1.0", "1e1", "09"};
  EXPECT_EQ(*Value::number_set(left), *Value::number_set(right));
  std::string printed;
  const Value set = *Value::number_set(left);
  for (Bytes member : set.view().set()) {
    printed.append(ValueView(Value::ordered_number(member).view()).number()).append(" ");
  }
  EXPECT_EQ(printed, "-1 9 10 ");
}

TEST(SetView, knows_its_members) {
  const std::array<std::string_view, 3> members = {"b", "d", "bb"};
  const Value set = *Value::string_set(members);
  for (std::string_view member : members) EXPECT_TRUE(set.view().set().contains(member));
  for (std::string_view other : {"", "a", "c", "bbb", "e"}) {
    EXPECT_FALSE(set.view().set().contains(other)) << other;
  }
}

TEST(MapView, finds_each_name_and_no_other) {
  const std::array<std::string_view, 9> names = {"",   "a",    "aa",       "ab",      "b",
                                                 "ba", "\x7F", "\xC3\xA4", "\xC3\xB6"};
  Item item;
  for (std::size_t i = 0; i < names.size(); ++i) {
    item.set(names[i], Value::number(static_cast<std::int64_t>(i)));
  }
  for (std::size_t i = 0; i < names.size(); ++i) {
    EXPECT_EQ(item.find(names[i]), Value::number(static_cast<std::int64_t>(i)).view());
  }
  for (std::string_view other : {"A", "aaa", "ac", "c", "\xC3", "\xC3\xA4x", "\xFF", "zz"}) {
    EXPECT_EQ(item.find(other), std::nullopt) << other;
  }
}

TEST(Item, set_adds_and_replaces_in_place) {
  Item item{{"b", Value::number(1)}};
  item.set("a", Value::string("x"));
  item.set("c", Value::null());
  item.set("b", Value::string("longer than before"));
  const Item expected{
      {"c", Value::null()}, {"a", Value::string("x")}, {"b", Value::string("longer than before")}};
  EXPECT_EQ(item, expected);
  EXPECT_EQ(item.view().count(), 3u);
  EXPECT_EQ(item.view().size_bytes(), expected.view().size_bytes());
}

TEST(Item, set_takes_a_value_of_the_item_itself) {
  Item item{{"a", Value::string("x")}};
  item.set("b", *item.find("a"));
  EXPECT_EQ(item, (Item{{"a", Value::string("x")}, {"b", Value::string("x")}}));
}

TEST(ItemList, keeps_items_apart) {
  const Item first{{"a", Value::number(1)}}, second;
  ItemList list;
  list.append(first);
  list.append(second);
  list.buffer().append(first.view().bytes());
  list.finish_item();
  ASSERT_EQ(list.size(), 3u);
  EXPECT_EQ(list[0], first.view());
  EXPECT_EQ(list[1], ItemView());
  EXPECT_EQ(list[2], first.view());
}

}  // namespace
}  // namespace partita
