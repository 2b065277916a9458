#include "partita/model/ids.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <mutex>

#include "base/random.h"

namespace partita::model {
namespace {

std::uint64_t random_word() {
  static SystemRandom random;
  return random.next();
}

// A moment followed by random bytes. Within one moment, or when the clock goes back, the random
// bytes of the last id are counted up instead.
template <std::size_t RandomBytes>
class Ascending {
 public:
  struct Stamp {
    std::uint64_t moment;
    std::array<std::uint8_t, RandomBytes> random;
  };

  Stamp next(std::uint64_t moment, std::uint8_t first_byte_mask = 0xFF) {
    const std::lock_guard lock(mutex_);
    if (moment > last_.moment) {
      last_.moment = moment;
      for (std::size_t i = 0; i < RandomBytes; ++i) {
        last_.random[i] = static_cast<std::uint8_t>(random_word() >> 24);
      }
      last_.random[0] &= static_cast<std::uint8_t>(first_byte_mask >> 1);  // room to count
      return last_;
    }
    std::size_t i = RandomBytes;
    while (i-- > 0 && ++last_.random[i] == 0) {
    }
    if (last_.random[0] > first_byte_mask) {
      ++last_.moment;
      last_.random[0] = 0;
    }
    return last_;
  }

 private:
  std::mutex mutex_;
  Stamp last_{0, {}};
};

std::uint64_t milliseconds_of(std::chrono::system_clock::time_point now) {
  return static_cast<std::uint64_t>(std::max<std::int64_t>(
      0, std::chrono::floor<std::chrono::milliseconds>(now.time_since_epoch()).count()));
}

// `bytes` as a number of `digits` digits to the base of the alphabet.
template <std::size_t N>
std::string in_base(std::array<std::uint8_t, N> bytes, std::string_view alphabet,
                    std::size_t digits) {
  std::string text(digits, alphabet[0]);
  const auto base = static_cast<unsigned>(alphabet.size());
  for (std::size_t digit = digits; digit-- > 0;) {
    unsigned rest = 0;
    for (std::uint8_t& byte : bytes) {
      const unsigned value = rest * 256 + byte;
      byte = static_cast<std::uint8_t>(value / base);
      rest = value % base;
    }
    text[digit] = alphabet[rest];
  }
  return text;
}

template <std::size_t N>
void put_big_endian(std::array<std::uint8_t, N>& bytes, std::uint64_t value, std::size_t length) {
  for (std::size_t i = length; i-- > 0; value >>= 8) bytes[i] = static_cast<std::uint8_t>(value);
}

}  // namespace

std::string new_ulid(std::chrono::system_clock::time_point now) {
  static Ascending<10> ids;
  const auto stamp = ids.next(milliseconds_of(now));
  std::array<std::uint8_t, 16> bytes;
  put_big_endian(bytes, stamp.moment, 6);
  std::copy(stamp.random.begin(), stamp.random.end(), bytes.begin() + 6);
  return in_base(bytes, "0123456789ABCDEFGHJKMNPQRSTVWXYZ", 26);
}

std::string new_ksuid(std::chrono::system_clock::time_point now) {
  constexpr std::uint64_t epoch = 1400000000;  // seconds; KSUIDs count from May 2014
  static Ascending<16> ids;
  const auto stamp = ids.next(milliseconds_of(now) / 1000);
  std::array<std::uint8_t, 20> bytes;
  put_big_endian(bytes, stamp.moment < epoch ? 0 : stamp.moment - epoch, 4);
  std::copy(stamp.random.begin(), stamp.random.end(), bytes.begin() + 4);
  return in_base(bytes, "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz", 27);
}

std::string new_uuid7(std::chrono::system_clock::time_point now) {
  // The version and variant bits lie among the random ones, so only what follows them is counted.
  static Ascending<8> ids;
  const auto stamp = ids.next(milliseconds_of(now), 0x3F);
  std::array<std::uint8_t, 16> bytes;
  put_big_endian(bytes, stamp.moment, 6);
  bytes[6] = 0x70;
  bytes[7] = 0;
  std::copy(stamp.random.begin(), stamp.random.end(), bytes.begin() + 8);
  bytes[8] = static_cast<std::uint8_t>(0x80 | (bytes[8] & 0x3F));
  constexpr char hex[] = "0123456789abcdef";
  std::string text;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    if (i == 4 || i == 6 || i == 8 || i == 10) text += '-';
    text += hex[bytes[i] >> 4];
    text += hex[bytes[i] & 15];
  }
  return text;
}

}  // namespace partita::model
