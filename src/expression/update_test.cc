#include "expression/update.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "expression/test_request.h"
#include "value/item_encoding.h"

namespace partita {
namespace {

using namespace testing;

const std::string kWrongType = "An operand in the update expression has an incorrect data type";
const std::string kBadPath =
    "The document path provided in the update expression is invalid for update";
const std::string kMissing =
    "The provided expression refers to an attribute that does not exist in the item";

// The item after the update, or the error's message.
std::string updated(std::string_view expression, const Item& item, const Value& v = Value::null(),
                    const Value& w = Value::null()) {
  TestRequest request({}, {{":v", v}, {":w", w}});
  const Result<Item> result = request.update(expression).apply(item);
  if (!result) return result.error().message();
  const auto checked = check_item(result->view().bytes());
  return checked ? text(*checked) : checked.error().message();
}

TEST(Update, set_creates_replaces_and_copies) {
  const Item item{{"a", S("x")}, {"pk", S("k")}};
  EXPECT_EQ(updated("SET b = :v", item, N("1")), "{a: S x, b: N 1, pk: S k}");
  EXPECT_EQ(updated("SET a = :v", item, L({})), "{a: [], pk: S k}");
  EXPECT_EQ(updated("SET z = a, Z = pk", item), "{Z: S k, a: S x, pk: S k, z: S x}");
  EXPECT_EQ(updated("SET b = absent", item), kMissing);
}

TEST(Update, values_are_those_of_the_old_item_whatever_the_order) {
  const Item item{{"a", N("1")}, {"b", N("2")}};
  EXPECT_EQ(updated("SET a = b, b = a", item), "{a: N 2, b: N 1}");
  EXPECT_EQ(updated("REMOVE a SET c = a", item), "{b: N 2, c: N 1}");
  EXPECT_EQ(updated("SET c = b REMOVE b", item), "{a: N 1, c: N 2}");
  EXPECT_EQ(updated("SET x = :v, y = x", item, N("3")), kMissing);
}

TEST(Update, arithmetic_is_exact) {
  const Item item{{"n", N("0.1")}, {"s", S("x")}};
  EXPECT_EQ(updated("SET n = n + :v", item, N("0.2")), "{n: N 0.3, s: S x}");
  EXPECT_EQ(updated("SET n = :v - n", item, N("1")), "{n: N 0.9, s: S x}");
  EXPECT_EQ(updated("SET n = n - n", item), "{n: N 0, s: S x}");
  EXPECT_EQ(updated("SET n = s + :v", item, N("1")), kWrongType);
  EXPECT_EQ(updated("SET n = absent + :v", item, N("1")), kMissing);
  EXPECT_EQ(updated("SET n = if_not_exists(m, :v) + :w", item, N("5"), N("1")), "{n: N 6, s: S x}");
}

TEST(Update, numbers_that_leave_the_range_are_errors) {
  const std::string overflow =
      "Number overflow. Attempting to store a number with magnitude larger than supported range";
  const Item item{{"n", N("9E125")}};
  EXPECT_EQ(updated("SET n = n + :v", item, N("9E125")), overflow);
  EXPECT_EQ(updated("ADD n :v", item, N("9E125")), overflow);
}

TEST(Update, if_not_exists_takes_the_first_that_is_there) {
  const Item item{{"a", N("1")}, {"b", M({{"c", N("2")}})}};
  EXPECT_EQ(updated("SET a = if_not_exists(a, :v)", item, N("9")), "{a: N 1, b: {c: N 2}}");
  EXPECT_EQ(updated("SET d = if_not_exists(b.x, :v)", item, N("9")),
            "{a: N 1, b: {c: N 2}, d: N 9}");
  EXPECT_EQ(updated("SET d = if_not_exists(x, if_not_exists(b.c, :v))", item, N("9")),
            "{a: N 1, b: {c: N 2}, d: N 2}");
  EXPECT_EQ(updated("SET d = if_not_exists(x, y)", item), kMissing);
}

TEST(Update, list_append_joins_lists) {
  const Item item{{"l", L({S("a")})}, {"n", N("1")}};
  EXPECT_EQ(updated("SET l = list_append(l, :v)", item, L({S("b"), S("c")})),
            "{l: [S a, S b, S c], n: N 1}");
  EXPECT_EQ(updated("SET l = list_append(:v, l)", item, L({})), "{l: [S a], n: N 1}");
  EXPECT_EQ(updated("SET m = list_append(if_not_exists(m, :v), :w)", item, L({}), L({N("1")})),
            "{l: [S a], m: [N 1], n: N 1}");
  EXPECT_EQ(updated("SET l = list_append(l, n)", item), kWrongType);
  EXPECT_EQ(updated("SET l = list_append(l, absent)", item), kMissing);
}

TEST(Update, reaches_into_documents) {
  const Item item{{"a", M({{"b", N("3")}, {"c", L({S("hi"), M({{"y", L({N("3"), N("5")})}})})}})}};
  EXPECT_EQ(updated("SET a.b = :v", item, N("7")), "{a: {b: N 7, c: [S hi, {y: [N 3, N 5]}]}}");
  EXPECT_EQ(updated("SET a.bb = :v, a.c[1].y[1] = :v, a.a = a.b", item, N("9")),
            "{a: {a: N 3, b: N 3, bb: N 9, c: [S hi, {y: [N 3, N 9]}]}}");
  EXPECT_EQ(updated("REMOVE a.c[1].y[0], a.b", item), "{a: {c: [S hi, {y: [N 5]}]}}");
  EXPECT_EQ(updated("REMOVE a.c[0], a.c[1]", item), "{a: {b: N 3, c: []}}");
  EXPECT_EQ(updated("REMOVE a.b, a.c", item), "{a: {}}");
}

TEST(Update, list_indexes_mean_places_in_the_old_list) {
  const Item item{{"a", L({N("2"), N("3"), N("4"), N("5"), N("6")})}};
  EXPECT_EQ(updated("REMOVE a[1] SET a[3] = :v", item, N("17")), "{a: [N 2, N 4, N 17, N 6]}");
  EXPECT_EQ(updated("SET a[3] = :v REMOVE a[1]", item, N("17")), "{a: [N 2, N 4, N 17, N 6]}");
  EXPECT_EQ(updated("REMOVE a[17], a[4]", item), "{a: [N 2, N 3, N 4, N 5]}");
}

TEST(Update, elements_beyond_the_end_are_appended_in_index_order) {
  const Item item{{"a", L({S("one")})}, {"e", L({})}};
  EXPECT_EQ(updated("SET a[84] = :v, a[37] = :w, e[0] = :v", item, S("x"), S("y")),
            "{a: [S one, S y, S x], e: [S x]}");
  EXPECT_EQ(updated("ADD a[8] :v, a[6] :w", item, N("8"), N("6")), "{a: [S one, N 6, N 8], e: []}");
}

TEST(Update, refuses_paths_through_what_is_not_there_or_of_another_kind) {
  const Item item{{"a", S("hello")}, {"b", L({S("hi")})}, {"m", M({})}};
  for (const char* text :
       {"SET a.c = :v", "SET b.c = :v", "SET c.c = :v", "SET m[0] = :v", "SET a[0] = :v",
        "SET c[0] = :v", "SET m.x.y = :v", "SET b[1].x = :v", "REMOVE a.c", "REMOVE b.c",
        "REMOVE c.c", "REMOVE a[0]", "REMOVE c[0]", "ADD c.c :v"}) {
    EXPECT_EQ(updated(text, item, N("1")), kBadPath) << text;
  }
  for (const char* text : {"REMOVE m.y", "REMOVE b[7]", "REMOVE c"}) {
    EXPECT_EQ(updated(text, item), "{a: S hello, b: [S hi], m: {}}") << text;
  }
}

TEST(Update, add_counts_and_unites) {
  const Item item{{"n", N("10")}, {"s", SS({"a", "c"})}};
  EXPECT_EQ(updated("ADD n :v", item, N("-3")), "{n: N 7, s: SS(a c )}");
  EXPECT_EQ(updated("ADD x :v", item, N("5")), "{n: N 10, s: SS(a c ), x: N 5}");
  EXPECT_EQ(updated("ADD s :v", item, SS({"b", "c", "d"})), "{n: N 10, s: SS(a b c d )}");
  EXPECT_EQ(updated("ADD t :v", item, SS({"z"})), "{n: N 10, s: SS(a c ), t: SS(z )}");
  EXPECT_EQ(updated("ADD n :v", item, SS({"a"})), kWrongType);
  EXPECT_EQ(updated("ADD s :v", item, N("1")), kWrongType);
  EXPECT_EQ(updated("ADD s :v", item, NS({"1"})), kWrongType);
}

TEST(Update, delete_takes_members_and_the_attribute_with_the_last) {
  const Item item{{"m", M({{"s", SS({"x"})}})}, {"n", N("1")}, {"s", SS({"a", "b", "c"})}};
  EXPECT_EQ(updated("DELETE s :v", item, SS({"b", "zz"})), "{m: {s: SS(x )}, n: N 1, s: SS(a c )}");
  EXPECT_EQ(updated("DELETE s :v, m.s :w", item, SS({"a", "b", "c"}), SS({"x"})),
            "{m: {}, n: N 1}");
  EXPECT_EQ(updated("DELETE x :v", item, SS({"a"})), "{m: {s: SS(x )}, n: N 1, s: SS(a b c )}");
  EXPECT_EQ(updated("DELETE n :v", item, SS({"a"})), kWrongType);
  EXPECT_EQ(updated("DELETE s :v", item, BS({"a"})), kWrongType);
}

TEST(Update, number_sets_compare_by_value) {
  const Item item{{"s", NS({"1", "10", "-2"})}};
  TestRequest request({}, {{":v", NS({"10.0", "3"})}});
  EXPECT_EQ(request.update("ADD s :v").apply(item)->find("s"), NS({"-2", "1", "3", "10"}).view());
  EXPECT_EQ(request.update("DELETE s :v").apply(item)->find("s"), NS({"-2", "1"}).view());
}

TEST(Update, nesting_stays_within_its_limit) {
  Value deep = S("x");
  for (unsigned i = 0; i < kNestingLevelsMax - 2; ++i) deep = L({deep});
  const Item item{{"a", M({})}, {"l", L({})}};
  TestRequest request({}, {{":v", deep}, {":w", L({deep})}});
  EXPECT_TRUE(request.update("SET a.b = :v").apply(item));
  EXPECT_TRUE(request.update("SET b = :w").apply(item));
  EXPECT_EQ(TestRequest::message(request.update("SET a.b = :w").apply(item)),
            nesting_error().message());
  EXPECT_EQ(TestRequest::message(request.update("SET l[0] = :w").apply(item)),
            nesting_error().message());
}

TEST(Update, touched_attributes_are_the_touched_parts) {
  const Item item{{"a", M({{"b", S("dog")}, {"c", L({N("1"), N("2"), N("3")})}})}, {"d", S("cat")}};
  const auto touched = [&](std::string_view expression, const Item& of) {
    TestRequest request({}, {{":v", N("8")}});
    return text(request.update(expression).touched_attributes(of));
  };
  EXPECT_EQ(touched("SET a.b = :v", item), "{a: {b: S dog}}");
  EXPECT_EQ(touched("SET a.c[1] = :v, a.b = :v", item), "{a: {b: S dog, c: [N 2]}}");
  EXPECT_EQ(touched("REMOVE a.c[1], a.c[3]", item), "{a: {c: [N 2]}}");
  EXPECT_EQ(touched("SET a.x = :v, y = :v", item), "{}");
  EXPECT_EQ(touched("SET d = :v REMOVE a", item), text(item));
  // Recorded from DynamoDB: after the update it is what the same path then leads to.
  TestRequest request({}, {{":v", N("70")}});
  const Update beyond = request.update("SET a.c[100] = :v");
  EXPECT_EQ(text(beyond.touched_attributes(*beyond.apply(item))), "{}");
  const Update removal = request.update("REMOVE a.c[1]");
  EXPECT_EQ(text(removal.touched_attributes(*removal.apply(item))), "{a: {c: [N 3]}}");
}

TEST(Update, tells_what_it_does) {
  TestRequest request({{"#p", "pk"}}, {{":v", N("8")}, {":s", SS({"a"})}});
  const Update update = request.update("SET a.pk = pk REMOVE #p.x ADD n :v DELETE s :s");
  EXPECT_TRUE(update.writes_top_level("pk"));
  EXPECT_TRUE(update.writes_top_level("a"));
  EXPECT_FALSE(update.writes_top_level("x"));
  EXPECT_FALSE(request.update("SET a = pk").writes_top_level("pk"));
  EXPECT_EQ(update.writing_actions(), 2U);
  EXPECT_EQ(update.clearing_actions(), 2U);
  EXPECT_FALSE(update.only_removes());
  EXPECT_TRUE(request.update("REMOVE a DELETE s :s").only_removes());
}

TEST(Update, what_is_too_large_beyond_doubt_is_not_built) {
  const std::string too_large = "Item size to update has exceeded the maximum allowed size";
  const Value megabyte = L({S(std::string(1'000'000, 'x'))});
  const Item item{{"a", L({})}, {"n", N("1")}};
  const std::string sets = "SET b = :v, c = :v, d = :v, e = :v, f = :v, g = :v, h = :v";
  EXPECT_EQ(updated(sets, item, megabyte), too_large);
  EXPECT_EQ(updated("SET b = list_append(:v, :v), c = list_append(:v, :v), d = list_append(a, :v), "
                    "e = list_append(:v, :v), f = list_append(:v, :v)",
                    item, megabyte),
            too_large);
  // What cannot be done is told first, wherever it stands.
  EXPECT_EQ(updated(sets + ", i = list_append(:v, n)", item, megabyte), kWrongType);
  EXPECT_EQ(updated(sets + ", n.x = :v", item, megabyte), kBadPath);
  EXPECT_EQ(updated(sets + ", n.x = :v REMOVE a[0]", item, megabyte), kBadPath);
  EXPECT_EQ(updated(sets + " ADD a :w", item, megabyte, SS({"x"})), kWrongType);
}

TEST(Update, the_new_item_knows_its_size) {
  const Item item{{"a", N("1")}, {"pk", S("k")}};
  TestRequest request({}, {{":v", M({{"x", S("yz")}})}});
  const Item expected{{"a", N("1")}, {"b", M({{"x", S("yz")}})}, {"pk", S("k")}};
  EXPECT_EQ(request.update("SET b = :v").apply(item)->view(), expected.view());
}

}  // namespace
}  // namespace partita
