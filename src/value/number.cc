#include "value/number.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace partita {
namespace {

constexpr char kNegative = 0x11, kZero = 0x12, kPositive = 0x13;
constexpr int kExponentMin = -129, kExponentMax = 126;  // of 0.d1d2… * 10^exponent
constexpr int kDigitsMax = 38;
// Digits a sum can have before it is trimmed: 10^126 down to 10^-167, and a carry.
constexpr int kSumDigitsMax = kExponentMax - kExponentMin + kDigitsMax + 2;

// 0.d1d2…dn * 10^exponent, with d1 and dn not 0. Zero has no digits.
struct Decimal {
  bool negative = false;
  int exponent = 0;
  int count = 0;
  char digits[kDigitsMax + 1];  // 0…9; one spare, so that pairs can be read
};

Error overflow() {
  return Error::validation(
      "Number overflow. Attempting to store a number with magnitude larger than supported range");
}
Error underflow() {
  return Error::validation(
      "Number underflow. Attempting to store a number with magnitude smaller than supported range");
}
Error too_precise() {
  return Error::validation("Attempting to store more than 38 significant digits in a Number");
}
Error not_a_number(std::string_view text) {
  std::string message = "The parameter cannot be converted to a numeric value";
  if (!text.empty()) message.append(": ").append(text);
  return Error::validation(std::move(message));
}

// Reads number text front to back: [+-] digits [. digits] [e [+-] digits], with a digit somewhere
// before the e.
class Scanner {
 public:
  explicit Scanner(std::string_view text) : at_(text.data()), end_(at_ + text.size()) {}

  // Reads all of the text; false if it is no number. Leaves decimal.exponent alone.
  bool scan(Decimal& decimal) {
    decimal.negative = take_sign();
    const char* const integer = at_;
    take_digits(decimal);
    std::ptrdiff_t digits = at_ - integer;
    exponent_ = digit_count_;
    if (at_ != end_ && *at_ == '.') {
      const char* const fraction = ++at_;
      leading_zeros_ = 0;
      take_digits(decimal);
      fraction_digits_ = at_ - fraction;
      digits += fraction_digits_;
      if (exponent_ == 0) exponent_ = -leading_zeros_;
    }
    if (digits == 0 || !take_exponent()) return false;

    decimal.count = static_cast<int>(std::min<std::int64_t>(digit_count_, kDigitsMax));
    while (decimal.count != 0 && decimal.digits[decimal.count - 1] == 0) --decimal.count;
    return at_ == end_;
  }

  bool too_precise() const { return too_precise_; }
  // Of a number that is not zero; cut off far beyond what is stored.
  std::int64_t exponent() const { return exponent_ + written_exponent_; }
  // The exponent of the last digit written. DynamoDB judges zeros by it: 0e126 is an overflow, and
  // 0.0e126 is not (ScyllaDB's test_number_magnitude_not_allowed_zero recorded this).
  std::int64_t last_digit_exponent() const { return written_exponent_ - fraction_digits_; }

 private:
  bool take_sign() {
    if (at_ == end_ || (*at_ != '-' && *at_ != '+')) return false;
    return *at_++ == '-';
  }

  void take_digits(Decimal& decimal) {
    for (; at_ != end_; ++at_) {
      const unsigned digit = static_cast<unsigned>(*at_) - '0';
      if (digit > 9) return;
      if (digit_count_ == 0 && digit == 0) {
        ++leading_zeros_;
        continue;
      }
      if (digit_count_ < kDigitsMax) {
        decimal.digits[digit_count_] = static_cast<char>(digit);
      } else {
        too_precise_ |= digit != 0;
      }
      ++digit_count_;
    }
  }

  bool take_exponent() {
    if (at_ == end_ || (*at_ != 'e' && *at_ != 'E')) return true;
    ++at_;
    const bool negative = take_sign();
    const char* const digits = at_;
    for (; at_ != end_ && *at_ >= '0' && *at_ <= '9'; ++at_) {
      written_exponent_ = std::min<std::int64_t>(written_exponent_ * 10 + (*at_ - '0'), 1LL << 40);
    }
    if (negative) written_exponent_ = -written_exponent_;
    return at_ != digits;
  }

