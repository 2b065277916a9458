// What an entity is declared with, besides its key: indexes, versions, timestamps, ids, validation,
// upgrades, unique values, counters and numbers. See entity.h.
#pragma once

#include <string>
#include <string_view>

#include "partita/model/fixed_string.h"
#include "partita/model/ids.h"
#include "partita/model/raw_item.h"
#include "partita/model/table.h"
#include "partita/model/time_points.h"

namespace partita::model {

// What is wrong with an object, told by validate.
class Issues {
 public:
  void add(std::string_view member, std::string_view sentence) {
    if (!text_.empty()) text_ += "; ";
    text_.append(member).append(": ").append(sentence);
  }
  bool empty() const { return text_.empty(); }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

namespace detail {

enum class Role : std::uint8_t {
  Key,
  Index,
  Version,
  Created,
  Updated,
  Generated,
  Validate,
  Evolve,
  Unique,
  ReferenceCount,
  Sequence,
};

template <typename Part>
constexpr Role role_of() {
  return Part::role;
}
template <FixedString P, FixedString S>
constexpr Role key_role(Key<P, S>) {
  return Role::Key;
}
template <typename Part>
requires requires(Part part) { key_role(part); }
constexpr Role role_of() { return Role::Key; }

}  // namespace detail

struct ReadOnly {
  static constexpr bool read_only = true;
};
// Updates leave the keys of this index alone; create and put write them.
inline constexpr ReadOnly read_only{};

template <FixedString Path, auto... Values>
struct When {
  static constexpr auto path = Path;
};
// Items for which this member is false, zero, empty or absent are not in the index: when<"unread">.
// With values, those for which it is none of them: when<"state", State::open, State::waiting>.
template <FixedString Path, auto... Values>
inline constexpr When<Path, Values...> when{};

template <FixedString Name, FixedString TableIndex, FixedString Partition, FixedString Sort,
          auto... Options>
struct Index {
  static constexpr detail::Role role = detail::Role::Index;
  static constexpr auto name = Name;
  static constexpr auto table_index = TableIndex;
  static constexpr auto partition = Partition;
  static constexpr auto sort = Sort;
};
// An access pattern by an index of the table. Templates may be left out for key attributes that are
// members, or keys of the table (an inverted index).
template <FixedString Name, FixedString TableIndex, FixedString Partition = "",
          FixedString Sort = "", auto... Options>
inline constexpr Index<Name, TableIndex, Partition, Sort, Options...> indexed{};

template <detail::Role R, auto Member>
struct MemberRole {
  static constexpr detail::Role role = R;
  static constexpr auto member = Member;
};
// Optimistic locking: the version is checked and raised by every put and update.
template <auto Member>
inline constexpr MemberRole<detail::Role::Version, Member> version{};
// When the item was made, and last written: time points, or integers for seconds since 1970.
template <auto Member>
inline constexpr MemberRole<detail::Role::Created, Member> created{};
template <auto Member>
inline constexpr MemberRole<detail::Role::Updated, Member> updated{};

template <auto Member, std::string (*Make)(std::chrono::system_clock::time_point)>
struct Generated {
  static constexpr detail::Role role = detail::Role::Generated;
  static constexpr auto member = Member;
  static constexpr auto make = Make;
};
// A member that is filled with a new id when it is empty; the ids of one process ascend.
template <auto Member>
inline constexpr Generated<Member, &new_ulid> ulid{};
template <auto Member>
inline constexpr Generated<Member, &new_ksuid> ksuid{};
template <auto Member>
inline constexpr Generated<Member, &new_uuid7> uuid7{};

template <typename Check>
struct Validate {
  static constexpr detail::Role role = detail::Role::Validate;
  using Checker = Check;
};
// Called with the object and Issues before it is written by create and put, and by an update that
// knows the whole object because it reads it first. A lambda without captures.
template <typename Check>
constexpr Validate<Check> validate(Check) {
  return {};
}

// Items written under an older schema version are given to this when they are read, with the
// version they have; a lambda without captures: evolve<2>([](int from, RawItem& raw) { … }).
template <int Version, typename Upgrade>
struct Evolve {
  static constexpr detail::Role role = detail::Role::Evolve;
  static constexpr int version = Version;
  static void upgrade(int from, RawItem& raw) { Upgrade{}(from, raw); }
};
template <int Version, typename Upgrade>
constexpr Evolve<Version, Upgrade> evolve(Upgrade) {
  return {};
}

template <FixedString... Paths>
struct Unique {
  static constexpr detail::Role role = detail::Role::Unique;
};
// No two items of the entity have the same values of these members: unique<"email">,
// unique<"org", "name">. Kept by marker items that are written in the same transaction.
template <FixedString... Paths>
inline constexpr Unique<Paths...> unique{};

template <auto Member, FixedString Partition, FixedString Sort>
struct CountedBy {
  static constexpr detail::Role role = detail::Role::ReferenceCount;
  static constexpr auto member = Member;
  static constexpr auto partition = Partition;
  static constexpr auto sort = Sort;
};
// A member of another entity's item, found by these templates, counts the items of this one. It is
// changed in the same transaction; the other item must be there.
//   counted_by<&Repository::stars, "REPO#{owner}#{repository}", "REPO#{owner}#{repository}">
template <auto Member, FixedString Partition, FixedString Sort = "">
inline constexpr CountedBy<Member, Partition, Sort> counted_by{};

template <auto Member, auto Counter, FixedString Partition, FixedString Sort>
struct Numbered {
  static constexpr detail::Role role = detail::Role::Sequence;
  static constexpr auto member = Member;
  static constexpr auto counter = Counter;
  static constexpr auto partition = Partition;
  static constexpr auto sort = Sort;
};
// create gives the member the next number (1, 2, …) when it is 0. The last number is kept in an
// item of its own under this key; a number that was given to an item that then failed is skipped.
//   numbered<&Issue::number, "SEQUENCE#{project}", "ISSUES">
template <auto Member, FixedString Partition, FixedString Sort = "">
inline constexpr Numbered<Member, 0, Partition, Sort> numbered{};
// The same with the last number in a member of another entity's item, which must be there.
//   numbered_by<&Issue::number, &Project::issues, "PROJECT#{project}", "PROJECT#{project}">
template <auto Member, auto Counter, FixedString Partition, FixedString Sort = "">
inline constexpr Numbered<Member, Counter, Partition, Sort> numbered_by{};

}  // namespace partita::model
