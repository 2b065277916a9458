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

// How many bytes of `text` come before the first that JSON must escape: a quote, a backslash or a
// control character.
std::size_t plain_length(const char* text, std::size_t length);

inline bool needs_escape(char byte) {
  return static_cast<std::uint8_t>(byte) < 0x20 || byte == '"' || byte == '\\';
}

}  // namespace partita
