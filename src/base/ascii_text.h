// Text of protocols, where only ASCII letters have case and only spaces and tabs are blanks.
#pragma once

#include <string>
#include <string_view>

namespace partita {

constexpr char in_lower_case(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c;
}

inline std::string in_lower_case(std::string_view text) {
  std::string folded(text);
  for (char& c : folded) c = in_lower_case(c);
  return folded;
}

// Of any case, `text` is `lower`, which is in lower case.
constexpr bool equals_ignoring_case(std::string_view text, std::string_view lower) {
  if (text.size() != lower.size()) return false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (in_lower_case(text[i]) != lower[i]) return false;
  }
  return true;
}

inline std::string quoted(std::string_view text) { return "'" + std::string(text) + "'"; }

// Without the blanks at both ends.
constexpr std::string_view trimmed(std::string_view text, std::string_view blanks = " \t") {
  const std::size_t start = text.find_first_not_of(blanks);
  if (start == std::string_view::npos) return {};
  return text.substr(start, text.find_last_not_of(blanks) + 1 - start);
}

}  // namespace partita
