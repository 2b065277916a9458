#include "base/utf8.h"

#include <cstdint>
#include <cstring>

namespace partita {
namespace {

constexpr std::uint64_t kHighBits = 0x8080808080808080;

std::uint64_t eight_bytes(const unsigned char* at) {
  std::uint64_t word;
  std::memcpy(&word, at, sizeof word);
  return word;
}

// Past the ASCII bytes at `at`; may stop short of the last few.
const unsigned char* skip_ascii(const unsigned char* at, const unsigned char* end) {
  while (end - at >= 32) {  // the compiler makes this two vector loads
    const std::uint64_t any =
        eight_bytes(at) | eight_bytes(at + 8) | eight_bytes(at + 16) | eight_bytes(at + 24);
    if ((any & kHighBits) != 0) break;
    at += 32;
  }
  while (end - at >= 8 && (eight_bytes(at) & kHighBits) == 0) at += 8;
  return at;
}

bool is_continuation(unsigned char byte) { return (byte & 0xC0) == 0x80; }

// Length of the well-formed sequence that starts with the non-ASCII byte at `at`, or 0. The second
// byte's bounds are those of table 3-7 of the Unicode standard.
std::ptrdiff_t sequence_length(const unsigned char* at, const unsigned char* end) {
  const unsigned char lead = *at;
  if (lead < 0xC2 || lead > 0xF4) return 0;
  const std::ptrdiff_t length = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
  if (end - at < length) return 0;
  const unsigned char lowest = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
  const unsigned char highest = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
  if (at[1] < lowest || at[1] > highest) return 0;
  for (std::ptrdiff_t i = 2; i < length; ++i) {
    if (!is_continuation(at[i])) return 0;
  }
  return length;
}

}  // namespace

bool is_utf8(std::string_view text) {
  const unsigned char* at = reinterpret_cast<const unsigned char*>(text.data());
  const unsigned char* const end = at + text.size();
  for (;;) {
    at = skip_ascii(at, end);
    // Text that is not ASCII tends to stay so for a while: up to eight characters before the next
    // look for a run.
    for (int character = 0; character < 8; ++character) {
      if (at == end) return true;
      if (*at < 0x80) {
        ++at;
        continue;
      }
      const std::ptrdiff_t length = sequence_length(at, end);
      if (length == 0) return false;
      at += length;
    }
  }
}

}  // namespace partita
