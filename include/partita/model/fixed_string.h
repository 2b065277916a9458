// FixedString: a string literal as a template argument, indexed<"by_diet", "GSI1", …>.
#pragma once

#include <cstddef>
#include <string_view>

namespace partita::model {

template <std::size_t N>
struct FixedString {
  char text[N] = {};

  constexpr FixedString() = default;
  consteval FixedString(const char (&literal)[N]) {  // NOLINT: a literal is one
    for (std::size_t i = 0; i < N; ++i) text[i] = literal[i];
  }
  constexpr std::string_view view() const { return {text, N - 1}; }
  constexpr bool empty() const { return N == 1; }
};

// The part of S that starts at Begin, as a template argument of its own.
template <FixedString S, std::size_t Begin, std::size_t Length>
consteval auto substring() {
  FixedString<Length + 1> part;
  for (std::size_t i = 0; i < Length; ++i) part.text[i] = S.text[Begin + i];
  return part;
}

// What text.find(wanted, start) is. That compares the address of the text with null, which g++
// under -fsanitize=undefined does not do at compile time when the text is a template argument.
constexpr std::size_t find_character(std::string_view text, char wanted, std::size_t start = 0) {
  for (std::size_t i = start; i < text.size(); ++i) {
    if (text[i] == wanted) return i;
  }
  return std::string_view::npos;
}

}  // namespace partita::model
