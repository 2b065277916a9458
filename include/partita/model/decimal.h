// Decimal: an exact number of up to 38 digits, as DynamoDB keeps it.
//
//   auto price = Decimal::parse("19.99");   // Result<Decimal>
//   Decimal total = Decimal(3);
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <string>
#include <string_view>

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

}  // namespace partita::model
