#include "base/time_text.h"

#include <charconv>
#include <cstdint>
#include <cstdio>

namespace partita {
namespace {

using std::chrono::milliseconds;

constexpr std::int64_t kMillisecondsMax = 253'402'300'799'999;  // the end of the year 9999

// Reads a text piece by piece; after the first piece that is not there all others fail too.
class PieceReader {
 public:
  explicit PieceReader(std::string_view text) : rest_(text) {}

  bool ok() const { return ok_; }
  bool at_end() const { return rest_.empty(); }
  char next() const { return rest_.empty() ? '\0' : rest_.front(); }

  void expect(char c) {
    ok_ = ok_ && next() == c;
    if (ok_) rest_.remove_prefix(1);
  }
  bool skip(char c) {
    if (next() != c) return false;
    rest_.remove_prefix(1);
    return true;
  }
  // Exactly `count` digits, or as many as there are when it is 0.
  std::int64_t digits(std::size_t count = 0) {
    std::size_t found = rest_.find_first_not_of("0123456789");
    if (found == std::string_view::npos) found = rest_.size();
    if (count != 0 && found > count) found = count;
    std::int64_t number = 0;
    const auto read = std::from_chars(rest_.data(), rest_.data() + found, number);
    ok_ = ok_ && found > 0 && (count == 0 || found == count) && read.ec == std::errc();
    rest_.remove_prefix(found);
    return number;
  }
  std::int64_t digits_up_to(std::size_t count, std::int64_t most) {
    const std::int64_t number = digits(count);
    ok_ = ok_ && number <= most;
    return number;
  }
  // What follows a decimal point, in thousandths.
  std::int64_t thousandths() {
    std::int64_t number = 0, unit = 100;
    ok_ = ok_ && next() >= '0' && next() <= '9';
    for (; next() >= '0' && next() <= '9'; rest_.remove_prefix(1), unit /= 10) {
      number += unit * (next() - '0');
    }
    return number;
  }
  bool skip(std::string_view word) {
    if (!rest_.starts_with(word)) return false;
    rest_.remove_prefix(word.size());
    return true;
  }

 private:
  std::string_view rest_;
  bool ok_ = true;
};

std::optional<TimePoint> time_from(const PieceReader& read, std::int64_t count) {
  if (!read.ok() || !read.at_end() || count < 0 || count > kMillisecondsMax) return std::nullopt;
  return TimePoint(milliseconds(count));
}

std::optional<TimePoint> parse_seconds(std::string_view text) {
  PieceReader read(text);
  const std::int64_t seconds = read.digits();
  const std::int64_t fraction = read.skip('.') ? read.thousandths() : 0;
  if (seconds > kMillisecondsMax / 1000) return std::nullopt;
  return time_from(read, seconds * 1000 + fraction);
}

milliseconds read_zone(PieceReader& read) {
  if (read.skip('Z')) return {};
  const bool west = read.skip('-');
  if (!west) read.expect('+');
  const std::int64_t hours = read.digits_up_to(2, 23);
  read.expect(':');
  const std::int64_t minutes = read.digits_up_to(2, 59);
  const milliseconds ahead = std::chrono::hours(hours) + std::chrono::minutes(minutes);
  return west ? -ahead : ahead;
}

milliseconds read_time_of_day(PieceReader& read) {
  const std::int64_t hours = read.digits_up_to(2, 23);
  read.expect(':');
  const std::int64_t minutes = read.digits_up_to(2, 59);
  read.expect(':');
  const std::int64_t seconds = read.digits_up_to(2, 59);
  const std::int64_t fraction = read.skip('.') ? read.thousandths() : 0;
  return std::chrono::hours(hours) + std::chrono::minutes(minutes) + std::chrono::seconds(seconds) +
         milliseconds(fraction);
}

}  // namespace

std::string time_text(TimePoint time) {
  const auto day = std::chrono::floor<std::chrono::days>(time);
  const std::chrono::year_month_day date(day);
  const std::chrono::hh_mm_ss clock(time - day);
  char text[64];
  std::snprintf(
      text, sizeof text, "%04d-%02u-%02uT%02d:%02d:%02d.%03dZ", static_cast<int>(date.year()),
      static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
      static_cast<int>(clock.hours().count()), static_cast<int>(clock.minutes().count()),
      static_cast<int>(clock.seconds().count()), static_cast<int>(clock.subseconds().count()));
  return text;
}

std::optional<TimePoint> parse_time(std::string_view text) {
  if (text.find_first_not_of("0123456789.") == std::string_view::npos) return parse_seconds(text);
  PieceReader read(text);
  const std::chrono::year year(static_cast<int>(read.digits(4)));
  read.expect('-');
  const std::chrono::month month(static_cast<unsigned>(read.digits(2)));
  read.expect('-');
  const std::chrono::day day(static_cast<unsigned>(read.digits(2)));
  const std::chrono::year_month_day date(year, month, day);
  if (!read.ok() || !date.ok()) return std::nullopt;
  milliseconds time = std::chrono::sys_days(date).time_since_epoch();
  if (!read.at_end()) {
    read.expect('T');
    time += read_time_of_day(read);
    time -= read_zone(read);
  }
  return time_from(read, time.count());
}

std::optional<milliseconds> parse_stretch(std::string_view text) {
  PieceReader read(text);
  const bool back = read.skip('-');
  if (!back) read.skip('+');
  std::int64_t sum = 0;
  do {
    const std::int64_t number = read.digits();
    std::int64_t unit = 0;
    if (read.skip("ms")) {
      unit = 1;
    } else if (read.skip('s')) {
      unit = 1000;
    } else if (read.skip('m')) {
      unit = 60'000;
    } else if (read.skip('h')) {
      unit = 3'600'000;
    } else if (read.skip('d')) {
      unit = 86'400'000;
    }
    if (!read.ok() || unit == 0 || number > kMillisecondsMax / unit) return std::nullopt;
    sum += number * unit;
    if (sum > kMillisecondsMax) return std::nullopt;
  } while (!read.at_end());
  return milliseconds(back ? -sum : sum);
}

}  // namespace partita
