// What an update reaches: which keys of indexes and unique values change with the members it sets,
// and whether it knows all that they are made of. Decided at compile time.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "partita/model/entity_plan.h"
#include "partita/model/member_path.h"

namespace partita::model::detail {

// ReadsFirst is no change: read_modify_write was said. Rebuild: the keys of a read-only index.
enum class ChangeKind : std::uint8_t { Set, Remove, Add, Other, ReadsFirst, Rebuild };

template <ChangeKind Kind, FixedString Path>
struct Change {
  static constexpr ChangeKind kind = Kind;
  static constexpr auto path = Path;
};

struct KnownChange {
  ChangeKind kind;
  std::string_view path;
};

// Which indexes of an entity an update touches, and whether it knows what their keys are made of.
struct UpdateReach {
  std::uint32_t touched = 0;  // a bit for each access pattern
  bool complete = true;
  bool changes_primary_key = false;
  bool touches_unique = false;
  bool reads_first = false;
};

constexpr bool is_known(std::string_view path, std::span<const KnownChange> changes,
                        const EntityPlan& plan) {
  const auto in_key = [&](const KeyParts& parts) {
    for (std::size_t i = 0; i < parts.all[0].key->count; ++i) {
      if (parts.all[0].key->pieces[i].path == path) return true;
    }
    return false;
  };
  if (in_key(plan.primary().partition)) return true;
  if (plan.primary().sort.count != 0 && in_key(plan.primary().sort)) return true;
  for (const KnownChange& change : changes) {
    const bool covers =
        path == change.path || (path.starts_with(change.path) && path[change.path.size()] == '.');
    if (covers && (change.kind == ChangeKind::Set || change.kind == ChangeKind::Remove))
      return true;
  }
  return false;
}

template <typename Visit>
constexpr void each_input(const AccessPattern& pattern, Visit visit) {
  for (const KeyParts* parts : {&pattern.partition, &pattern.sort}) {
    for (std::size_t p = 0; p < parts->count; ++p) {
      if (!parts->all[p].written) continue;
      const KeyTemplate& key = *parts->all[p].key;
      for (std::size_t i = 0; i < key.count; ++i) visit(key.pieces[i].path);
    }
  }
  if (!pattern.when_path.empty()) visit(pattern.when_path);
}

constexpr bool is_change(const KnownChange& change) { return change.kind < ChangeKind::ReadsFirst; }

constexpr UpdateReach reach_of(const EntityPlan& plan, std::span<const KnownChange> changes) {
  UpdateReach reach;
  for (const KnownChange& change : changes) {
    reach.reads_first |= change.kind == ChangeKind::ReadsFirst;
    for (const UniqueKey& unique : plan.uniques) {
      for (std::size_t i = 0; i < unique.key->count; ++i) {
        reach.touches_unique |=
            is_change(change) && paths_meet(unique.key->pieces[i].path, change.path);
      }
    }
  }
  for (std::size_t p = 0; p < plan.patterns.size(); ++p) {
    const AccessPattern& pattern = plan.patterns[p];
    bool touched = false;
    const auto look = [&](std::string_view path) {
      for (const KnownChange& change : changes) {
        touched |= is_change(change) && paths_meet(path, change.path);
      }
    };
    bool rebuilt = false;
    for (const KnownChange& change : changes) {
      rebuilt |= change.kind == ChangeKind::Rebuild && change.path == pattern.name;
    }
    if (p == 0) {
      for (const KeyParts* parts : {&pattern.partition, &pattern.sort}) {
        for (std::size_t i = 0; parts->count != 0 && i < parts->all[0].key->count; ++i) {
          look(parts->all[0].key->pieces[i].path);
        }
      }
      reach.changes_primary_key = touched;
      continue;
    }
    each_input(pattern, look);
    if (!rebuilt && (!touched || pattern.read_only)) continue;
    reach.touched |= 1u << p;
    each_input(pattern, [&](std::string_view path) {
      if (!is_known(path, changes, plan)) reach.complete = false;
    });
  }
  return reach;
}

// The member at a path, made if an optional on the way is empty.
template <FixedString P, typename T>
auto& reach_member(T& object) {
  constexpr std::size_t index = member_index<T>(PathParts<P>::head);
  auto& member = Members<T>::template get<index>(object);
  if constexpr (!PathParts<P>::nested) {
    return member;
  } else if constexpr (is_optional<std::remove_cvref_t<decltype(member)>>) {
    if (!member) member.emplace();
    return reach_member<PathParts<P>::rest()>(*member);
  } else {
    return reach_member<PathParts<P>::rest()>(member);
  }
}

// What a change makes of an object that was read.
template <typename Change, typename T>
void apply_change(const T& known, T& object) {
  if constexpr (Change::kind == ChangeKind::Set || Change::kind == ChangeKind::Remove) {
    reach_member<Change::path>(object) = reach_member<Change::path>(const_cast<T&>(known));
  } else if constexpr (Change::kind == ChangeKind::Add) {
    auto& to = reach_member<Change::path>(object);
    const auto& amount = reach_member<Change::path>(const_cast<T&>(known));
    using Member = std::remove_cvref_t<decltype(to)>;
    if constexpr (is_optional<Member>) {
      if constexpr (std::is_arithmetic_v<unwrapped<Member>>) to = to.value_or(0) + *amount;
    } else if constexpr (std::is_arithmetic_v<Member>) {
      to = static_cast<Member>(to + amount);
    }
  }
}

}  // namespace partita::model::detail
