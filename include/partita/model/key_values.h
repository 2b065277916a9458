// The values a caller passes for a key: how many there are, of which types, and in which order.
#pragma once

#include <array>
#include <string_view>
#include <tuple>
#include <type_traits>

#include "partita/model/entity_plan.h"
#include "partita/model/member_path.h"

namespace partita::model::detail {

inline constexpr std::uint8_t kScattered = 0xFF;

// The members that templates name, each once, in their order.
struct InputNames {
  std::array<std::string_view, 2 * kKeyPiecesMax> paths{};
  std::uint8_t count = 0;
  std::array<std::uint8_t, 2 * kKeyPiecesMax> of_piece{};  // or kScattered
  std::uint8_t pieces = 0;

  constexpr void add(const KeyParts& parts, bool scatter) {
    for (std::size_t p = 0; p < parts.count; ++p) {
      const KeyTemplate& key = *parts.all[p].key;
      for (std::size_t i = 0; i < key.count; ++i) {
        of_piece[pieces++] =
            scatter && key.pieces[i].buckets != 0 ? kScattered : index_of(key.pieces[i].path);
      }
    }
  }
  constexpr std::uint8_t index_of(std::string_view path) {
    for (std::uint8_t i = 0; i < count; ++i) {
      if (paths[i] == path) return i;
    }
    paths[count] = path;
    return count++;
  }
};

// Of the primary key: what get, update and remove are called with.
template <typename Entity>
constexpr InputNames primary_inputs() {
  InputNames names;
  names.add(Entity::plan.primary().partition, false);
  names.add(Entity::plan.primary().sort, false);
  return names;
}
// Of a partition key: what a query is called with. Buckets are not given: all are asked.
template <typename Entity, std::size_t Pattern>
constexpr InputNames partition_inputs() {
  InputNames names;
  names.add(Entity::patterns[Pattern].partition, true);
  return names;
}
template <typename Entity, std::size_t Pattern>
constexpr InputNames sort_inputs() {
  InputNames names;
  names.add(Entity::patterns[Pattern].sort, false);
  return names;
}

template <typename Entity>
inline constexpr InputNames primary_inputs_of = primary_inputs<Entity>();
template <typename Entity, std::size_t Pattern>
inline constexpr InputNames partition_inputs_of = partition_inputs<Entity, Pattern>();
template <typename Entity, std::size_t Pattern>
inline constexpr InputNames sort_inputs_of = sort_inputs<Entity, Pattern>();

template <const InputNames& Names, std::size_t J>
consteval auto input_path() {
  constexpr std::string_view path = Names.paths[J];
  FixedString<path.size() + 1> fixed;
  for (std::size_t i = 0; i < path.size(); ++i) fixed.text[i] = path[i];
  return fixed;
}

template <typename Member, typename Argument>
constexpr bool fits_key() {
  if constexpr (Text<Member>) return std::is_convertible_v<Argument, std::string_view>;
  if constexpr (Integer<Member>) return Integer<std::remove_cvref_t<Argument>>;
  return std::is_convertible_v<Argument, Member>;
}

template <typename T, const InputNames& Names, std::size_t J, typename Argument>
KeyInput argument_input(const Argument& argument) {
  using Member = unwrapped<PathType<T, input_path<Names, J>()>>;
  static_assert(fits_key<Member, Argument>(),
                "a value for a key has another type than its member; values are passed in the "
                "order in which the key templates name the members");
  if constexpr (!fits_key<Member, Argument>()) {
    return {};
  } else if constexpr (Text<Member>) {
    return {.kind = KeyInput::Kind::Text, .text = std::string_view(argument)};
  } else if constexpr (Integer<Member>) {
    return key_input(argument);
  } else {
    return key_input(static_cast<Member>(argument));
  }
}

// Inputs in the order of the pieces.
struct GatheredInputs {
  std::array<KeyInput, 2 * kKeyPiecesMax> all{};
};

template <typename T, const InputNames& Names, typename... Arguments>
GatheredInputs gather(const Arguments&... arguments) {
  GatheredInputs gathered;
  std::array<KeyInput, sizeof...(Arguments) + 1> given{};
  [&]<std::size_t... J>(std::index_sequence<J...>) {
    ((given[J] = argument_input<T, Names, J>(arguments)), ...);
  }
  (std::make_index_sequence<sizeof...(Arguments)>{});
  for (std::size_t i = 0; i < Names.pieces; ++i) {
    const std::uint8_t from = Names.of_piece[i];
    if (from < sizeof...(Arguments)) gathered.all[i] = given[from];
  }
  return gathered;
}

// The same out of an object.
template <const InputNames& Names>
GatheredInputs gather_from(const void* object, const KeyParts& first, const KeyParts* second) {
  GatheredInputs gathered;
  std::size_t next = 0;
  const auto add = [&](const KeyParts& parts) {
    for (std::size_t p = 0; p < parts.count; ++p) {
      for (std::size_t i = 0; i < parts.all[p].key->count; ++i, ++next) {
        if (Names.of_piece[next] != kScattered) {
          gathered.all[next] = parts.all[p].key->pieces[i].input(object);
        }
      }
    }
  };
  add(first);
  if (second != nullptr) add(*second);
  return gathered;
}

}  // namespace partita::model::detail
