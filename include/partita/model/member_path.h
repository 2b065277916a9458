// Paths to members at compile time: "weight", "found.country".
#pragma once

#include <cstddef>
#include <string_view>
#include <type_traits>

#include "partita/model/codec.h"
#include "partita/model/fixed_string.h"
#include "partita/model/reflect.h"

namespace partita::model {

// A member as a template argument, by pointer (&Dinosaur::weight) or by path ("found.country").
template <typename Stored>
struct Selector {
  Stored stored;

  template <std::size_t N>
  consteval Selector(const char (&path)[N]) : stored(path) {}  // NOLINT: a literal is one
  constexpr Selector(Stored member) requires std::is_member_object_pointer_v<Stored>  // NOLINT
      : stored(member) {}
};
template <std::size_t N>
Selector(const char (&)[N]) -> Selector<FixedString<N>>;
template <typename Member>
requires std::is_member_object_pointer_v<Member> Selector(Member)
->Selector<Member>;

}  // namespace partita::model

namespace partita::model::detail {

template <typename T>
constexpr std::size_t member_index(std::string_view name) {
  std::size_t index = 0;
  while (index < Members<T>::count && Members<T>::names[index] != name) ++index;
  return index;
}

template <typename T>
inline constexpr bool is_struct = std::is_aggregate_v<T> && !HasCodec<T>;

template <FixedString P>
struct PathParts {
  static constexpr std::size_t dot = find_character(P.view(), '.');
  static constexpr bool nested = dot != std::string_view::npos;
  static constexpr std::string_view head = P.view().substr(0, dot);
  static consteval auto rest() { return substring<P, dot + 1, P.view().size() - dot - 1>(); }
};

// Does T have a member at this path?
template <typename T, FixedString P>
constexpr bool path_exists() {
  constexpr std::size_t index = member_index<T>(PathParts<P>::head);
  if constexpr (index == Members<T>::count) {
    return false;
  } else if constexpr (!PathParts<P>::nested) {
    return true;
  } else {
    using Inner = unwrapped<typename Members<T>::template Type<index>>;
    if constexpr (is_struct<Inner>) {
      return path_exists<Inner, PathParts<P>::rest()>();
    } else {
      return false;
    }
  }
}

// The member at the path, or null when an optional on the way is empty.
template <FixedString P, typename T>
constexpr auto* find_member(T& object) {
  using Plain = std::remove_const_t<T>;
  constexpr std::size_t index = member_index<Plain>(PathParts<P>::head);
  auto& mutable_member = Members<Plain>::template get<index>(const_cast<Plain&>(object));
  using Member = std::remove_reference_t<decltype(mutable_member)>;
  using Seen = std::conditional_t<std::is_const_v<T>, const Member, Member>;
  Seen& member = mutable_member;
  if constexpr (!PathParts<P>::nested) {
    return &member;
  } else if constexpr (is_optional<Member>) {
    using Pointer = decltype(find_member<PathParts<P>::rest()>(*member));
    return member ? find_member<PathParts<P>::rest()>(*member) : Pointer{};
  } else {
    return find_member<PathParts<P>::rest()>(member);
  }
}

template <typename T, FixedString P>
using PathType = std::remove_cvref_t<decltype(*find_member<P>(std::declval<T&>()))>;

// A member pointer as a path.
template <auto Member>
consteval auto path_of_member() {
  constexpr std::string_view name = attribute_name<Member>;
  FixedString<name.size() + 1> path;
  for (std::size_t i = 0; i < name.size(); ++i) path.text[i] = name[i];
  return path;
}

template <Selector S>
consteval auto path_of() {
  if constexpr (std::is_member_object_pointer_v<decltype(S.stored)>) {
    return path_of_member<S.stored>();
  } else {
    return S.stored;
  }
}
// The struct whose member it is; void when only the path is known.
template <Selector S>
constexpr auto owner_of() {
  if constexpr (std::is_member_object_pointer_v<decltype(S.stored)>) {
    return std::type_identity<decltype(class_of(S.stored))>{};
  } else {
    return std::type_identity<void>{};
  }
}

// Path and struct of a selector, checked against the entity that it is used with.
template <typename T, Selector S>
struct Selected {
  using Owner = typename decltype(owner_of<S>())::type;
  static_assert(std::is_void_v<Owner> || std::is_same_v<Owner, T>,
                "this is a member of another entity");
  static constexpr auto path = path_of<S>();
  static_assert(path_exists<T, path>(), "the entity has no member of this name");
  using Type = PathType<T, path>;
};

// One of the paths lies within the other: changing one changes the other.
constexpr bool paths_meet(std::string_view left, std::string_view right) {
  const std::string_view& shorter = left.size() < right.size() ? left : right;
  const std::string_view& longer = left.size() < right.size() ? right : left;
  return longer.starts_with(shorter) &&
         (longer.size() == shorter.size() || longer[shorter.size()] == '.');
}

}  // namespace partita::model::detail
