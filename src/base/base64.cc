#include "base/base64.h"

#include <array>
#include <cstdint>

namespace partita {
namespace {

constexpr std::string_view kAlphabet =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr std::uint8_t kNone = 0x80;  // a character outside the alphabet

constexpr std::array<std::uint8_t, 256> kSextets = [] {
  std::array<std::uint8_t, 256> sextets{};
  sextets.fill(kNone);
  for (std::size_t i = 0; i < kAlphabet.size(); ++i) {
    sextets[static_cast<std::uint8_t>(kAlphabet[i])] = static_cast<std::uint8_t>(i);
  }
  return sextets;
}();

std::uint32_t sextet(char c) { return kSextets[static_cast<std::uint8_t>(c)]; }
std::uint32_t octet(char c) { return static_cast<std::uint8_t>(c); }

}  // namespace

void write_base64(std::string_view bytes, char* at) {
  const char* from = bytes.data();
  const char* const end = from + bytes.size();
  for (; end - from >= 3; from += 3) {
    const std::uint32_t group = octet(from[0]) << 16 | octet(from[1]) << 8 | octet(from[2]);
    *at++ = kAlphabet[group >> 18];
    *at++ = kAlphabet[(group >> 12) & 63];
    *at++ = kAlphabet[(group >> 6) & 63];
    *at++ = kAlphabet[group & 63];
  }
  if (from == end) return;
  const bool two = end - from == 2;
  const std::uint32_t group = octet(from[0]) << 16 | (two ? octet(from[1]) << 8 : 0);
  *at++ = kAlphabet[group >> 18];
  *at++ = kAlphabet[(group >> 12) & 63];
  *at++ = two ? kAlphabet[(group >> 6) & 63] : '=';
  *at++ = '=';
}

void append_base64(std::string_view bytes, std::string& out) {
  const std::size_t before = out.size();
  out.resize(before + base64_length(bytes.size()));
  write_base64(bytes, out.data() + before);
}

bool decode_base64(std::string_view text, char* at, std::size_t& length) {
  if (text.size() % 4 != 0) return false;
  if (text.empty()) {
    length = 0;
    return true;
  }
  const char* const start = at;
  const char* from = text.data();
  const char* const last = from + text.size() - 4;
  for (; from != last; from += 4) {
    const std::uint32_t a = sextet(from[0]), b = sextet(from[1]), c = sextet(from[2]),
                        d = sextet(from[3]);
    if (((a | b | c | d) & kNone) != 0) return false;
    const std::uint32_t group = a << 18 | b << 12 | c << 6 | d;
    *at++ = static_cast<char>(group >> 16);
    *at++ = static_cast<char>(group >> 8);
    *at++ = static_cast<char>(group);
  }
  const int padding = last[3] != '=' ? 0 : last[2] != '=' ? 1 : 2;
  const std::uint32_t a = sextet(last[0]), b = sextet(last[1]);
  const std::uint32_t c = padding == 2 ? 0 : sextet(last[2]),
                      d = padding == 0 ? sextet(last[3]) : 0;
  if (((a | b | c | d) & kNone) != 0) return false;
  const std::uint32_t group = a << 18 | b << 12 | c << 6 | d;
  const std::uint32_t unused = padding == 0 ? 0 : padding == 1 ? 0xFF : 0xFFFF;
  if ((group & unused) != 0) return false;
  *at++ = static_cast<char>(group >> 16);
  if (padding < 2) *at++ = static_cast<char>(group >> 8);
  if (padding < 1) *at++ = static_cast<char>(group);
  length = static_cast<std::size_t>(at - start);
  return true;
}

bool append_decoded_base64(std::string_view text, std::string& out) {
  const std::size_t before = out.size();
  out.resize(before + base64_decoded_bytes_max(text.size()));
  std::size_t length = 0;
  const bool decoded = decode_base64(text, out.data() + before, length);
  out.resize(before + (decoded ? length : 0));
  return decoded;
}

}  // namespace partita
