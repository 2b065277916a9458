// A social network as an adjacency list: users are nodes, who follows whom are edges, and each edge
// is found from both of its ends. Groups are the same with two kinds of nodes.
//
//   Access pattern        Index   Key
//   find_user             table   PK = USER#alice, SK = USER#alice
//   following             table   PK = USER#alice, SK begins with FOLLOWS#
//   followers             GSI1    GSI1PK = USER#alice, GSI1SK begins with FOLLOWER#
//   follows               table   PK = USER#alice, SK = FOLLOWS#bob
//   groups_of             table   PK = USER#alice, SK begins with GROUP#
//   members_of            GSI1    GSI1PK = GROUP#chess, GSI1SK begins with USER#
//   comments_of           table   PK = POST#1, SK begins with COMMENT#, in the order of time
//   comments_since        table   PK = POST#1, SK from COMMENT#2024-01-15T10:30:00Z
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "partita/model/model.h"

namespace examples::social {

using namespace partita::model;
using partita::Result;
using Day = std::chrono::sys_days;
using Moment = std::chrono::sys_seconds;

struct User {
  std::string name{};
  std::string full_name{};
};
struct Follow {
  std::string follower{};
  std::string followed{};
  Day since{};
};
struct Membership {
  std::string user{};
  std::string group{};
  Day joined{};
};
struct Comment {
  std::string post{};
  Moment created{};
  std::string id{};
  std::string user{};
  std::string content{};
};

inline constexpr auto social_table =
    define_table<"Social">(key<"PK", "SK">, gsi<"GSI1", "GSI1PK", "GSI1SK">);

inline constexpr auto user =
    define_entity<User, "user">(social_table, key<"USER#{name}", "USER#{name}">);

// An edge is one item; the index turns it round.
inline constexpr auto follow = define_entity<Follow, "follow">(
    social_table, key<"USER#{follower}", "FOLLOWS#{followed}">,
    indexed<"followers", "GSI1", "USER#{followed}", "FOLLOWER#{follower}">);

inline constexpr auto membership = define_entity<Membership, "membership">(
    social_table, key<"USER#{user}", "GROUP#{group}">,
    indexed<"members", "GSI1", "GROUP#{group}", "USER#{user}">);

inline constexpr auto comment = define_entity<Comment, "comment">(
    social_table, key<"POST#{post}", "COMMENT#{created}#{id}">, ulid<&Comment::id>);

class SocialGraph {
 public:
  explicit SocialGraph(partita::Api& api) : table_(social_table.in(api)) {}
  SocialGraph(const SocialGraph&) = delete;

  Result<void> create_table() { return table_.create_if_missing(); }

  Result<User> add_user(User added) { return users_.create(std::move(added)).run(); }
  Result<std::optional<User>> find_user(std::string_view name) { return users_.get(name).run(); }

  Result<Follow> follow_user(Follow added) { return follows_.create(std::move(added)).run(); }
  Result<void> unfollow(std::string_view follower, std::string_view followed) {
    return follows_.remove(follower, followed).run();
  }
  Result<std::vector<Follow>> following(std::string_view name) {
    return follows_.query(name).all();
  }
  Result<std::vector<Follow>> followers(std::string_view name) {
    return follows_.query<"followers">(name).all();
  }
  Result<bool> follows(std::string_view follower, std::string_view followed) {
    PARTITA_TRY(const std::optional<Follow> found, follows_.get(follower, followed).run());
    return found.has_value();
  }

  Result<Membership> join(Membership added) { return memberships_.create(std::move(added)).run(); }
  Result<std::vector<Membership>> groups_of(std::string_view name) {
    return memberships_.query(name).all();
  }
  Result<std::vector<Membership>> members_of(std::string_view group) {
    return memberships_.query<"members">(group).all();
  }

  Result<Comment> say(Comment added) { return comments_.create(std::move(added)).run(); }
  Result<std::vector<Comment>> comments_of(std::string_view post) {
    return comments_.query(post).all();
  }
  Result<std::vector<Comment>> comments_since(std::string_view post, Moment from) {
    return comments_.query(post).from(from).all();
  }

 private:
  TableOf<social_table> table_;
  RepositoryOf<user> users_ = table_.repository<user>();
  RepositoryOf<follow> follows_ = table_.repository<follow>();
  RepositoryOf<membership> memberships_ = table_.repository<membership>();
  RepositoryOf<comment> comments_ = table_.repository<comment>();
};

// The people of the seed, for the program and its test.
inline Result<void> add_people(SocialGraph& graph) {
  using std::chrono::year;
  const auto january = [](unsigned day) { return Day(year(2024) / 1 / day); };
  PARTITA_CHECK(graph.create_table());
  PARTITA_CHECK(graph.add_user({"alice", "Alice"}));
  PARTITA_CHECK(graph.add_user({"bob", "Bob"}));
  PARTITA_CHECK(graph.add_user({"carol", "Carol"}));
  PARTITA_CHECK(graph.follow_user({"alice", "bob", january(1)}));
  PARTITA_CHECK(graph.follow_user({"alice", "carol", january(5)}));
  PARTITA_CHECK(graph.follow_user({"bob", "alice", january(7)}));
  PARTITA_CHECK(graph.follow_user({"carol", "alice", january(9)}));
  PARTITA_CHECK(graph.join({"alice", "chess", january(2)}));
  PARTITA_CHECK(graph.join({"bob", "chess", january(3)}));
  PARTITA_CHECK(graph.join({"alice", "running", january(4)}));
  const Moment noon = january(15) + std::chrono::hours(12);
  PARTITA_CHECK(graph.say({"1", noon + std::chrono::minutes(5), "", "bob", "Second!"}));
  PARTITA_CHECK(graph.say({"1", noon, "", "carol", "First!"}));
  return {};
}

}  // namespace examples::social
