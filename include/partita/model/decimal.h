// Decimal: an exact number of up to 38 digits, as DynamoDB keeps it.
//
//   const Decimal price = "19.99"_decimal;         // what is no number does not compile
//   auto given = Decimal::parse(text);             // Result<Decimal>
//   auto total = price.times(Decimal(3));          // exact, or an error
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <string>
#include <string_view>

#include "partita/model/fixed_string.h"
#include "partita/result.h"
#include "partita/value.h"

namespace partita::model {

class Decimal {
 public:
  Decimal() : Decimal(0) {}
  explicit Decimal(std::int64_t value);
  static Result<Decimal> parse(std::string_view text);
  static Decimal from_ordered(Bytes ordered);

  std::string to_string() const;
  Bytes ordered() const { return {bytes_.data(), length_}; }

  // Exact, or an error when the result needs more than 38 digits.
  Result<Decimal> plus(const Decimal& other) const;
  Result<Decimal> minus(const Decimal& other) const;
  Result<Decimal> times(const Decimal& other) const;

  friend bool operator==(const Decimal& left, const Decimal& right) {
    return left.ordered() == right.ordered();
  }
  friend std::strong_ordering operator<=>(const Decimal& left, const Decimal& right) {
    return left.ordered().compare(right.ordered()) <=> 0;
  }

 private:
  explicit Decimal(Bytes ordered);

  std::array<char, 22> bytes_{};
  std::uint8_t length_ = 0;
};

namespace detail {

// "-12.50": a sign, digits, a point; at most 38 digits besides zeros in front.
constexpr bool is_decimal(std::string_view text) {
  if (!text.empty() && (text[0] == '-' || text[0] == '+')) text.remove_prefix(1);
  std::size_t digits = 0, points = 0, significant = 0;
  for (const char c : text) {
    if (c == '.') {
      ++points;
    } else if (c >= '0' && c <= '9') {
      ++digits;
      if (significant != 0 || c != '0') ++significant;
    } else {
      return false;
    }
  }
  return digits != 0 && points <= 1 && significant <= 38;
}

}  // namespace detail

template <FixedString Text>
Decimal operator""_decimal() {
  static_assert(detail::is_decimal(Text.view()), "_decimal wants a number of up to 38 digits");
  return Decimal::parse(Text.view()).value();
}

}  // namespace partita::model