  const char* at_;
  const char* end_;
  bool too_precise_ = false;
  std::int64_t digit_count_ = 0;    // from the first that is not 0
  std::int64_t leading_zeros_ = 0;  // of the part being read
  std::int64_t exponent_ = 0;
  std::int64_t written_exponent_ = 0;
  std::int64_t fraction_digits_ = 0;
};

Decimal decode(Bytes ordered) {
  Decimal decimal;
  if (ordered[0] == kZero) return decimal;
  decimal.negative = ordered[0] == kNegative;
  const unsigned flip = decimal.negative ? 0xFF : 0;
  decimal.exponent = static_cast<int>(static_cast<std::uint8_t>(ordered[1]) ^ flip) + kExponentMin;
  for (std::size_t i = 2; i + 1 < ordered.size(); ++i) {
    const unsigned pair = (static_cast<std::uint8_t>(ordered[i]) ^ flip) - 1;
    decimal.digits[decimal.count++] = static_cast<char>(pair / 10);
    decimal.digits[decimal.count++] = static_cast<char>(pair % 10);
  }
  if (decimal.digits[decimal.count - 1] == 0) --decimal.count;
  return decimal;
}

}  // namespace

class NumberCoder {
 public:
  // `decimal` is within range.
  static OrderedNumber encode(Decimal& decimal) {
    OrderedNumber number;
    if (decimal.count == 0) {
      number.data_[0] = kZero;
      number.length_ = 1;
      return number;
    }
    const unsigned flip = decimal.negative ? 0xFF : 0;
    char* at = number.data_;
    *at++ = decimal.negative ? kNegative : kPositive;
    *at++ = static_cast<char>(static_cast<unsigned>(decimal.exponent - kExponentMin) ^ flip);
    decimal.digits[decimal.count] = 0;
    for (int i = 0; i < decimal.count; i += 2) {
      const int pair = 1 + decimal.digits[i] * 10 + decimal.digits[i + 1];
      *at++ = static_cast<char>(static_cast<unsigned>(pair) ^ flip);
    }
    *at++ = static_cast<char>(flip);
    number.length_ = static_cast<unsigned char>(at - number.data_);
    return number;
  }
};

Result<OrderedNumber> parse_number(std::string_view text) {
  Decimal decimal;
  Scanner scanner(text);
  if (!scanner.scan(decimal)) return not_a_number(text);
  const bool zero = decimal.count == 0;
  const std::int64_t exponent = zero ? scanner.last_digit_exponent() + 1 : scanner.exponent();
  if (exponent > kExponentMax) return overflow();
  if (exponent < kExponentMin) return underflow();
  if (scanner.too_precise()) return too_precise();
  decimal.exponent = static_cast<int>(exponent);
  return NumberCoder::encode(decimal);
}

OrderedNumber number_from(std::int64_t value) {
  Decimal decimal;
  decimal.negative = value < 0;
  std::uint64_t magnitude = static_cast<std::uint64_t>(value);
  if (decimal.negative) magnitude = 0 - magnitude;
  char reversed[20];
  int count = 0;
  for (; magnitude != 0; magnitude /= 10) reversed[count++] = static_cast<char>(magnitude % 10);
  decimal.exponent = count;
  decimal.count = count;
  std::reverse_copy(reversed, reversed + count, decimal.digits);
  while (decimal.count != 0 && decimal.digits[decimal.count - 1] == 0) --decimal.count;
  return NumberCoder::encode(decimal);
}

void print_number(Bytes ordered, std::string& out) {
  const Decimal decimal = decode(ordered);
  if (decimal.count == 0) {
    out.push_back('0');
    return;
  }
  char text[kExponentMax - kExponentMin + kDigitsMax];
  char* at = text;
  if (decimal.negative) *at++ = '-';
  int digit = 0;
  if (decimal.exponent <= 0) *at++ = '0';
  for (; digit < decimal.exponent; ++digit) {
    *at++ = static_cast<char>('0' + (digit < decimal.count ? decimal.digits[digit] : 0));
  }
  if (digit < decimal.count) {
    *at++ = '.';
    for (int zeros = decimal.exponent; zeros < 0; ++zeros) *at++ = '0';
    for (; digit < decimal.count; ++digit) {
      *at++ = static_cast<char>('0' + decimal.digits[digit]);
    }
  }
  out.append(text, static_cast<std::size_t>(at - text));
}

