// Which members an aggregate has, what they are called, and what enumerators are called.
//
//   struct Dinosaur { std::string id; std::int64_t weight = 1; };
//   Members<Dinosaur>::names[1] == "weight"
//
// With g++ the names come from the compiler; nothing has to be declared. Compilers that cannot name
// the members of an aggregate, and types whose attributes are called otherwise, say them once:
//
//   template <>
//   inline constexpr auto partita::model::members<Dinosaur> =
//       member_list<&Dinosaur::id, stored_as<&Dinosaur::weight, "mass">>;
//
// Enumerators from 0 to 31 are named by the compiler too; others by specialising enum_names.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

#include "partita/model/fixed_string.h"
#include "partita/model/reflect_bindings.h"

namespace partita::model {

template <typename T>
inline constexpr bool always_false = false;

struct ReflectedByTheCompiler {};

// Specialise to list the members of T by hand, see above.
template <typename T>
inline constexpr auto members = ReflectedByTheCompiler{};

// A member whose attribute has another name than the member.
template <auto Member, FixedString Name>
struct StoredAs {
  static constexpr auto member = Member;
};
template <auto Member, FixedString Name>
inline constexpr StoredAs<Member, Name> stored_as{};

template <auto... Listed>
struct MemberList {};
template <auto... Listed>
inline constexpr MemberList<Listed...> member_list{};

namespace detail {

// ---- How the compiler spells template arguments

template <auto... Arguments>
consteval std::string_view spelled_arguments() {
#if defined(__clang__)
  constexpr std::string_view start = "[Arguments = <", end = ">]";
#else
  constexpr std::string_view start = "Arguments = {", end = "};";
#endif
  std::string_view text = __PRETTY_FUNCTION__;
  text.remove_prefix(text.find(start) + start.size());
  return text.substr(0, text.rfind(end));
}

// The last name of "a::b::name" or "(& x.T::name)".
constexpr std::string_view last_name(std::string_view spelled) {
  while (!spelled.empty() && (spelled.back() == ')' || spelled.back() == ' ')) {
    spelled.remove_suffix(1);
  }
  const std::size_t colon = spelled.rfind(':');
  return colon == std::string_view::npos ? spelled : spelled.substr(colon + 1);
}

// "x, y, z" in N pieces. What is between brackets has no separators.
template <std::size_t N>
constexpr std::array<std::string_view, N> split_arguments(std::string_view text) {
  std::array<std::string_view, N> pieces{};
  std::size_t start = 0, piece = 0;
  int depth = 0;
  for (std::size_t i = 0; i < text.size() && piece < N; ++i) {
    const char c = text[i];
    if (c == '(' || c == '<' || c == '{' || c == '[') ++depth;
    if (c == ')' || c == '>' || c == '}' || c == ']') --depth;
    if (c == ',' && depth == 0) {
      pieces[piece++] = text.substr(start, i - start);
      start = i + 2;
    }
  }
  if (piece < N && start < text.size()) pieces[piece] = text.substr(start);
  return pieces;
}

// ---- Aggregates, looked at by the compiler

struct ConvertsToAnything {
  template <typename T>
  requires(!std::is_same_v<T, const char*> && !std::is_same_v<T, std::nullptr_t>) operator T()
      const;  // NOLINT: never defined, only asked about
};
template <std::size_t>
using Anything = ConvertsToAnything;

template <typename T, std::size_t... I>
constexpr bool takes_initializers(std::index_sequence<I...>) {
  return requires { T{Anything<I>{}...}; };
}

template <typename T, std::size_t N = 0>
consteval std::size_t count_members() {
  if constexpr (takes_initializers<T>(std::make_index_sequence<N + 1>{})) {
    return count_members<T, N + 1>();
  } else {
    return N;
  }
}

template <typename T>
struct Phantom {
  static const T object;  // never defined: only addresses within it are spelled
};

template <typename T>
struct ReflectedMembers {
  static_assert(std::is_aggregate_v<T>,
                "an entity is a plain aggregate: a struct without constructors, private members "
                "and virtual functions");
#if defined(__clang__)
  static_assert(always_false<T>,
                "this compiler cannot name the members of a struct: list them by specialising "
                "partita::model::members (partita/model/reflect.h)");
#endif
  static constexpr std::size_t count = count_members<T>();
  static_assert(count > 0, "a struct without members has nothing to store");
  static_assert(count <= kReflectedMembersMax,
                "a struct with more than 40 members: put some of them into a nested struct, or "
                "list them by specialising partita::model::members");

  using Tied = decltype(tie_members<count>(std::declval<T&>()));
  template <std::size_t I>
  using Type = std::remove_reference_t<decltype(referred<I>(std::declval<Tied>()))>;

  template <std::size_t I>
  static constexpr auto& get(T& object) {
    return referred<I>(tie_members<count>(object));
  }

