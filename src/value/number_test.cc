#include "value/number.h"

#include <algorithm>
#include <array>
#include <limits>
#include <random>

#include <gtest/gtest.h>

namespace partita {
namespace {

using namespace std::string_literals;

std::string bytes_of(std::string_view text) {
  const Result<OrderedNumber> number = parse_number(text);
  return number ? std::string(number->bytes()) : "error: " + number.error().message();
}

std::string printed(Bytes ordered) {
  std::string out;
  print_number(ordered, out);
  return out;
}

std::string normalized(std::string_view text) {
  const Result<OrderedNumber> number = parse_number(text);
  return number ? printed(number->bytes()) : "error: " + number.error().message();
}

std::string error_of(std::string_view text) {
  const Result<OrderedNumber> number = parse_number(text);
  return number ? "none" : number.error().message();
}

std::string sum(std::string_view left, std::string_view right) {
  const auto total = add_numbers(bytes_of(left), bytes_of(right));
  return total ? printed(total->bytes()) : total.error().message();
}

std::string difference(std::string_view left, std::string_view right) {
  const auto rest = subtract_numbers(bytes_of(left), bytes_of(right));
  return rest ? printed(rest->bytes()) : rest.error().message();
}

constexpr const char* kOverflow =
    "Number overflow. Attempting to store a number with magnitude larger than supported range";
constexpr const char* kUnderflow =
    "Number underflow. Attempting to store a number with magnitude smaller than supported range";
constexpr const char* kTooPrecise =
    "Attempting to store more than 38 significant digits in a Number";

TEST(Number, has_these_bytes) {
  EXPECT_EQ(bytes_of("0"), "\x12");
  EXPECT_EQ(bytes_of("1"), "\x13\x82\x0B\0"s);
  EXPECT_EQ(bytes_of("42"), "\x13\x83\x2B\0"s);
  EXPECT_EQ(bytes_of("-42"), "\x11\x7C\xD4\xFF");
  EXPECT_EQ(bytes_of("123.4"), "\x13\x84\x0D\x23\0"s);
  EXPECT_EQ(bytes_of("1E-130"), "\x13\0\x0B\0"s);
  EXPECT_EQ(bytes_of("9.9E125"), "\x13\xFF\x64\0"s);
  EXPECT_EQ(bytes_of("-9.9E125"), "\x11\0\x9B\xFF"s);
  EXPECT_EQ(
      bytes_of("12345678901234567890123456789012345678"),
      "\x13\xA7\x0D\x23\x39\x4F\x5B\x0D\x23\x39\x4F\x5B\x0D\x23\x39\x4F\x5B\x0D\x23\x39\x4F\0"s);
}

TEST(Number, prints_as_plain_decimal) {
  const std::pair<const char*, std::string> cases[] = {
      {"0", "0"},
      {"-0", "0"},
      {"+0.00", "0"},
      {"0e5", "0"},
      {"0e-5", "0"},
      {"007", "7"},
      {"+3", "3"},
      {"1.0", "1"},
      {"1.10", "1.1"},
      {"100.000", "100"},
      {"1e3", "1000"},
      {"1E+3", "1000"},
      {"-3e2", "-300"},
      {"1.23e4", "12300"},
      {"1e-3", "0.001"},
      {"123e-2", "1.23"},
      {"1.0e-1", "0.1"},
      {".5", "0.5"},
      {"-.5", "-0.5"},
      {"5.", "5"},
      {"0001.23", "1.23"},
      {"-273.15", "-273.15"},
      {"1e125", "1" + std::string(125, '0')},
      {"-1e-130", "-0." + std::string(129, '0') + "1"},
      {"9.9999999999999999999999999999999999999E+125", std::string(38, '9') + std::string(88, '0')},
      {"-1.2345678901234567890123456789012345678E-93",
       "-0." + std::string(92, '0') + "12345678901234567890123456789012345678"},
  };
  for (const auto& [text, expected] : cases) EXPECT_EQ(normalized(text), expected) << text;
}

TEST(Number, leading_and_trailing_zeros_are_not_significant) {
  const std::string digits = "12345678901234567890123456789012345678";
  EXPECT_EQ(normalized(std::string(1000, '0') + digits), digits);
  EXPECT_EQ(normalized(digits + "." + std::string(1000, '0')), digits);
  EXPECT_EQ(normalized(digits + std::string(88, '0')), digits + std::string(88, '0'));
  EXPECT_EQ(normalized("0." + std::string(92, '0') + digits), "0." + std::string(92, '0') + digits);
}

TEST(Number, refuses_what_is_no_number) {
  for (const char* text :
       {"abc",   "NaN",  "Infinity", "-Infinity", "1a",  "a1",   " 1",  "1 ",  "1 2",
        "-",     "+",    ".",        "-.",        "e5",  ".e5",  "1e",  "1e+", "1e5.",
        "1e5e5", "1..2", "1.2.3",    "--1",       "+-1", "0x10", "1,5", "1_0", "\xD9\xA1"}) {
    EXPECT_EQ(error_of(text),
              "The parameter cannot be converted to a numeric value: " + std::string(text));
  }
  EXPECT_EQ(error_of(""), "The parameter cannot be converted to a numeric value");
  EXPECT_EQ(error_of(std::string_view("1\0", 2)),
            "The parameter cannot be converted to a numeric value: 1\0"s);
}

TEST(Number, refuses_magnitudes_out_of_range_before_it_counts_digits) {
  for (const char* text :
       {"1e126", "-1e126", "11e125", "1.0e100000000", "1e99999999999999999999999"}) {
    EXPECT_EQ(error_of(text), kOverflow) << text;
  }
  for (const char* text : {"1e-131", "-1e-131", "0.9e-130", "1e-99999999999999999999999"}) {
    EXPECT_EQ(error_of(text), kUnderflow) << text;
  }
  EXPECT_EQ(error_of("123456789012345678901234567890123456789e100"), kOverflow);
  EXPECT_EQ(error_of("1" + std::string(126, '0')), kOverflow);
  EXPECT_EQ(error_of("0." + std::string(130, '0') + "1"), kUnderflow);
}

TEST(Number, refuses_a_39th_significant_digit) {
  for (const char* text :
       {"123456789012345678901234567890123456789", "-1.23456789012345678901234567890123456789",
        "314159265358979323846264338327950288419e30", "100000000000000000000000000000000000001",
        "0.100000000000000000000000000000000000001"}) {
    EXPECT_EQ(error_of(text), kTooPrecise) << text;
  }
}

// DynamoDB takes 0.0e126 and refuses 0e126 (ScyllaDB's test_number_magnitude_not_allowed_zero).
TEST(Number, judges_zeros_by_the_exponent_of_their_last_digit) {
  EXPECT_EQ(normalized("0e125"), "0");
  EXPECT_EQ(normalized("0.0e126"), "0");
  EXPECT_EQ(error_of("0e126"), kOverflow);
  EXPECT_EQ(normalized("0e-130"), "0");
  EXPECT_EQ(error_of("0e-131"), kUnderflow);
}

TEST(Number, from_an_integer_is_the_number_its_digits_spell) {
  for (const std::int64_t value :
       {std::int64_t{0}, std::int64_t{1}, std::int64_t{-1}, std::int64_t{10}, std::int64_t{-1000},
        std::int64_t{99}, std::int64_t{100}, std::int64_t{101},
        std::numeric_limits<std::int64_t>::max(), std::numeric_limits<std::int64_t>::min()}) {
    EXPECT_EQ(std::string(number_from(value).bytes()), bytes_of(std::to_string(value)));
  }
}

TEST(Number, sums_are_exact) {
  EXPECT_EQ(sum("1", "2"), "3");
  EXPECT_EQ(sum("0.1", "0.2"), "0.3");
  EXPECT_EQ(sum("999", "1"), "1000");
  EXPECT_EQ(sum("5", "-7"), "-2");
  EXPECT_EQ(sum("-3", "3"), "0");
  EXPECT_EQ(sum("0", "-0.001"), "-0.001");
  EXPECT_EQ(sum("-0.001", "0"), "-0.001");
  EXPECT_EQ(sum("1", "10000000000000000000000"), "10000000000000000000001");
  EXPECT_EQ(sum("9e125", "9e124"), "99" + std::string(124, '0'));
  EXPECT_EQ(difference("10000000000000000000000", "1"), "9999999999999999999999");
  EXPECT_EQ(difference("0", "5"), "-5");
  EXPECT_EQ(difference("0", "0"), "0");
  EXPECT_EQ(difference("1e-130", "1e-130"), "0");
}

// An imprecise sum is an overflow in DynamoDB's words (ScyllaDB's
// test_update_expression_plus_imprecise).
TEST(Number, sums_that_cannot_be_kept_are_errors) {
  EXPECT_EQ(sum("9e125", "9e125"), kOverflow);
  EXPECT_EQ(sum("-9e125", "-1e125"), kOverflow);
  EXPECT_EQ(difference("9e125", "-9e125"), kOverflow);
  EXPECT_EQ(sum("1e50", "1"), kOverflow);
  EXPECT_EQ(difference("1e50", "1"), kOverflow);
  EXPECT_EQ(sum("1e125", "1e-130"), kOverflow);
  EXPECT_EQ(difference("1.1e-130", "1e-130"), kUnderflow);
}

TEST(Number, costs_this_many_bytes_of_item_size) {
  const std::pair<const char*, std::size_t> cases[] = {
      {"0", 1},
      {"42", 2},
      {"-42", 3},
      {"0.0000001", 2},
      {"1E125", 2},
      {"123", 3},
      {"1.5", 3},
      {"12.34", 3},
      {"123.456", 5},
      {"-1.5", 4},
      {"100", 2},
      {"0.001", 2},
      {"12345678901234567890123456789012345678", 20},
  };
  for (const auto& [text, size] : cases) EXPECT_EQ(number_size_bytes(bytes_of(text)), size) << text;
}

TEST(Number, length_is_found_in_front_of_other_bytes) {
  for (const char* text : {"0", "1", "-1", "123.456", "-12345678901234567890123456789012345678"}) {
    const std::string bytes = bytes_of(text);
    for (const char* rest : {"", "\x12", "\xFF", "x"}) {
      EXPECT_EQ(ordered_number_length(bytes + rest), bytes.size()) << text;
    }
    EXPECT_EQ(ordered_number_length(Bytes(bytes).substr(0, bytes.size() - 1)), 0u) << text;
  }
}

TEST(Number, bytes_that_are_not_canonical_have_no_length) {
  for (const std::string& bytes :
       {""s, "\x10"s, "\x14"s, "\x13"s, "\x13\x82"s, "\x13\x82\0"s, "\x13\x82\x0A\0"s,
        "\x13\x82\x0B\x01\0"s, "\x13\x82\x65\0"s, "\x13\x82\x0B\x65\0"s, "\x11\x7D\xFF"s,
        "\x11\x7D\xF5\xFF"s, "\x11\x7D\xF4\xFE\xFF"s, "\x11\x7D\x9A\xFF"s,
        "\x13\x82" + std::string(20, '\x0B') + '\0'}) {
    EXPECT_EQ(ordered_number_length(bytes), 0u);
  }
}

// ---- Against a reference: 300 decimal digits around the point, added by hand.

class FixedPoint {
 public:
  static constexpr int kScale = 170;  // digits behind the point
  FixedPoint(bool negative, const std::string& digits, int exponent) : negative_(negative) {
    for (std::size_t i = 0; i < digits.size(); ++i) {
      at(exponent - 1 - static_cast<int>(i)) = digits[i] - '0';
    }
  }
  int& at(int power) { return digits_[static_cast<std::size_t>(power + kScale)]; }

