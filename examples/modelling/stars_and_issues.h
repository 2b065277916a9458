// Repositories with stars and issues: counters, numbers and unique values that are kept by the same
// transaction that writes what they count.
//
//   Access pattern             Index   Notes
//   create_user                table   name, email address and phone number are unique
//   create_repository          table
//   star, unstar               table   a transaction changes Repository::stars; once for each user
//   open_issue                 table   numbered 1, 2, … by Repository::issues
//   close_issue                table   leaves the index of open issues
//   repository_and_issues      table   one query, backwards from REPO#: newest issues first
//   repository_and_stars       table   one query, forwards from REPO#: stars by user
//   open_issues                GSI1    sparse: only open ones
//   starred_by                 GSI1    the other direction of a star
//   recently_changed           GSI2    sorted by a time that changes: it is in an index, not in SK
//
// In a partition ISSUE# sorts before REPO#, and REPO# before STAR#: the repository lies between
// its issues and its stars and is read with either of them.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "partita/model/model.h"

namespace examples::stars {

using namespace partita::model;
using partita::Result;
using Moment = std::chrono::sys_time<std::chrono::milliseconds>;

struct User {
  std::string name{};
  std::string email{};
  std::optional<std::string> phone{};
};
struct CodeRepository {
  std::string owner{};
  std::string name{};
  std::int64_t stars = 0;
  std::int64_t issues = 0;
};
struct Star {
  std::string owner{};
  std::string repository{};
  std::string user{};
};
struct Issue {
  std::string owner{};
  std::string repository{};
  std::int64_t number = 0;
  std::string title{};
  bool open = true;
  Moment changed{};
};

inline constexpr auto code_table = define_table<"Code">(
    key<"PK", "SK">, gsi<"GSI1", "GSI1PK", "GSI1SK">, gsi<"GSI2", "GSI2PK", "GSI2SK">);

inline constexpr auto user = define_entity<User, "user">(
    code_table, key<"USER#{name}", "USER#{name}">, unique<"email">, unique<"phone">);

inline constexpr auto code_repository = define_entity<CodeRepository, "repository">(
    code_table, key<"REPO#{owner}#{name}", "REPO#{owner}#{name}">);

inline constexpr auto star = define_entity<Star, "star">(
    code_table, key<"REPO#{owner}#{repository}", "STAR#{user}">,
    indexed<"starred_by", "GSI1", "USER#{user}", "STAR#{owner}#{repository}">,
    counted_by<&CodeRepository::stars, "REPO#{owner}#{repository}", "REPO#{owner}#{repository}">);

inline constexpr auto issue = define_entity<Issue, "issue">(
    code_table, key<"REPO#{owner}#{repository}", "ISSUE#{number:08}">,
    indexed<"open", "GSI1", "OPEN#{owner}#{repository}", "ISSUE#{number:08}", when<"open">>,
    indexed<"changed", "GSI2", "REPO#{owner}#{repository}", "{changed}#{number:08}">,
    updated<&Issue::changed>,
    numbered_by<&Issue::number, &CodeRepository::issues, "REPO#{owner}#{repository}",
                "REPO#{owner}#{repository}">);

inline constexpr auto repository_with_all = define_collection<"", code_repository, issue, star>();

class CodeHost {
 public:
  explicit CodeHost(partita::Api& api) : table_(code_table.in(api)) {}
  CodeHost(const CodeHost&) = delete;

  Result<void> create_table() { return table_.create_if_missing(); }
  void set_clock(Clock clock) { table_.set_clock(std::move(clock)); }

  // Fails with NotUnique when the address or the number belongs to somebody else.
  Result<User> create_user(User added) { return users_.create(std::move(added)).run(); }
  Result<CodeRepository> create_repository(std::string owner, std::string name) {
    return repositories_.create({.owner = std::move(owner), .name = std::move(name)}).run();
  }
  Result<std::optional<CodeRepository>> find_repository(std::string_view owner,
                                                        std::string_view name) {
    return repositories_.get(owner, name).run();
  }

  // Fails when there is no such repository, or the user gave a star already.
  Result<Star> give_star(Star given) { return stars_.create(std::move(given)).run(); }
  Result<void> take_star(const Star& given) {
    return stars_.remove(given.owner, given.repository, given.user).run();
  }

  Result<Issue> open_issue(std::string owner, std::string repository, std::string title) {
    return issues_
        .create({.owner = std::move(owner),
                 .repository = std::move(repository),
                 .title = std::move(title)})
        .run();
  }
  Result<void> close_issue(const Issue& closed) {
    return issues_.update(closed.owner, closed.repository, closed.number)
        .set<&Issue::open>(false)
        .run();
  }

  struct RepositoryAndIssues {
    CodeRepository of{};
    std::vector<Issue> issues{};  // the newest first
  };
  Result<RepositoryAndIssues> repository_and_issues(std::string_view owner, std::string_view name,
                                                    int count) {
    auto query =
        repository_with_all.in(table_).query(owner, name).up_to("REPO$");  // '$' is '#' + 1
    PARTITA_TRY(auto found, query.newest_first().limit(1 + count).fetch());
    auto& [repositories, issues, none] = found;
    if (repositories.empty()) return not_found();
    return RepositoryAndIssues{std::move(repositories[0]), std::move(issues)};
  }
  struct RepositoryAndStars {
    CodeRepository of{};
    std::vector<Star> stars{};
  };
  Result<RepositoryAndStars> repository_and_stars(std::string_view owner, std::string_view name) {
    auto query = repository_with_all.in(table_).query(owner, name).from("REPO#");
    PARTITA_TRY(auto found, query.fetch());
    auto& [repositories, none, stars] = found;
    if (repositories.empty()) return not_found();
    return RepositoryAndStars{std::move(repositories[0]), std::move(stars)};
  }

  Result<std::vector<Issue>> open_issues(std::string_view owner, std::string_view repository) {
    return issues_.query<"open">(owner, repository).all();
  }
  Result<std::vector<Star>> starred_by(std::string_view name) {
    return stars_.query<"starred_by">(name).all();
  }
  Result<std::vector<Issue>> recently_changed(std::string_view owner, std::string_view repository,
                                              int count) {
    return issues_.query<"changed">(owner, repository).newest_first().limit(count).all();
  }

 private:
  static partita::Error not_found() {
    return {partita::ErrorCode::ResourceNotFound, "there is no such repository"};
  }

  TableOf<code_table> table_;
  RepositoryOf<user> users_ = table_.repository<user>();
  RepositoryOf<code_repository> repositories_ = table_.repository<code_repository>();
  RepositoryOf<star> stars_ = table_.repository<star>();
  RepositoryOf<issue> issues_ = table_.repository<issue>();
};

inline Result<void> write_book(CodeHost& host) {
  PARTITA_CHECK(host.create_table());
  PARTITA_CHECK(host.create_user({"alexdebrie", "alex@debrie.com", "555"}));
  PARTITA_CHECK(host.create_user({"danny", "danny@example.com", {}}));
  PARTITA_CHECK(host.create_repository("alexdebrie", "dynamodb-book"));
  PARTITA_CHECK(host.give_star({"alexdebrie", "dynamodb-book", "danny"}));
  PARTITA_CHECK(host.give_star({"alexdebrie", "dynamodb-book", "ada"}));
  for (const char* title : {"Build DynamoDB data model", "Typo on page 3", "More drawings"}) {
    PARTITA_CHECK(host.open_issue("alexdebrie", "dynamodb-book", title));
  }
  return {};
}

}  // namespace examples::stars
