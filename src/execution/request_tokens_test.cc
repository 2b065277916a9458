#include "execution/request_tokens.h"

#include <gtest/gtest.h>

#include "storage/memory/memory_engine.h"

namespace partita {
namespace {

constexpr TimePoint kNow{std::chrono::hours(24 * 365 * 50)};

class RequestTokensTest : public testing::Test {
 protected:
  void remember(std::string_view token, std::string_view request, TimePoint now) {
    TokenRow row(token);
    ASSERT_TRUE(row.read(*engine, now, version).has_value());
    const PartitionBatch batch =
        row.remember({fingerprint_of(request), now + kTokenLifetime, {{"Table", 4}}});
    ASSERT_TRUE(engine->commit(std::span(&batch, 1), now).has_value());
  }
  std::optional<RememberedRequest> find(std::string_view token, TimePoint now) {
    auto found = TokenRow(token).read(*engine, now, version);
    EXPECT_TRUE(found.has_value());
    return *std::move(found);
  }

  std::unique_ptr<Engine> engine = make_memory_engine();
  Version version = 0;
};

TEST_F(RequestTokensTest, a_request_is_remembered_for_ten_minutes) {
  remember("token", "request", kNow);
  const auto found = find("token", kNow + kTokenLifetime - std::chrono::milliseconds(1));
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(found->fingerprint, fingerprint_of("request"));
  EXPECT_EQ(found->read_units.at("Table"), 4);
  EXPECT_FALSE(find("token", kNow + kTokenLifetime).has_value());
  EXPECT_FALSE(find("other", kNow).has_value());
}

TEST_F(RequestTokensTest, an_expired_token_can_be_used_again) {
  remember("token", "request", kNow);
  const TimePoint later = kNow + kTokenLifetime;
  remember("token", "another", later);
  EXPECT_EQ(find("token", later)->fingerprint, fingerprint_of("another"));
}

TEST_F(RequestTokensTest, of_two_that_remember_the_same_token_one_fails) {
  TokenRow first("token"), second("token");
  ASSERT_TRUE(first.read(*engine, kNow, version).has_value());
  ASSERT_TRUE(second.read(*engine, kNow, version).has_value());
  const RememberedRequest request{fingerprint_of("request"), kNow + kTokenLifetime, {}};
  const PartitionBatch one = first.remember(request), other = second.remember(request);
  EXPECT_TRUE(engine->commit(std::span(&one, 1), kNow).has_value());
  const auto refused = engine->commit(std::span(&other, 1), kNow);
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error().code(), ErrorCode::Conflict);
}

TEST_F(RequestTokensTest, expired_tokens_are_removed_and_others_stay) {
  for (int i = 0; i < 50; ++i) {
    remember("old " + std::to_string(i), "request", kNow);
    remember("new " + std::to_string(i), "request", kNow + std::chrono::minutes(5));
  }
  const TimePoint later = kNow + kTokenLifetime;
  std::optional<std::string> position;
  std::size_t removed = 0;
  for (int round = 0; round < 12; ++round) {  // ten rows each: once round and a little further
    const auto result = remove_expired_tokens(*engine, later, 10, position);
    ASSERT_TRUE(result.has_value());
    removed += *result;
  }
  EXPECT_EQ(removed, 50u);
  for (int i = 0; i < 50; ++i) {
    EXPECT_TRUE(find("new " + std::to_string(i), later).has_value());
  }
}

}  // namespace
}  // namespace partita