namespace {

// Digits of a sum, most significant first; digit i stands for 10^(top - 1 - i).
struct Sum {
  std::array<signed char, kSumDigitsMax> digits;
  int top;
  int count;
};

int last_exponent(const Decimal& decimal) { return decimal.exponent - decimal.count; }

// |left| + |right|, or |left| - |right| where |left| >= |right|.
Sum combine(const Decimal& left, const Decimal& right, bool subtract) {
  Sum sum;
  sum.top = std::max(left.exponent, right.exponent) + 1;
  sum.count = sum.top - std::min(last_exponent(left), last_exponent(right));
  std::fill_n(sum.digits.begin(), sum.count, static_cast<signed char>(0));
  signed char* const at_left = sum.digits.data() + (sum.top - left.exponent);
  for (int i = 0; i < left.count; ++i) at_left[i] = static_cast<signed char>(left.digits[i]);
  signed char* const at_right = sum.digits.data() + (sum.top - right.exponent);
  for (int i = 0; i < right.count; ++i) {
    const int digit = subtract ? -right.digits[i] : right.digits[i];
    at_right[i] = static_cast<signed char>(at_right[i] + digit);
  }
  for (int i = sum.count - 1; i > 0; --i) {
    const int carry = sum.digits[static_cast<std::size_t>(i)] > 9   ? 1
                      : sum.digits[static_cast<std::size_t>(i)] < 0 ? -1
                                                                    : 0;
    signed char* const digit = sum.digits.data() + i;
    digit[0] = static_cast<signed char>(digit[0] - 10 * carry);
    digit[-1] = static_cast<signed char>(digit[-1] + carry);
  }
  return sum;
}

bool magnitude_less(const Decimal& left, const Decimal& right) {
  if (left.exponent != right.exponent) return left.exponent < right.exponent;
  return std::lexicographical_compare(left.digits, left.digits + left.count, right.digits,
                                      right.digits + right.count);
}

Result<OrderedNumber> add_decimals(Decimal left, Decimal right) {
  if (left.count == 0) return NumberCoder::encode(right);
  if (right.count == 0) return NumberCoder::encode(left);
  const bool subtract = left.negative != right.negative;
  const bool swapped = subtract && magnitude_less(left, right);
  const Sum sum = swapped ? combine(right, left, true) : combine(left, right, subtract);
  const signed char* first = sum.digits.data();
  const signed char* last = first + sum.count;
  while (first != last && *first == 0) ++first;
  while (first != last && last[-1] == 0) --last;
  Decimal result;
  if (first == last) return NumberCoder::encode(result);

  result.exponent = sum.top - static_cast<int>(first - sum.digits.data());
  if (result.exponent > kExponentMax) return overflow();
  if (result.exponent < kExponentMin) return underflow();
  // DynamoDB calls this an overflow too (ScyllaDB's test_update_expression_plus_imprecise).
  if (last - first > kDigitsMax) return overflow();
  result.negative = swapped ? right.negative : left.negative;
  result.count = static_cast<int>(last - first);
  std::copy(first, last, result.digits);
  return NumberCoder::encode(result);
}

}  // namespace

Result<OrderedNumber> add_numbers(Bytes left, Bytes right) {
  return add_decimals(decode(left), decode(right));
}

Result<OrderedNumber> subtract_numbers(Bytes left, Bytes right) {
  Decimal subtrahend = decode(right);
  subtrahend.negative = !subtrahend.negative;
  return add_decimals(decode(left), subtrahend);
}

std::size_t number_size_bytes(Bytes ordered) {
  if (ordered[0] == kZero) return 1;
  const bool negative = ordered[0] == kNegative;
  const unsigned flip = negative ? 0xFF : 0;
  const unsigned last_pair = (static_cast<std::uint8_t>(ordered[ordered.size() - 2]) ^ flip) - 1;
  const int digits = static_cast<int>(ordered.size() - 3) * 2 - (last_pair % 10 == 0 ? 1 : 0);
  const int exponent =
      static_cast<int>(static_cast<std::uint8_t>(ordered[1]) ^ flip) + kExponentMin;
  const int before_point = std::clamp(exponent, 0, digits);
  const int after_point = digits - before_point;
  return static_cast<std::size_t>(1 + (before_point + 1) / 2 + (after_point + 1) / 2 +
                                  (negative ? 1 : 0));
}

std::size_t ordered_number_length(Bytes bytes) {
  if (bytes.empty()) return 0;
  if (bytes[0] == kZero) return 1;
  if (bytes[0] != kNegative && bytes[0] != kPositive) return 0;
  const unsigned flip = bytes[0] == kNegative ? 0xFF : 0;
  const std::size_t length_max = std::min(bytes.size(), kOrderedNumberBytesMax);
  for (std::size_t i = 2; i < length_max; ++i) {
    const unsigned code = static_cast<std::uint8_t>(bytes[i]) ^ flip;
    if (code == 0) {
      // No trailing zero pair, and at least one pair.
      const unsigned before = static_cast<std::uint8_t>(bytes[i - 1]) ^ flip;
      return i > 2 && before != 1 ? i + 1 : 0;
    }
    if (code > 100 || (i == 2 && code <= 10)) return 0;  // the first digit is not 0
  }
  return 0;
}

}  // namespace partita