  template <std::size_t... I>
  static consteval auto spell(std::index_sequence<I...>) {
    constexpr auto tied = tie_members<count>(Phantom<T>::object);
    auto pieces = split_arguments<count>(spelled_arguments<&referred<I>(tied)...>());
    for (std::string_view& piece : pieces) piece = last_name(piece);
    return pieces;
  }
  static constexpr std::array<std::string_view, count> names =
      spell(std::make_index_sequence<count>{});
};

// ---- Members listed by hand

template <auto Listed>
struct Listing {
  static constexpr auto pointer = Listed;
  static constexpr std::string_view name = last_name(spelled_arguments<Listed>());
};
template <auto Member, FixedString Name>
struct NamedListing {
  static constexpr auto pointer = Member;
  static constexpr std::string_view name = Name.view();
};
template <auto Member, FixedString Name>
constexpr auto listing_of(StoredAs<Member, Name>) {
  return NamedListing<Member, Name>{};
}
template <auto Listed>
constexpr auto listing() {
  if constexpr (std::is_member_object_pointer_v<decltype(Listed)>) {
    return Listing<Listed>{};
  } else {
    return listing_of(Listed);
  }
}

template <typename T, typename List>
struct ListedMembers;

template <typename T, auto... Listed>
struct ListedMembers<T, MemberList<Listed...>> {
  static constexpr std::size_t count = sizeof...(Listed);
  using Listings = std::tuple<decltype(listing<Listed>())...>;

  template <std::size_t I>
  static constexpr auto& get(T& object) {
    return object.*std::tuple_element_t<I, Listings>::pointer;
  }
  template <std::size_t I>
  using Type = std::remove_reference_t<decltype(get<I>(std::declval<T&>()))>;

  static constexpr std::array<std::string_view, count> names{decltype(listing<Listed>())::name...};
};

template <typename T>
constexpr auto members_of() {
  using List = std::remove_cvref_t<decltype(members<T>)>;
  if constexpr (std::is_same_v<List, ReflectedByTheCompiler>) {
    return std::type_identity<ReflectedMembers<T>>{};
  } else {
    return std::type_identity<ListedMembers<T, List>>{};
  }
}

}  // namespace detail

// count, names, Type<I> and get<I>(object) of the members of T.
template <typename T>
using Members = typename decltype(detail::members_of<T>())::type;

namespace detail {

template <typename T, typename M>
T class_of(M T::*);

template <auto Member, typename T, auto... Listed>
constexpr std::string_view listed_name(ListedMembers<T, MemberList<Listed...>>) {
  std::string_view found;
  const auto look = [&](auto listed) {
    if constexpr (std::is_same_v<std::remove_cv_t<decltype(listed.pointer)>,
                                 std::remove_cv_t<decltype(Member)>>) {
      if (listed.pointer == Member) found = listed.name;
    }
  };
  (look(listing<Listed>()), ...);
  return found;
}

template <auto Member>
constexpr std::string_view attribute_of() {
  using T = decltype(class_of(Member));
  if constexpr (std::is_same_v<Members<T>, ReflectedMembers<T>>) {
    return last_name(spelled_arguments<Member>());
  } else {
    return listed_name<Member>(Members<T>{});
  }
}

}  // namespace detail

// The attribute in which a member is stored: attribute_name<&Dinosaur::weight> == "weight".
template <auto Member>
inline constexpr std::string_view attribute_name = detail::attribute_of<Member>();

// ---- Enumerators

template <typename E>
struct EnumName {
  E value;
  std::string_view name;
};

// Specialise with an array of EnumName<E> for enumerators beyond 0…31 or other names.
template <typename E>
inline constexpr auto enum_names = ReflectedByTheCompiler{};

namespace detail {

template <typename E>
struct Enumerators {
  static constexpr std::size_t kReflected = 32;

  template <std::size_t... I>
  static consteval auto reflect(std::index_sequence<I...>) {
    auto pieces = split_arguments<kReflected>(spelled_arguments<static_cast<E>(I)...>());
    for (std::string_view& piece : pieces) {
      const bool named = !piece.empty() && piece[0] != '(' && !(piece[0] >= '0' && piece[0] <= '9');
      piece = named ? last_name(piece) : std::string_view();
    }
    return pieces;
  }

  static constexpr std::string_view name(E value) {
    if constexpr (is_reflected) {
      const auto index = static_cast<std::size_t>(value);
      return index < kReflected ? reflected[index] : std::string_view();
    } else {
      for (const EnumName<E>& each : enum_names<E>) {
        if (each.value == value) return each.name;
      }
      return {};
    }
  }
  static constexpr bool find(std::string_view name, E& value) {
    if constexpr (is_reflected) {
      for (std::size_t i = 0; i < kReflected; ++i) {
        if (!name.empty() && reflected[i] == name) return value = static_cast<E>(i), true;
      }
    } else {
      for (const EnumName<E>& each : enum_names<E>) {
        if (each.name == name) return value = each.value, true;
      }
    }
    return false;
  }

  static constexpr bool is_reflected =
      std::is_same_v<std::remove_cvref_t<decltype(enum_names<E>)>, ReflectedByTheCompiler>;
  static constexpr auto reflected = [] {
    if constexpr (is_reflected) {
      return reflect(std::make_index_sequence<kReflected>{});
    } else {
      return std::array<std::string_view, 1>{};
    }
  }();
};

}  // namespace detail
}  // namespace partita::model