  int compare_magnitude(const FixedPoint& other) const {
    for (std::size_t i = digits_.size(); i-- > 0;) {
      if (digits_[i] != other.digits_[i]) return digits_[i] < other.digits_[i] ? -1 : 1;
    }
    return 0;
  }
  bool is_zero() const {
    return std::all_of(digits_.begin(), digits_.end(), [](int digit) { return digit == 0; });
  }
  int compare(const FixedPoint& other) const {
    const int left = is_zero() ? 0 : negative_ ? -1 : 1;
    const int right = other.is_zero() ? 0 : other.negative_ ? -1 : 1;
    if (left != right) return left < right ? -1 : 1;
    return left * compare_magnitude(other);
  }
  FixedPoint plus(const FixedPoint& other) const {
    if (negative_ != other.negative_ && compare_magnitude(other) < 0) return other.plus(*this);
    FixedPoint result = *this;
    const int sign = negative_ == other.negative_ ? 1 : -1;
    int carry = 0;
    for (std::size_t i = 0; i < digits_.size(); ++i) {
      const int digit = digits_[i] + sign * other.digits_[i] + carry;
      carry = digit > 9 ? 1 : digit < 0 ? -1 : 0;
      result.digits_[i] = digit - 10 * carry;
    }
    return result;
  }
  FixedPoint negated() const {
    FixedPoint result = *this;
    result.negative_ = !negative_;
    return result;
  }
  // What a correct answer looks like: the number, or the error there must be.
  std::string text() const {
    if (is_zero()) return "0";
    int high = kDigits - 1, low = 0;
    while (digits_[static_cast<std::size_t>(high)] == 0) --high;
    while (digits_[static_cast<std::size_t>(low)] == 0) ++low;
    if (high - kScale > 125) return kOverflow;
    if (high - kScale < -130) return kUnderflow;
    if (high - low >= 38) return kOverflow;
    std::string out = negative_ ? "-" : "";
    for (int i = std::max(high, kScale); i >= std::min(low, kScale); --i) {
      if (i == kScale - 1) out += '.';
      out += static_cast<char>('0' + digits_[static_cast<std::size_t>(i)]);
    }
    return out;
  }

