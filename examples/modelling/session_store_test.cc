#include "session_store.h"

#include "example_test.h"

namespace examples::sessions {
namespace {

class SessionStoreTest : public ExampleTest {
 protected:
  SessionStoreTest() {
    EXPECT_TRUE(store.create_table());
    store.set_clock([this] { return now; });
  }
  // The present: what has expired by the database's clock is removed in the background.
  Moment now = std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now());
  SessionStore store{*api};
};

TEST_F(SessionStoreTest, create_session_refuses_a_token_that_is_taken) {
  const auto made = store.create_session("dave");
  ASSERT_TRUE(made) << made.error().message();
  EXPECT_EQ(made->token.size(), 36u);
  EXPECT_EQ(made->created, now);
  const auto taken = store.create_session("eve", made->token);
  ASSERT_FALSE(taken);
  EXPECT_EQ(taken.error().code(), partita::ErrorCode::ConditionalCheckFailed);
  EXPECT_EQ(store.find_session(made->token)->value().username, "dave");
}

TEST_F(SessionStoreTest, find_session_does_not_find_what_has_expired) {
  const Session made = store.create_session("dave").value();
  EXPECT_EQ(store.find_session(made.token)->value(), made);
  EXPECT_EQ(*store.find_session("unknown"), std::nullopt);
  now += std::chrono::days(7);
  EXPECT_NE(*store.find_session(made.token), std::nullopt) << "the last second counts";
  now += std::chrono::seconds(1);
  EXPECT_EQ(*store.find_session(made.token), std::nullopt);
}

TEST_F(SessionStoreTest, expiry_is_stored_as_time_to_live_wants_it) {
  ASSERT_DONE(store.create_session("dave", "t"));
  const partita::Item key{{"token", partita::Value::string("t")}};
  const auto end = now + std::chrono::days(7);
  EXPECT_EQ(stored("SessionStore", key, "expires"), std::to_string(end.time_since_epoch().count()));
  const auto expiry = api->describe_time_to_live({.table_name = "SessionStore"});
  ASSERT_TRUE(expiry) << expiry.error().message();
  EXPECT_NE(expiry->status, partita::TimeToLiveStatus::Disabled);
  EXPECT_EQ(expiry->attribute_name, "expires");
}

TEST_F(SessionStoreTest, delete_sessions_removes_those_of_one_user) {
  const std::string first = store.create_session("alexdebrie").value().token;
  const std::string second = store.create_session("alexdebrie").value().token;
  const std::string other = store.create_session("dave").value().token;
  EXPECT_EQ(store.delete_sessions("alexdebrie").value(), 2);
  EXPECT_EQ(*store.find_session(first), std::nullopt);
  EXPECT_EQ(*store.find_session(second), std::nullopt);
  EXPECT_NE(*store.find_session(other), std::nullopt);
  EXPECT_EQ(store.delete_sessions("alexdebrie").value(), 0);
}

TEST(SessionStoreDesign, lint_finds_nothing) {
  Design design;
  design.add<session>({.expires = true});
  const LintReport report = lint(
      design, {{.name = "create_session", .entity = "session", .kind = AccessKind::Write},
               {.name = "find_session", .entity = "session", .given = {"token"}},
               {.name = "delete_sessions", .entity = "session", .by = "by_user", .results = 0}});
  EXPECT_EQ(findings(report), Names{}) << report.text();
}

}  // namespace
}  // namespace examples::sessions
