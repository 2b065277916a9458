#include "stars_and_issues.h"

#include <chrono>

#include "example_test.h"

namespace examples::stars {
namespace {

using partita::ErrorCode;

class StarsTest : public ExampleTest {
 protected:
  void SetUp() override {
    host.set_clock([this] { return now += std::chrono::seconds(1); });
    ASSERT_DONE(write_book(host));
  }
  CodeRepository book() { return host.find_repository("alexdebrie", "dynamodb-book")->value(); }
  Issue open(std::string title) {
    return host.open_issue("alexdebrie", "dynamodb-book", std::move(title)).value();
  }
  std::chrono::system_clock::time_point now =
      std::chrono::sys_days(std::chrono::year(2024) / 1 / 1);
  CodeHost host{*api};
};

TEST_F(StarsTest, name_email_and_phone_are_unique) {
  const auto refused = host.create_user({"alex", "alex@debrie.com", {}});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code(), NotUnique);
  EXPECT_EQ(host.create_user({"alex", "a@debrie.com", "555"}).error().code(), NotUnique);
  EXPECT_FALSE(host.create_user({"alexdebrie", "a@debrie.com", {}}));
  EXPECT_TRUE(host.create_user({"alex", "a@debrie.com", "556"}));
}

TEST_F(StarsTest, stars_are_counted_once_for_each_user) {
  EXPECT_EQ(book().stars, 2);
  EXPECT_FALSE(host.give_star({"alexdebrie", "dynamodb-book", "danny"}));
  EXPECT_EQ(book().stars, 2);
  ASSERT_DONE(host.take_star({"alexdebrie", "dynamodb-book", "danny"}));
  EXPECT_EQ(book().stars, 1);
  EXPECT_FALSE(host.give_star({"alexdebrie", "no-such-book", "danny"}));
}

TEST_F(StarsTest, a_star_is_found_from_both_sides) {
  const auto found = host.repository_and_stars("alexdebrie", "dynamodb-book");
  ASSERT_TRUE(found) << found.error().message();
  EXPECT_EQ(found->of.stars, 2);
  ASSERT_EQ(found->stars.size(), 2u);
  EXPECT_EQ(found->stars[0].user, "ada");
  EXPECT_EQ(names(host.starred_by("danny"), &Star::repository), Names{"dynamodb-book"});
}

TEST_F(StarsTest, issues_have_sequential_numbers) {
  EXPECT_EQ(book().issues, 3);
  EXPECT_EQ(open("Index").number, 4);
  EXPECT_EQ(host.open_issue("alexdebrie", "none", "Lost").error().code(),
            ErrorCode::ConditionalCheckFailed);
}

TEST_F(StarsTest, a_repository_is_read_with_its_newest_issues) {
  for (int i = 4; i <= 12; ++i) open("Issue");
  const auto found = host.repository_and_issues("alexdebrie", "dynamodb-book", 3);
  ASSERT_TRUE(found) << found.error().message();
  EXPECT_EQ(found->of.issues, 12);
  ASSERT_EQ(found->issues.size(), 3u);
  EXPECT_EQ(found->issues[0].number, 12);
  EXPECT_EQ(found->issues[2].number, 10) << "numbers are padded";
  EXPECT_EQ(host.repository_and_issues("alexdebrie", "none", 3).error().code(),
            ErrorCode::ResourceNotFound);
}

TEST_F(StarsTest, what_is_closed_leaves_the_list_of_open_issues) {
  const auto open_before = host.open_issues("alexdebrie", "dynamodb-book");
  ASSERT_EQ(names(open_before, &Issue::number), (Names{"1", "2", "3"}));
  ASSERT_DONE(host.close_issue((*open_before)[1]));
  EXPECT_EQ(names(host.open_issues("alexdebrie", "dynamodb-book"), &Issue::number),
            (Names{"1", "3"}));
}

TEST_F(StarsTest, what_changed_last_comes_first) {
  const auto newest = [&] {
    return names(host.recently_changed("alexdebrie", "dynamodb-book", 2), &Issue::number);
  };
  EXPECT_EQ(newest(), (Names{"3", "2"}));
  ASSERT_DONE(host.close_issue((*host.open_issues("alexdebrie", "dynamodb-book"))[0]));
  EXPECT_EQ(newest(), (Names{"1", "3"}));
}

TEST(StarsDesign, lint_finds_nothing) {
  Design design;
  design.add<user>().add<code_repository>().add<star>().add<issue>();
  const LintReport report = lint(
      design,
      {{.name = "create_user", .entity = "user", .kind = AccessKind::Write, .conditional = true},
       {.name = "find_repository",
        .entity = "repository",
        .kind = AccessKind::Get,
        .given = {"owner", "name"}},
       {.name = "stars",
        .entity = "star",
        .given = {"owner", "repository"},
        .results = 0,
        .paged = true},
       {.name = "starred_by", .entity = "star", .given = {"user"}, .results = 0, .paged = true},
       {.name = "open_issues",
        .entity = "issue",
        .by = "open",
        .results = 0,
        .share = 0.1,
        .paged = true},
       {.name = "recently_changed",
        .entity = "issue",
        .by = "changed",
        .results = 20,
        .ordered = true}});
  EXPECT_EQ(findings(report), Names{}) << report.text();
}

}  // namespace
}  // namespace examples::stars
