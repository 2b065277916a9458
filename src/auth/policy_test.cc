#include "auth/policy.h"

#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace partita {
namespace {

constexpr std::string_view kSongs = "arn:aws:dynamodb:us-east-1:1:table/Songs";

StatementText statement(std::string effect, std::vector<std::string> actions,
                        std::vector<std::string> resources,
                        std::vector<ConditionText> conditions = {}) {
  return {std::move(effect),    std::move(actions), {}, std::move(resources), {},
          std::move(conditions)};
}

Verdict judge(const std::vector<StatementText>& statements, std::string_view action,
              std::string_view resource = kSongs,
              const std::map<ContextKey, ContextValues>& context = {}) {
  const auto policy = Policy::compile(statements, "alice");
  if (!policy) {
    ADD_FAILURE() << policy.error().message();
    return Verdict::Denied;
  }
  return policy->judge({action, resource, [&](ContextKey key) {
                          const auto found = context.find(key);
                          return found == context.end() ? ContextValues() : found->second;
                        }});
}

std::string complaint(const StatementText& text) {
  const auto policy = Policy::compile({text}, "alice");
  return policy ? "" : policy.error().message();
}

TEST(Wildcards, match_texts_and_end_soon) {
  EXPECT_TRUE(matches_wildcards("", ""));
  EXPECT_TRUE(matches_wildcards("*", ""));
  EXPECT_TRUE(matches_wildcards("a*c?e", "abbbcde"));
  EXPECT_TRUE(matches_wildcards("*a*b", "xaxbxb"));
  EXPECT_FALSE(matches_wildcards("a?", "a"));
  EXPECT_FALSE(matches_wildcards("a", "A"));
  EXPECT_FALSE(matches_wildcards("*a", "ab"));
  std::string pattern;
  for (int i = 0; i < 100; ++i) pattern += "*a";
  EXPECT_FALSE(matches_wildcards(pattern + "b", std::string(10'000, 'a')));
}

TEST(Policy, what_nobody_allows_is_not_allowed) {
  EXPECT_EQ(judge({}, "dynamodb:GetItem"), Verdict::NotAllowed);
  const auto allow = statement("Allow", {"dynamodb:Get*"}, {std::string(kSongs)});
  EXPECT_EQ(judge({allow}, "dynamodb:GetItem"), Verdict::Allowed);
  EXPECT_EQ(judge({allow}, "dynamodb:getitem"), Verdict::Allowed);
  EXPECT_EQ(judge({allow}, "dynamodb:PutItem"), Verdict::NotAllowed);
  EXPECT_EQ(judge({allow}, "dynamodb:GetItem", "arn:aws:dynamodb:us-east-1:1:table/Songs2"),
            Verdict::NotAllowed);
  EXPECT_EQ(judge({allow}, "dynamodb:GetItem", "arn:aws:dynamodb:us-east-1:1:table/songs"),
            Verdict::NotAllowed);
}

TEST(Policy, denial_wins_wherever_it_stands) {
  const auto allow = statement("Allow", {"*"}, {"*"});
  const auto deny = statement("Deny", {"dynamodb:Delete*"}, {"arn:aws:dynamodb:*:*:table/Song?"});
  EXPECT_EQ(judge({allow, deny}, "dynamodb:DeleteItem"), Verdict::Denied);
  EXPECT_EQ(judge({deny, allow}, "dynamodb:DeleteTable"), Verdict::Denied);
  EXPECT_EQ(judge({deny, allow}, "dynamodb:GetItem"), Verdict::Allowed);
}

TEST(Policy, wildcards_stay_within_their_part_of_an_arn) {
  const auto allow = statement("Allow", {"dynamodb:*"}, {"arn:aws:dynamodb:*:1:table/S*"});
  EXPECT_EQ(judge({allow}, "dynamodb:Query"), Verdict::Allowed);
  EXPECT_EQ(judge({allow}, "dynamodb:Query", std::string(kSongs) + "/index/i"), Verdict::Allowed);
  EXPECT_EQ(judge({allow}, "dynamodb:Query", "arn:aws:dynamodb:x:2:1:table/S"),
            Verdict::NotAllowed);
  const auto index =
      statement("Allow", {"dynamodb:*"}, {"arn:aws:dynamodb:*:*:table/Songs/index/*"});
  EXPECT_EQ(judge({index}, "dynamodb:Query"), Verdict::NotAllowed);
  EXPECT_EQ(judge({index}, "dynamodb:Query", std::string(kSongs) + "/index/i"), Verdict::Allowed);
}

TEST(Policy, not_action_and_not_resource_mean_all_others) {
  StatementText text = statement("Allow", {}, {"*"});
  text.actions.reset();
  text.not_actions = {"dynamodb:Delete*"};
  EXPECT_EQ(judge({text}, "dynamodb:GetItem"), Verdict::Allowed);
  EXPECT_EQ(judge({text}, "dynamodb:DeleteItem"), Verdict::NotAllowed);
  text = statement("Allow", {"*"}, {});
  text.resources.reset();
  text.not_resources = {std::string(kSongs)};
  EXPECT_EQ(judge({text}, "dynamodb:GetItem"), Verdict::NotAllowed);
  EXPECT_EQ(judge({text}, "dynamodb:GetItem", "arn:aws:dynamodb:us-east-1:1:table/B"),
            Verdict::Allowed);
}

TEST(Policy, all_values_of_a_request_must_be_among_those_of_the_condition) {
  const auto keys = [](std::vector<std::string> values) {
    return std::map<ContextKey, ContextValues>{
        {ContextKey::LeadingKeys, {.present = true, .values = std::move(values)}}};
  };
  const std::map<ContextKey, ContextValues> whole_table = {
      {ContextKey::LeadingKeys, {.present = true, .unbounded = true}}};
  const auto only = [](std::string name, std::string effect = "Allow") {
    return statement(std::move(effect), {"*"}, {"*"},
                     {{std::move(name), "dynamodb:LeadingKeys", {"${aws:username}", "b*"}}});
  };
  const auto all = only("ForAllValues:StringEquals");
  EXPECT_EQ(judge({all}, "dynamodb:GetItem", kSongs, keys({"alice"})), Verdict::Allowed);
  EXPECT_EQ(judge({all}, "dynamodb:GetItem", kSongs, keys({"alice", "bob"})), Verdict::NotAllowed);
  EXPECT_EQ(judge({all}, "dynamodb:Scan", kSongs, whole_table), Verdict::NotAllowed);
  EXPECT_EQ(judge({all}, "dynamodb:DescribeTable"), Verdict::Allowed);  // has no keys
  const auto like = only("ForAllValues:StringLike");
  EXPECT_EQ(judge({like}, "dynamodb:GetItem", kSongs, keys({"alice", "bob"})), Verdict::Allowed);
  EXPECT_EQ(judge({like}, "dynamodb:GetItem", kSongs, keys({"alice", "carl"})),
            Verdict::NotAllowed);
  const auto others = only("ForAnyValue:StringNotLike", "Deny");
  const auto everything = statement("Allow", {"*"}, {"*"});
  EXPECT_EQ(judge({everything, others}, "dynamodb:GetItem", kSongs, keys({"alice"})),
            Verdict::Allowed);
  EXPECT_EQ(judge({everything, others}, "dynamodb:GetItem", kSongs, keys({"alice", "carl"})),
            Verdict::Denied);
  EXPECT_EQ(judge({everything, others}, "dynamodb:Scan", kSongs, whole_table), Verdict::Denied);
  EXPECT_EQ(judge({everything, others}, "dynamodb:DescribeTable"), Verdict::Allowed);
}

TEST(Policy, single_values_may_be_absent) {
  const auto with = [](std::string name) {
    return statement("Allow", {"*"}, {"*"},
                     {{std::move(name), "dynamodb:Select", {"SPECIFIC_ATTRIBUTES", "COUNT"}}});
  };
  const std::map<ContextKey, ContextValues> all = {
      {ContextKey::Select, {.present = true, .values = {"ALL_ATTRIBUTES"}}}};
  const std::map<ContextKey, ContextValues> some = {
      {ContextKey::Select, {.present = true, .values = {"COUNT"}}}};
  EXPECT_EQ(judge({with("StringEquals")}, "a:b", kSongs, some), Verdict::Allowed);
  EXPECT_EQ(judge({with("StringEquals")}, "a:b", kSongs, all), Verdict::NotAllowed);
  EXPECT_EQ(judge({with("StringEquals")}, "a:b", kSongs), Verdict::NotAllowed);
  EXPECT_EQ(judge({with("StringEqualsIfExists")}, "a:b", kSongs), Verdict::Allowed);
  EXPECT_EQ(judge({with("StringEqualsIfExists")}, "a:b", kSongs, all), Verdict::NotAllowed);
  EXPECT_EQ(judge({with("StringNotEquals")}, "a:b", kSongs, all), Verdict::Allowed);
  EXPECT_EQ(judge({with("StringNotEquals")}, "a:b", kSongs, some), Verdict::NotAllowed);
  EXPECT_EQ(judge({with("StringNotEquals")}, "a:b", kSongs), Verdict::Allowed);
  const auto null = statement("Allow", {"*"}, {"*"}, {{"Null", "dynamodb:Select", {"true"}}});
  EXPECT_EQ(judge({null}, "a:b", kSongs), Verdict::Allowed);
  EXPECT_EQ(judge({null}, "a:b", kSongs, some), Verdict::NotAllowed);
}

TEST(Policy, what_is_not_understood_is_refused) {
  EXPECT_NE(complaint(statement("allow", {"*"}, {"*"})), "");
  EXPECT_NE(complaint(statement("Allow", {"GetItem"}, {"*"})), "");
  EXPECT_NE(complaint(statement("Allow", {"dynamodb:Get Item"}, {"*"})), "");
  EXPECT_NE(complaint(statement("Allow", {}, {"*"})), "");
  EXPECT_NE(complaint(statement("Allow", {"*"}, {})), "");
  EXPECT_NE(complaint(statement("Allow", {"*"}, {"Songs"})), "");
  EXPECT_NE(complaint(statement("Allow", {"*"}, {"arn:aws:dynamodb:*"})), "");
  EXPECT_NE(complaint(statement("Allow", {"*"}, {"arn:aws:dynamodb:*:*:table/${aws:x}"})), "");
  const auto condition = [](std::string name, std::string key, std::vector<std::string> values) {
    return complaint(statement("Allow", {"*"}, {"*"}, {{name, key, values}}));
  };
  EXPECT_EQ(condition("StringEquals", "dynamodb:Select", {"COUNT"}), "");
  EXPECT_EQ(condition("StringEqual", "dynamodb:Select", {"COUNT"}),
            "'StringEqual' is no condition operator this server knows");
  EXPECT_NE(condition("IpAddress", "dynamodb:Select", {"COUNT"}), "");
  EXPECT_EQ(condition("StringEquals", "aws:SourceIp", {"1"}),
            "'aws:SourceIp' is no condition key this server knows");
  EXPECT_NE(condition("StringEquals", "dynamodb:LeadingKeys", {"a"}), "");  // of how many?
  EXPECT_NE(condition("StringEquals", "dynamodb:Select", {}), "");
  EXPECT_NE(condition("Null", "dynamodb:Select", {"maybe"}), "");
  StatementText both = statement("Allow", {"*"}, {"*"});
  both.not_actions = {"*"};
  EXPECT_NE(complaint(both), "");
}

}  // namespace
}  // namespace partita