 private:
  static constexpr int kDigits = 300;
  bool negative_;
  std::array<int, kDigits> digits_{};
};

struct Sample {
  FixedPoint reference;
  std::string ordered;
};

Sample random_sample(std::mt19937& random) {
  const auto below = [&](int bound) {
    return std::uniform_int_distribution<int>(0, bound - 1)(random);
  };
  std::string digits;
  const int count = below(3) == 0 ? 1 + below(38) : 1 + below(5);
  for (int i = 0; i < count; ++i)
    digits += static_cast<char>('0' + (below(3) == 0 ? 0 : below(10)));
  const int exponent = below(4) == 0 ? below(256) - 129 : below(9) - 4;
  const bool negative = below(2) == 0;
  // 0.digits * 10^exponent, with the point in a random place of the text.
  const int shift = below(count + 1);
  std::string text = negative ? "-" : "";
  text += digits.substr(0, static_cast<std::size_t>(shift)) + "." +
          digits.substr(static_cast<std::size_t>(shift)) + "e" + std::to_string(exponent - shift);
  const Result<OrderedNumber> number = parse_number(text);
  if (!number) return random_sample(random);  // leading zeros made it too small
  return {FixedPoint(negative, digits, exponent), std::string(number->bytes())};
}

TEST(Number, agrees_with_fixed_point_arithmetic) {
  const unsigned seed = std::random_device{}();
  SCOPED_TRACE(seed);
  std::mt19937 random(seed);
  for (int round = 0; round < 20'000; ++round) {
    const Sample left = random_sample(random), right = random_sample(random);
    ASSERT_EQ(printed(left.ordered), left.reference.text());
    ASSERT_EQ(ordered_number_length(left.ordered), left.ordered.size());
    ASSERT_EQ(normalized(printed(left.ordered)), printed(left.ordered));
    const int order = left.ordered.compare(right.ordered);
    ASSERT_EQ(order < 0   ? -1
              : order > 0 ? 1
                          : 0,
              left.reference.compare(right.reference))
        << left.reference.text() << ' ' << right.reference.text();
    const auto total = add_numbers(left.ordered, right.ordered);
    ASSERT_EQ(total ? printed(total->bytes()) : total.error().message(),
              left.reference.plus(right.reference).text())
        << left.reference.text() << ' ' << right.reference.text();
    const auto rest = subtract_numbers(left.ordered, right.ordered);
    ASSERT_EQ(rest ? printed(rest->bytes()) : rest.error().message(),
              left.reference.plus(right.reference.negated()).text())
        << left.reference.text() << ' ' << right.reference.text();
  }
}

}  // namespace
}  // namespace partita
