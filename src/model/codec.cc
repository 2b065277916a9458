#include "partita/model/codec.h"

#include <charconv>
#include <chrono>

#include "value/number.h"

namespace partita::model {

Decimal::Decimal(std::int64_t value) : Decimal(number_from(value).bytes()) {}

Decimal::Decimal(Bytes ordered)
    : length_(static_cast<std::uint8_t>(ordered.copy(bytes_.data(), bytes_.size()))) {}

Decimal Decimal::from_ordered(Bytes ordered) { return Decimal(ordered); }

Result<Decimal> Decimal::parse(std::string_view text) {
  PARTITA_TRY(const OrderedNumber number, parse_number(text));
  return from_ordered(number.bytes());
}

std::string Decimal::to_string() const {
  std::string text;
  print_number(ordered(), text);
  return text;
}

Result<Decimal> Decimal::plus(const Decimal& other) const {
  PARTITA_TRY(const OrderedNumber sum, add_numbers(ordered(), other.ordered()));
  return from_ordered(sum.bytes());
}
Result<Decimal> Decimal::minus(const Decimal& other) const {
  PARTITA_TRY(const OrderedNumber difference, subtract_numbers(ordered(), other.ordered()));
  return from_ordered(difference.bytes());
}

namespace {

// A number as digits without a point: its value is digits * 10^exponent.
struct PlainDigits {
  bool negative = false;
  std::string digits{};
  int exponent = 0;
};
PlainDigits plain_digits(const Decimal& number) {
  PlainDigits plain;
  bool behind_point = false;
  for (const char c : number.to_string()) {
    if (c == '-') {
      plain.negative = true;
    } else if (c == '.') {
      behind_point = true;
    } else {
      plain.digits += c;
      plain.exponent -= behind_point ? 1 : 0;
    }
  }
  while (plain.digits.size() > 1 && plain.digits.back() == '0') {
    plain.digits.pop_back();
    ++plain.exponent;
  }
  plain.digits.erase(0, std::min(plain.digits.find_first_not_of('0'), plain.digits.size() - 1));
  return plain;
}

}  // namespace

Result<Decimal> Decimal::times(const Decimal& other) const {
  const PlainDigits left = plain_digits(*this), right = plain_digits(other);
  std::vector<int> sums(left.digits.size() + right.digits.size());  // the last digit first
  for (std::size_t i = 0; i < left.digits.size(); ++i) {
    for (std::size_t j = 0; j < right.digits.size(); ++j) {
      sums[i + j] += (left.digits[left.digits.size() - 1 - i] - '0') *
                     (right.digits[right.digits.size() - 1 - j] - '0');
    }
  }
  int carry = 0;
  for (int& sum : sums) {
    sum += std::exchange(carry, 0);
    carry = sum / 10;
    sum %= 10;
  }
  std::string text = left.negative != right.negative ? "-" : "";
  for (std::size_t i = sums.size(); i > 0; --i) text += static_cast<char>('0' + sums[i - 1]);
  return parse(text + "E" + std::to_string(left.exponent + right.exponent));
}

namespace detail {
namespace {

// Digits of an integer in its ordered form (value/number.h). False for fractions and what has more
// than 20 digits.
bool read_digits(Bytes ordered, bool& negative, std::uint64_t& magnitude) {
  magnitude = 0;
  negative = ordered[0] == 0x11;
  if (ordered[0] == 0x12) return true;
  const auto byte_at = [&](std::size_t i) {
    const auto byte = static_cast<std::uint8_t>(ordered[i]);
    return static_cast<unsigned>(negative ? 0xFF - byte : byte);
  };
  const int exponent = static_cast<int>(byte_at(1)) - 129;
  const std::size_t pairs = ordered.size() - 3;
  if (exponent < 1 || exponent > 20) return false;
  for (int digit = 0; digit < exponent; ++digit) {
    const std::size_t pair = static_cast<std::size_t>(digit) / 2;
    const unsigned both = pair < pairs ? byte_at(2 + pair) - 1 : 0;
    const unsigned next = digit % 2 == 0 ? both / 10 : both % 10;
    if (magnitude > (UINT64_MAX - next) / 10) return false;
    magnitude = 10 * magnitude + next;
  }
  const auto whole_pairs = static_cast<std::size_t>(exponent + 1) / 2;
  if (pairs > whole_pairs) return false;  // digits after the point
  return exponent % 2 == 0 || pairs < whole_pairs || (byte_at(1 + whole_pairs) - 1) % 10 == 0;
}

}  // namespace

bool read_integer(Bytes ordered, std::int64_t& out) {
  bool negative;
  std::uint64_t magnitude;
  if (!read_digits(ordered, negative, magnitude)) return false;
  constexpr auto max = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  if (magnitude > max + (negative ? 1 : 0)) return false;
  out = static_cast<std::int64_t>(negative ? 0 - magnitude : magnitude);
  return true;
}

bool read_natural(Bytes ordered, std::uint64_t& out) {
  bool negative;
  return read_digits(ordered, negative, out) && !negative;
}

bool read_real(Bytes ordered, double& out) {
  std::string text;
  print_number(ordered, text);
  const auto read = std::from_chars(text.data(), text.data() + text.size(), out);
  return read.ec == std::errc() && read.ptr == text.data() + text.size();
}

void fail_unknown_enumerator(ItemSink& sink, std::int64_t value) {
  sink.fail("the enumerator " + std::to_string(value) +
            " has no name: specialise partita::model::enum_names");
}
void fail_time_out_of_range(ItemSink& sink) { sink.fail("a time is outside the years 0 to 9999"); }

// ---- Times

namespace {

void put_digits(char* out, unsigned value, unsigned digits) {
  for (unsigned i = digits; i-- > 0; value /= 10) out[i] = static_cast<char>('0' + value % 10);
}

bool get_digits(std::string_view& text, unsigned digits, unsigned& value) {
  value = 0;
  if (text.size() < digits) return false;
  for (unsigned i = 0; i < digits; ++i) {
    if (text[i] < '0' || text[i] > '9') return false;
    value = 10 * value + static_cast<unsigned>(text[i] - '0');
  }
  text.remove_prefix(digits);
  return true;
}

bool skip(std::string_view& text, char c) {
  if (!text.starts_with(c)) return false;
  text.remove_prefix(1);
  return true;
}

// ".123": up to nine digits, the rest ignored.
bool get_fraction(std::string_view& text, std::int32_t& nanoseconds) {
  nanoseconds = 0;
  if (!skip(text, '.')) return true;
  std::int32_t unit = 100000000;
  const std::size_t before = text.size();
  for (; !text.empty() && text[0] >= '0' && text[0] <= '9'; text.remove_prefix(1), unit /= 10) {
    nanoseconds += unit * (text[0] - '0');
  }
  return text.size() < before;
}

// "Z", nothing, or "+01:00".
bool get_offset(std::string_view& text, std::int64_t& seconds) {
  seconds = 0;
  if (text.empty() || skip(text, 'Z')) return true;
  const bool west = text[0] == '-';
  if (!skip(text, '-') && !skip(text, '+')) return false;
  unsigned hours, minutes;
  if (!get_digits(text, 2, hours) || !skip(text, ':') || !get_digits(text, 2, minutes))
    return false;
  seconds = (west ? -1 : 1) * static_cast<std::int64_t>(hours * 3600 + minutes * 60);
  return true;
}

}  // namespace

std::size_t print_time(TimeParts time, TimePrecision precision, char* out) {
  using namespace std::chrono;
  constexpr std::int64_t first = -62167219200, last = 253402300799;  // years 0 to 9999
  if (time.seconds < first || time.seconds > last) return 0;
  const sys_seconds whole{seconds(time.seconds)};
  const sys_days day = floor<days>(whole);
  const year_month_day date(day);
  const auto of_day = static_cast<unsigned>((whole - day).count());
  put_digits(out, static_cast<unsigned>(static_cast<int>(date.year())), 4);
  out[4] = '-';
  put_digits(out + 5, static_cast<unsigned>(date.month()), 2);
  out[7] = '-';
  put_digits(out + 8, static_cast<unsigned>(date.day()), 2);
  if (precision == TimePrecision::Day) return 10;
  out[10] = 'T';
  put_digits(out + 11, of_day / 3600, 2);
  out[13] = ':';
  put_digits(out + 14, of_day / 60 % 60, 2);
  out[16] = ':';
  put_digits(out + 17, of_day % 60, 2);
  std::size_t at = 19;
  if (precision != TimePrecision::Second) {
    const unsigned digits = 3 * (static_cast<unsigned>(precision) - 1);
    unsigned fraction = static_cast<unsigned>(time.nanoseconds);
    for (unsigned i = digits; i < 9; ++i) fraction /= 10;
    out[at++] = '.';
    put_digits(out + at, fraction, digits);
    at += digits;
  }
  out[at++] = 'Z';
  return at;
}

bool parse_time(std::string_view text, TimeParts& time) {
  using namespace std::chrono;
  unsigned y, m, d, hour = 0, minute = 0, second = 0;
  time.nanoseconds = 0;
  if (!get_digits(text, 4, y) || !skip(text, '-') || !get_digits(text, 2, m) || !skip(text, '-') ||
      !get_digits(text, 2, d)) {
    return false;
  }
  const year_month_day date{year(static_cast<int>(y)), month(m), day(d)};
  if (!date.ok()) return false;
  std::int64_t offset = 0;
  if (!text.empty()) {
    if (!skip(text, 'T') || !get_digits(text, 2, hour) || !skip(text, ':') ||
        !get_digits(text, 2, minute) || !skip(text, ':') || !get_digits(text, 2, second) ||
        !get_fraction(text, time.nanoseconds) || !get_offset(text, offset) || !text.empty()) {
      return false;
    }
  }
  if (hour > 23 || minute > 59 || second > 59) return false;
  time.seconds = duration_cast<seconds>(sys_days(date).time_since_epoch()).count() + hour * 3600 +
                 minute * 60 + second - offset;
  return true;
}

}  // namespace detail
}  // namespace partita::model
