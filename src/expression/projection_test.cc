#include "expression/projection.h"

#include <string>

#include <gtest/gtest.h>

#include "expression/test_request.h"
#include "value/item_encoding.h"

namespace partita {
namespace {

using namespace testing;

const Item kWhole{{"p", S("key")},
                  {"a", M({{"b", L({N("2"), N("4"), M({{"x", S("hi")}, {"y", S("yo")}})})},
                           {"c", N("5")},
                           {"hollow", M({})}})},
                  {"b", S("hello")},
                  {"l", L({S("0"), S("1"), S("2"), S("3"), L({S("40"), S("41")})})}};

std::string projected(std::string_view expression, const Item& item = kWhole) {
  TestRequest request;
  std::string out = "before";
  request.projection(expression).project(item, out);
  const auto checked = check_item(Bytes(out).substr(6));
  if (!checked) return checked.error().message();
  return text(*checked);
}

TEST(Projection, keeps_top_level_attributes) {
  EXPECT_EQ(projected("b"), "{b: S hello}");
  EXPECT_EQ(projected("p,b"), "{b: S hello, p: S key}");
  EXPECT_EQ(projected("absent"), "{}");
  EXPECT_EQ(projected("absent, b, zzz"), "{b: S hello}");
}

TEST(Projection, rebuilds_what_paths_lead_through) {
  EXPECT_EQ(projected("a.b[0]"), "{a: {b: [N 2]}}");
  EXPECT_EQ(projected("a.b[2].y"), "{a: {b: [{y: S yo}]}}");
  EXPECT_EQ(projected("a.c,b"), "{a: {c: N 5}, b: S hello}");
  EXPECT_EQ(projected("a.c, a.b[1], a.b[2].x"), "{a: {b: [N 4, {x: S hi}], c: N 5}}");
  EXPECT_EQ(projected("a.hollow"), "{a: {hollow: {}}}");
}

TEST(Projection, closes_the_gaps_of_lists_in_index_order) {
  EXPECT_EQ(projected("l[3], l[1]"), "{l: [S 1, S 3]}");
  EXPECT_EQ(projected("l[4][1], l[2], l[9]"), "{l: [S 2, [S 41]]}");
  EXPECT_EQ(projected("l[10], l[9], l[2]"), "{l: [S 2]}");
}

TEST(Projection, leaves_out_what_leads_nowhere) {
  for (const char* text : {"a.b[3]", "a.x", "a.x.y", "a.b[3].x", "a.b.x", "a[0]", "a.b[0].x",
                           "a.b[0][0]", "b.x", "b[0]", "a.hollow.x", "l[4][2]"}) {
    EXPECT_EQ(projected(text), "{}") << text;
  }
  EXPECT_EQ(projected("a.x, a.b[0], x, a.b[3].x"), "{a: {b: [N 2]}}");
}

TEST(Projection, the_result_carries_its_own_size) {
  TestRequest request;
  std::string out;
  request.projection("b, a.c").project(kWhole, out);
  const Item expected{{"b", S("hello")}, {"a", M({{"c", N("5")}})}};
  EXPECT_EQ(ItemView(Bytes(out)), expected.view());
}

}  // namespace
}  // namespace partita
