#include "social_graph.h"

#include "example_test.h"

namespace examples::social {
namespace {

class SocialGraphTest : public ExampleTest {
 protected:
  void SetUp() override { ASSERT_DONE(add_people(graph)); }
  SocialGraph graph{*api};
};

TEST_F(SocialGraphTest, a_user_is_found_by_name) {
  EXPECT_EQ(graph.find_user("alice")->value().full_name, "Alice");
  EXPECT_FALSE(graph.find_user("nobody")->has_value());
  EXPECT_FALSE(graph.add_user({"alice", "Another"})) << "names are unique";
}

TEST_F(SocialGraphTest, edges_are_found_from_both_ends) {
  EXPECT_EQ(names(graph.following("alice"), &Follow::followed), (Names{"bob", "carol"}));
  EXPECT_EQ(names(graph.followers("alice"), &Follow::follower), (Names{"bob", "carol"}));
  EXPECT_EQ(names(graph.followers("bob"), &Follow::follower), Names{"alice"});
  EXPECT_EQ((*graph.following("alice"))[1].since, Day(std::chrono::year(2024) / 1 / 5));
}

TEST_F(SocialGraphTest, one_edge_is_asked_for_and_taken_away) {
  EXPECT_TRUE(graph.follows("alice", "bob").value());
  EXPECT_FALSE(graph.follows("bob", "carol").value());
  ASSERT_DONE(graph.unfollow("alice", "bob"));
  EXPECT_FALSE(graph.follows("alice", "bob").value());
  EXPECT_EQ(names(graph.followers("bob"), &Follow::follower), Names{});
}

TEST_F(SocialGraphTest, many_to_many_is_read_from_both_sides) {
  EXPECT_EQ(names(graph.groups_of("alice"), &Membership::group), (Names{"chess", "running"}));
  EXPECT_EQ(names(graph.members_of("chess"), &Membership::user), (Names{"alice", "bob"}));
  EXPECT_EQ(names(graph.members_of("running"), &Membership::user), Names{"alice"});
}

TEST_F(SocialGraphTest, comments_come_in_the_order_of_time) {
  EXPECT_EQ(names(graph.comments_of("1"), &Comment::content), (Names{"First!", "Second!"}));
  const Moment later =
      Day(std::chrono::year(2024) / 1 / 15) + std::chrono::hours(12) + std::chrono::minutes(1);
  EXPECT_EQ(names(graph.comments_since("1", later), &Comment::content), Names{"Second!"});
}

TEST_F(SocialGraphTest, a_name_cannot_forge_another_key) {
  ASSERT_DONE(graph.follow_user({"eve", "x#FOLLOWS#y", {}}));
  EXPECT_EQ(names(graph.following("eve"), &Follow::followed), Names{"x#FOLLOWS#y"});
  const partita::Item key{{"PK", partita::Value::string("USER#eve")},
                          {"SK", partita::Value::string("FOLLOWS#x%23FOLLOWS%23y")}};
  EXPECT_EQ(stored("Social", key, "followed"), "x#FOLLOWS#y");
}

TEST(SocialGraphDesign, lint_finds_nothing) {
  Design design;
  design.add<user>().add<follow>().add<membership>().add<comment>();
  const LintReport report = lint(
      design, {{.name = "find_user", .entity = "user", .kind = AccessKind::Get, .given = {"name"}},
               {.name = "following",
                .entity = "follow",
                .given = {"follower"},
                .results = 0,
                .paged = true},
               {.name = "followers",
                .entity = "follow",
                .given = {"followed"},
                .results = 0,
                .paged = true},
               {.name = "groups_of", .entity = "membership", .given = {"user"}, .results = 100},
               {.name = "members_of",
                .entity = "membership",
                .given = {"group"},
                .results = 0,
                .paged = true},
               {.name = "comments_of",
                .entity = "comment",
                .given = {"post"},
                .results = 0,
                .ordered = true,
                .paged = true}});
  EXPECT_EQ(findings(report), Names{}) << report.text();
}

}  // namespace
}  // namespace examples::social
