// What define_entity is made of: parts bound to the members of a struct.
#pragma once

#include <cstddef>
#include <string_view>
#include <type_traits>

#include "partita/model/entity_parts.h"
#include "partita/model/entity_plan.h"
#include "partita/model/member_path.h"

namespace partita::model::detail {

// "{a}#{b}" and "a+b" of the paths a and b.
template <FixedString... Paths>
consteval auto joined_template() {
  constexpr std::size_t length = ((Paths.view().size() + 3) + ...) - 1;
  FixedString<length + 1> joined;
  std::size_t at = 0;
  const auto add = [&](std::string_view path) {
    if (at != 0) joined.text[at++] = '#';
    joined.text[at++] = '{';
    for (const char c : path) joined.text[at++] = c;
    joined.text[at++] = '}';
  };
  (add(Paths.view()), ...);
  return joined;
}
template <FixedString... Paths>
struct JoinedLabel {
  static constexpr auto make() {
    FixedString<((Paths.view().size() + 1) + ...)> joined;
    std::size_t at = 0;
    const auto add = [&](std::string_view path) {
      if (at != 0) joined.text[at++] = '+';
      for (const char c : path) joined.text[at++] = c;
    };
    (add(Paths.view()), ...);
    return joined;
  }
  static constexpr auto text = make();
};
template <typename T, FixedString... Paths>
constexpr UniqueKey make_unique_key(Unique<Paths...>) {
  return {JoinedLabel<Paths...>::text.view(), &bound_template<T, joined_template<Paths...>()>};
}
template <typename T, FixedString Template>
constexpr const KeyTemplate* optional_template() {
  if constexpr (Template.empty()) {
    return nullptr;
  } else {
    return &bound_template<T, Template>;
  }
}

// Every member of the template is a member of the primary key: it never changes.
constexpr bool is_fixed_by(const KeyTemplate& key, const AccessPattern& primary) {
  for (std::size_t i = 0; i < key.count; ++i) {
    bool found = false;
    for (const KeyParts* parts : {&primary.partition, &primary.sort}) {
      for (std::size_t j = 0; parts->count != 0 && j < parts->all[0].key->count; ++j) {
        found |= parts->all[0].key->pieces[j].path == key.pieces[i].path;
      }
    }
    if (!found) return false;
  }
  return true;
}
template <typename T, FixedString Template>
constexpr bool is_template_fixed_by(const AccessPattern& primary) {
  if constexpr (Template.empty()) {
    return true;
  } else {
    return is_fixed_by(bound_template<T, Template>, primary);
  }
}

template <typename T, std::size_t I, bool Epoch>
void encode_member(const void* object, std::string_view name, ItemSink& sink) {
  const auto& member = Members<T>::template get<I>(*static_cast<T*>(const_cast<void*>(object)));
  if (is_absent(member)) return;
  sink.name(name);
  if constexpr (Epoch) {
    encode_epoch(member, sink);
  } else {
    encode(member, sink);
  }
}
template <typename T, std::size_t I, bool Epoch>
bool decode_member(void* object, ValueView value) {
  auto& member = Members<T>::template get<I>(*static_cast<T*>(object));
  if constexpr (Epoch) {
    return decode_epoch(value, member);
  } else {
    return decode(value, member);
  }
}

// Whether the member is one of some values.
template <typename T, FixedString Path, auto... Values>
KeyInput is_one_of(const void* object) {
  const auto* const member = find_member<Path>(*static_cast<const T*>(object));
  const bool found = member != nullptr && ((*member == Values) || ...);
  return {.kind = KeyInput::Kind::Integer, .number = found ? 1 : 0};
}

template <typename T, FixedString Path, auto... Values>
constexpr void bind_when(AccessPattern& pattern, When<Path, Values...>) {
  static_assert(path_exists<T, Path>(), "when<…> names a member that the entity does not have");
  pattern.when_path = Path.view();
  if constexpr (!path_exists<T, Path>()) {
    return;
  } else if constexpr (sizeof...(Values) == 0) {
    pattern.when = &key_input_at<T, Path>;
  } else {
    constexpr bool comparable =
        (std::is_convertible_v<decltype(Values), unwrapped<PathType<T, Path>>> && ...);
    static_assert(comparable, "when<…> compares a member with a value of another type");
    if constexpr (comparable) pattern.when = &is_one_of<T, Path, Values...>;
  }
}
template <typename T>
constexpr void bind_when(AccessPattern& pattern, ReadOnly) {
  pattern.read_only = true;
}
template <typename T, FixedString N, FixedString TI, FixedString P, FixedString S, auto... Options>
constexpr void bind_options(AccessPattern& pattern, Index<N, TI, P, S, Options...>) {
  (bind_when<T>(pattern, Options), ...);
}

template <typename... Parts>
struct PartList {
  template <Role R>
  static constexpr std::size_t count = ((role_of<Parts>() == R ? 1 : 0) + ... + 0);

  // Calls with each part of this role.
  template <Role R, typename Visit>
  static constexpr void each([[maybe_unused]] Visit visit) {
    if constexpr (count<R> != 0) {  // most roles have no part: nothing to compile
      const auto look = [&]<typename Part>(std::type_identity<Part> part) {
        if constexpr (role_of<Part>() == R) visit(part);
      };
      (look(std::type_identity<Parts>{}), ...);
    }
  }
};

template <Role R>
constexpr void first_of() {}
template <Role R, typename First, typename... Rest>
constexpr auto first_of() {
  if constexpr (role_of<First>() == R) {
    return std::type_identity<First>{};
  } else {
    static_assert(sizeof...(Rest) > 0);
    return first_of<R, Rest...>();
  }
}

}  // namespace partita::model::detail
