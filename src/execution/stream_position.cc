#include "execution/stream_position.h"

#include <algorithm>
#include <charconv>
#include <cstdio>

namespace partita {
namespace {

constexpr std::size_t kVersionDigits = 19, kOrdinalDigits = 5;
constexpr std::size_t kDigits = 1 + kVersionDigits + 1 + kOrdinalDigits;
constexpr std::uint32_t kOrdinalMax = 99999;

template <typename Number>
Number digits(std::string_view text) {
  Number number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

}  // namespace

std::string sequence_number(StreamPosition position) {
  char text[64];
  std::snprintf(text, sizeof text, "1%019llu%u%05u",
                static_cast<unsigned long long>(position.version),
                static_cast<unsigned>(position.lane), std::min(position.ordinal, kOrdinalMax));
  return text;
}

std::optional<StreamPosition> position_of(std::string_view sequence_number) {
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  if (sequence_number.size() != kDigits || sequence_number[0] != '1' ||
      !std::all_of(sequence_number.begin(), sequence_number.end(), is_digit)) {
    return std::nullopt;
  }
  StreamPosition position;
  position.version = digits<Version>(sequence_number.substr(1, kVersionDigits));
  position.lane = static_cast<Lane>(sequence_number[1 + kVersionDigits] - '0');
  position.ordinal = digits<std::uint32_t>(sequence_number.substr(2 + kVersionDigits));
  return position;
}

}  // namespace partita
