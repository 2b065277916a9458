#include "expression/condition.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "expression/test_request.h"

namespace partita {
namespace {

using namespace testing;

// Does the condition hold for the item, with :v (and :w) as given?
bool holds(std::string_view expression, const Item& item, const Value& v = Value::null(),
           const Value& w = Value::null()) {
  TestRequest request({}, {{":v", v}, {":w", w}});
  return request.condition(expression).holds(item);
}

const Item kItem{{"num", N("5")},
                 {"str", S("cat")},
                 {"bin", B("cat")},
                 {"flag", Value::boolean(true)},
                 {"nothing", Value::null()},
                 {"ss", SS({"a", "b"})},
                 {"ns", NS({"1", "2.5"})},
                 {"bs", BS({"x", "yz"})},
                 {"docs", M({{"x", N("1")}, {"y", L({N("-1"), S("two"), L({N("3")})})}})},
                 {"lst", L({N("2"), S("hi"), SS({"p"}), L({N("3"), N("4")})})}};

TEST(Condition, compares_numbers_strings_and_binary_in_their_orders) {
  EXPECT_TRUE(holds("num < :v", kItem, N("10")));  // not as text
  EXPECT_FALSE(holds("num < :v", kItem, N("5")));
  EXPECT_TRUE(holds("num <= :v", kItem, N("5.0")));
  EXPECT_TRUE(holds("num > :v", kItem, N("-50")));
  EXPECT_TRUE(holds("num >= :v", kItem, N("4.999")));
  EXPECT_TRUE(holds("str < :v", kItem, S("catb")));
  EXPECT_TRUE(holds("str > :v", kItem, S("Zebra")));
  EXPECT_TRUE(holds("bin >= :v", kItem, B("cat")));
  EXPECT_TRUE(holds("bin < :v", kItem, B("\xFF")));
  EXPECT_TRUE(holds(":v > num", kItem, N("6")));
}

TEST(Condition, other_types_have_no_order) {
  EXPECT_FALSE(holds("num > :v", kItem, S("0")));
  EXPECT_FALSE(holds("num <= :v", kItem, S("5")));
  EXPECT_FALSE(holds("str < :v", kItem, B("zzz")));
  const Item maps{{"a", M({})}, {"b", M({{"x", N("1")}})}};
  EXPECT_FALSE(holds("a < b", maps));
  EXPECT_FALSE(holds("a >= b", maps));
}

TEST(Condition, equality_is_of_type_and_value) {
  EXPECT_TRUE(holds("num = :v", kItem, N("5.00")));
  EXPECT_FALSE(holds("num = :v", kItem, S("5")));
  EXPECT_TRUE(holds("num <> :v", kItem, S("5")));
  EXPECT_TRUE(holds("ns = :v", kItem, NS({"2.50", "1"})));
  EXPECT_TRUE(holds("docs.y[2] = :v", kItem, L({N("3")})));
  EXPECT_FALSE(holds("flag = :v", kItem, Value::boolean(false)));
  EXPECT_TRUE(holds("nothing = :v", kItem, Value::null()));
}

TEST(Condition, a_missing_attribute_differs_from_everything) {
  EXPECT_FALSE(holds("absent = :v", kItem, N("1")));
  EXPECT_TRUE(holds("absent <> :v", kItem, N("1")));
  EXPECT_TRUE(holds("absent <> absent2", kItem));
  EXPECT_FALSE(holds("absent = absent2", kItem));
  for (const char* text :
       {"absent < :v", "absent >= :v", ":v > absent", "absent IN (:v)", "absent BETWEEN :v AND :v",
        "begins_with(absent, str)", "contains(absent, :v)", "size(absent) = :v"}) {
    EXPECT_FALSE(holds(text, kItem, N("1"))) << text;
  }
  EXPECT_TRUE(holds("NOT absent < :v", kItem, N("1")));
}

TEST(Condition, between_includes_its_bounds) {
  EXPECT_TRUE(holds("num BETWEEN :v AND :w", kItem, N("5"), N("5")));
  EXPECT_TRUE(holds("num BETWEEN :v AND :w", kItem, N("-1"), N("7")));
  EXPECT_FALSE(holds("num BETWEEN :v AND :w", kItem, N("6"), N("7")));
  EXPECT_FALSE(holds("num BETWEEN :v AND :w", kItem, S("0"), S("9")));
  EXPECT_FALSE(
      holds("num BETWEEN num2 AND :w", Item{{"num", N("1")}, {"num2", N("2")}}, N("0"), N("9")));
  EXPECT_TRUE(holds("size(str) BETWEEN :v AND :w", kItem, N("1"), N("3")));
}

TEST(Condition, in_is_equality_with_any) {
  EXPECT_TRUE(holds("num IN (:v, :w)", kItem, S("dog"), N("5")));
  EXPECT_FALSE(holds("num IN (:v, :w)", kItem, S("dog"), S("5")));
  EXPECT_TRUE(holds("docs.y IN (:v, docs.absent, num)",
                    Item{{"docs", M({{"y", N("1")}})}, {"num", N("1")}}));
  EXPECT_TRUE(holds("size(ss) IN (:v)", kItem, N("2")));
}

TEST(Condition, logic_combines) {
  EXPECT_TRUE(holds("num = :v AND str = :w", kItem, N("5"), S("cat")));
  EXPECT_FALSE(holds("num = :v AND str = :w", kItem, N("5"), S("dog")));
  EXPECT_TRUE(holds("num = :v OR str = :w", kItem, N("6"), S("cat")));
  EXPECT_TRUE(holds("NOT (num = :v OR str = :w)", kItem, N("6"), S("dog")));
  EXPECT_TRUE(holds("num = :v OR num = :w AND str = :w", kItem, N("5"), S("dog")));
}

TEST(Condition, existence_and_type) {
  EXPECT_TRUE(holds("attribute_exists(docs.y[2][0])", kItem));
  EXPECT_TRUE(holds("attribute_exists(nothing)", kItem));
  for (const char* path : {"docs.z", "docs.y[3]", "docs[0]", "lst.x", "str.x", "absent.x"}) {
    EXPECT_TRUE(holds("attribute_not_exists(" + std::string(path) + ")", kItem)) << path;
  }
  const std::vector<std::pair<std::string, std::string>> types = {
      {"num", "N"}, {"str", "S"}, {"bin", "B"}, {"flag", "BOOL"}, {"nothing", "NULL"},
      {"ss", "SS"}, {"ns", "NS"}, {"bs", "BS"}, {"docs", "M"},    {"lst", "L"}};
  for (const auto& [name, type] : types) {
    for (const auto& [other_name, other_type] : types) {
      EXPECT_EQ(holds("attribute_type(" + name + ", :v)", kItem, S(other_type)),
                type == other_type);
    }
  }
  EXPECT_FALSE(holds("attribute_type(absent, :v)", kItem, S("S")));
  EXPECT_TRUE(holds("attribute_type(:w, :v)", kItem, S("N"), N("1")));
}

TEST(Condition, begins_with_looks_at_strings_and_binary) {
  EXPECT_TRUE(holds("begins_with(str, :v)", kItem, S("ca")));
  EXPECT_TRUE(holds("begins_with(str, :v)", kItem, S("")));
  EXPECT_FALSE(holds("begins_with(str, :v)", kItem, S("cats")));
  EXPECT_TRUE(holds("begins_with(bin, :v)", kItem, B("cat")));
  EXPECT_FALSE(holds("begins_with(bin, :v)", kItem, S("cat")));
  EXPECT_TRUE(holds("begins_with(:v, str)", kItem, S("catalogue")));
  EXPECT_FALSE(holds("begins_with(num, :v)", kItem, S("5")));
}

TEST(Condition, contains_finds_long_texts_in_long_texts) {
  const std::string many(390'000, 'a');
  const Item item{{"t", S(many)}, {"b", B(many + "b")}, {"nul", S(std::string("a\0b", 3))}};
  const std::string half(195'000, 'a');
  EXPECT_TRUE(holds("contains(t, :v)", item, S(half)));
  EXPECT_TRUE(holds("contains(t, :v)", item, S(many)));
  EXPECT_FALSE(holds("contains(t, :v)", item, S(many + "a")));
  EXPECT_FALSE(holds("contains(t, :v)", item, S(half + "b")));
  EXPECT_TRUE(holds("contains(b, :v)", item, B(half + "b")));
  EXPECT_TRUE(holds("contains(t, :v)", item, S("")));
  EXPECT_TRUE(holds("contains(nul, :v)", item, S(std::string("\0b", 2))));
}

TEST(Condition, contains_looks_into_text_sets_and_lists) {
  EXPECT_TRUE(holds("contains(str, :v)", kItem, S("at")));
  EXPECT_FALSE(holds("contains(str, :v)", kItem, S("dog")));
  EXPECT_TRUE(holds("contains(bin, :v)", kItem, B("a")));
  EXPECT_FALSE(holds("contains(bin, :v)", kItem, S("a")));
  EXPECT_TRUE(holds("contains(ss, :v)", kItem, S("b")));
  EXPECT_FALSE(holds("contains(ss, :v)", kItem, S("ab")));
  EXPECT_TRUE(holds("contains(ns, :v)", kItem, N("2.500")));
  EXPECT_FALSE(holds("contains(ns, :v)", kItem, S("1")));
  EXPECT_TRUE(holds("contains(bs, :v)", kItem, B("yz")));
  EXPECT_TRUE(holds("contains(lst, :v)", kItem, SS({"p"})));
  EXPECT_TRUE(holds("contains(lst, :v)", kItem, L({N("3"), N("4")})));
  EXPECT_FALSE(holds("contains(lst, :v)", kItem, N("3")));
  EXPECT_FALSE(holds("contains(docs, :v)", kItem, S("x")));
}

TEST(Condition, size_counts_what_the_type_has) {
  const std::vector<std::pair<std::string, std::string>> sizes = {
      {"str", "3"}, {"bin", "3"}, {"ss", "2"}, {"ns", "2"}, {"docs", "2"}, {"lst", "4"}};
  for (const auto& [name, size] : sizes) {
    EXPECT_TRUE(holds("size(" + name + ") = :v", kItem, N(size))) << name;
  }
  for (const char* name : {"num", "flag", "nothing"}) {
    EXPECT_FALSE(holds("size(" + std::string(name) + ") >= :v", kItem, N("0"))) << name;
  }
  EXPECT_TRUE(holds("size(str) < num", kItem));
  EXPECT_FALSE(holds("size(str) = :v", kItem, S("3")));
  // UTF-16 code units, recorded from DynamoDB: an accented letter is one, a clef two.
  EXPECT_TRUE(holds("size(t) = :v", Item{{"t", S("\xC3\xA9\xF0\x9D\x84\x9E")}}, N("3")));
}

TEST(Condition, an_absent_item_has_no_attributes) {
  TestRequest request({}, {{":v", S("x")}});
  EXPECT_TRUE(request.condition("attribute_not_exists(pk)").holds(std::nullopt));
  EXPECT_FALSE(request.condition("attribute_exists(pk)").holds(std::nullopt));
  EXPECT_TRUE(request.condition("pk <> :v").holds(std::nullopt));
}

TEST(Condition, names_follow_placeholders_and_dots_in_them_mean_nothing) {
  const Item item{{"a.b", N("1")}, {"a", M({{"b", N("2")}})}};
  TestRequest request({{"#dotted", "a.b"}, {"#a", "a"}, {"#b", "b"}}, {{":v", N("1")}});
  EXPECT_TRUE(request.condition("#dotted = :v").holds(item));
  EXPECT_FALSE(request.condition("#a.#b = :v").holds(item));
}

TEST(Condition, tells_which_attributes_it_names) {
  TestRequest request({{"#p", "pk"}}, {{":v", N("1")}});
  const Condition condition = request.condition("a.pk = :v AND size(#p) > :v");
  EXPECT_TRUE(condition.names_top_level("pk"));
  EXPECT_TRUE(condition.names_top_level("a"));
  EXPECT_FALSE(condition.names_top_level("b"));
}

TEST(Condition, deep_trees_are_evaluated) {
  std::string expression = "a = :v";
  for (int i = 0; i < 149; ++i) expression += i % 2 == 0 ? " OR a = :v" : " AND a = :v";
  EXPECT_TRUE(holds(expression, Item{{"a", N("1")}}, N("1")));
  std::string negated;
  for (int i = 0; i < 299; ++i) negated += "NOT ";
  EXPECT_FALSE(holds(negated + "a = :v", Item{{"a", N("1")}}, N("1")));
}

}  // namespace
}  // namespace partita
