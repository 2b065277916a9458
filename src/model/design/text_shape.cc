#include "model/design/text_shape.h"

#include <algorithm>

namespace partita::model {
namespace {

bool digit(char c) { return c >= '0' && c <= '9'; }
bool letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool hexadecimal(char c) { return digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }

// '9' stands for a digit, 'h' for a hexadecimal one; anything else for itself.
bool starts_like(std::string_view text, std::string_view picture) {
  if (text.size() < picture.size()) return false;
  for (std::size_t i = 0; i < picture.size(); ++i) {
    const char wanted = picture[i];
    const bool fits = wanted == '9'   ? digit(text[i])
                      : wanted == 'h' ? hexadecimal(text[i])
                                      : text[i] == wanted;
    if (!fits) return false;
  }
  return true;
}
bool looks_like(std::string_view text, std::string_view picture) {
  return text.size() == picture.size() && starts_like(text, picture);
}

// Takes one or two digits from the front.
bool take_day_or_month(std::string_view& text) {
  std::size_t digits = 0;
  while (digits < text.size() && digit(text[digits])) ++digits;
  if (digits == 0 || digits > 2) return false;
  text.remove_prefix(digits);
  return true;
}

}  // namespace

bool is_digits(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), digit);
}

bool starts_with_iso_date(std::string_view text) { return starts_like(text, "9999-99-99"); }

bool is_moment(std::string_view text) {
  if (starts_like(text, "9999-99-99T99:99")) return true;
  constexpr std::string_view this_century[] = {"1", "2", "3"};
  return is_digits(text) && (text.size() == 10 || text.size() == 13) &&
         std::any_of(std::begin(this_century), std::end(this_century),
                     [&](std::string_view first) { return text.starts_with(first); });
}

bool is_unsortable_date(std::string_view text) {
  if (text.size() > 3 && letter(text[0]) && letter(text[1]) && letter(text[2])) {
    constexpr std::string_view months[] = {"jan", "feb", "mar", "apr", "may", "jun",
                                           "jul", "aug", "sep", "oct", "nov", "dec"};
    const char start[] = {static_cast<char>(text[0] | 0x20), static_cast<char>(text[1] | 0x20),
                          static_cast<char>(text[2] | 0x20)};
    const bool month = std::find(std::begin(months), std::end(months),
                                 std::string_view(start, 3)) != std::end(months);
    const std::size_t space = text.find(' ');
    return month && space != std::string_view::npos && space + 1 < text.size() &&
           digit(text[space + 1]);
  }
  std::string_view rest = text;
  if (!take_day_or_month(rest) || rest.empty()) return false;
  const char separator = rest[0];
  if (separator != '/' && separator != '.' && separator != '-') return false;
  rest.remove_prefix(1);
  if (!take_day_or_month(rest) || rest.empty() || rest[0] != separator) return false;
  rest.remove_prefix(1);
  return starts_like(rest, "9999") || looks_like(rest, "99");
}

std::optional<std::string_view> version_digits(std::string_view text) {
  if (text.size() < 2 || (text[0] != 'v' && text[0] != 'V') || !digit(text[1])) return {};
  std::size_t end = 1;
  while (end < text.size() && digit(text[end])) ++end;
  if (end < text.size() && text[end] != '.' && text[end] != '#' && text[end] != '-') return {};
  return text.substr(1, end - 1);
}

bool is_random(std::string_view text) {
  if (text.size() >= 8 && starts_like(text, "0.999999")) return true;
  if (looks_like(text, "hhhhhhhh-hhhh-4hhh-hhhh-hhhhhhhhhhhh")) return true;
  const bool all_hexadecimal = std::all_of(text.begin(), text.end(), hexadecimal);
  return text.size() >= 16 && all_hexadecimal && !is_digits(text);
}

}  // namespace partita::model
