// A session store: one entity, found by its token and by its user.
//
//   Access pattern               Index       Parameters   Notes
//   create_session               table       token        a condition keeps tokens unique
//   find_session                 table       token        a filter hides what has expired
//   (delete when expired)        -           -            time to live
//   delete_sessions              UserIndex   username     finds the tokens, then removes each
//
// The key attributes are the members themselves: with one entity there is nothing to prefix.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "partita/model/model.h"

namespace examples::sessions {

using namespace partita::model;
using partita::Result;
using Moment = std::chrono::sys_seconds;

struct Session {
  std::string token{};
  std::string username{};
  Moment created{};
  Moment expires{};  // named by ttl<…>: stored as seconds since 1970
  friend bool operator==(const Session&, const Session&) = default;
};

inline constexpr auto session_table = define_table<"SessionStore">(
    key<"token">, gsi<"UserIndex", "username", "", keys_only>, ttl<"expires">);

inline constexpr auto session = define_entity<Session, "session">(
    session_table, key<"{token}">, indexed<"by_user", "UserIndex">, uuid7<&Session::token>,
    created<&Session::created>);

class SessionStore {
 public:
  explicit SessionStore(partita::Api& api) : table_(session_table.in(api)) {}
  SessionStore(const SessionStore&) = delete;

  Result<void> create_table() { return table_.create_if_missing(); }
  void set_clock(Clock clock) { table_.set_clock(std::move(clock)); }

  // A token that is taken is refused, be it by chance or by malice.
  Result<Session> create_session(std::string username, std::string token = "") {
    return sessions_
        .create({.token = std::move(token),
                 .username = std::move(username),
                 .expires = now() + std::chrono::days(7)})
        .run();
  }

  // Time to live may take its time; an expired session must not be found in the meantime.
  Result<std::optional<Session>> find_session(std::string_view token) {
    return sessions_.query(token).filter(field<&Session::expires> >= now()).first();
  }

  // How many there were. The index keeps tokens and users, which is all that is needed here.
  Result<int> delete_sessions(std::string_view username) {
    PARTITA_TRY(const auto found,
                sessions_.query<"by_user">(username).select<&Session::token>().all());
    BatchWrite batch(table_);
    for (const auto& [token] : found) batch.add(sessions_.remove(token));
    PARTITA_CHECK(batch.run());
    return static_cast<int>(found.size());
  }

 private:
  Moment now() const { return std::chrono::floor<std::chrono::seconds>(table_.now()); }

  TableOf<session_table> table_;
  RepositoryOf<session> sessions_ = table_.repository<session>();
};

}  // namespace examples::sessions
