// Does a JSON string hold a byte that is, or must be, written as an escape? Sixteen or more bytes
// at a time where the machine can.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace partita {

// Up to kJsonPaddingBytes after `text` must be readable.
inline bool has_backslash(const char* text, std::size_t length) {
#if defined(__SSE2__)
  if (length <= 16) {
    const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(text));
    const auto found =
        static_cast<std::uint32_t>(_mm_movemask_epi8(_mm_cmpeq_epi8(bytes, _mm_set1_epi8('\\'))));
    return (found & ((1U << length) - 1)) != 0;
  }
#endif
  return std::memchr(text, '\\', length) != nullptr;
}

inline bool needs_escape(char byte) {
  return static_cast<std::uint8_t>(byte) < 0x20 || byte == '"' || byte == '\\';
}

// How many bytes of `text` come before the first that JSON must escape: a quote, a backslash or a
// control character.
std::size_t plain_length(const char* text, std::size_t length);

// Is any of the eight bytes one that must be escaped? (x - n & ~x & 0x80 finds bytes of x that are
// below n.)
inline bool escapes_in_8(std::uint64_t bytes) {
  constexpr std::uint64_t kOnes = 0x0101010101010101;
  const std::uint64_t quote = bytes ^ (kOnes * '"');
  const std::uint64_t backslash = bytes ^ (kOnes * '\\');
  const std::uint64_t found = ((bytes - kOnes * 0x20) & ~bytes) | ((quote - kOnes) & ~quote) |
                              ((backslash - kOnes) & ~backslash);
  return (found & (kOnes * 0x80)) != 0;
}

bool copy_plain_long(const char* text, std::size_t length, char* out);

// Copies the text and tells whether it was plain, that is, needs no escape.
inline bool copy_plain(const char* text, std::size_t length, char* out) {
  if (length > 16) return copy_plain_long(text, length, out);
  if (length >= 8) {  // two words that may overlap
    std::uint64_t start;
    std::uint64_t end;
    std::memcpy(&start, text, 8);
    std::memcpy(&end, text + length - 8, 8);
    std::memcpy(out, &start, 8);
    std::memcpy(out + length - 8, &end, 8);
    return !escapes_in_8(start) && !escapes_in_8(end);
  }
  if (length >= 4) {
    std::uint32_t start;
    std::uint32_t end;
    std::memcpy(&start, text, 4);
    std::memcpy(&end, text + length - 4, 4);
    std::memcpy(out, &start, 4);
    std::memcpy(out + length - 4, &end, 4);
    return !escapes_in_8(start | static_cast<std::uint64_t>(end) << 32);
  }
  bool plain = true;
  for (std::size_t i = 0; i < length; ++i) {
    out[i] = text[i];
    plain = plain && !needs_escape(text[i]);
  }
  return plain;
}

}  // namespace partita
