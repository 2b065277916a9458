#include "formats/text_scan.h"

#include <bit>

#if defined(__SSE2__)
#include <immintrin.h>
#endif

namespace partita {

namespace {

std::size_t plain_length_by_byte(const char* text, std::size_t length) {
  std::size_t at = 0;
  while (at < length && !needs_escape(text[at])) ++at;
  return at;
}

#if defined(__SSE2__)

// One bit per byte that needs an escape.
std::uint32_t escapes_in_16(const char* text) {
  const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(text));
  const __m128i control = _mm_set1_epi8(0x1F);
  const __m128i found = _mm_or_si128(_mm_or_si128(_mm_cmpeq_epi8(bytes, _mm_set1_epi8('"')),
                                                  _mm_cmpeq_epi8(bytes, _mm_set1_epi8('\\'))),
                                     _mm_cmpeq_epi8(_mm_min_epu8(bytes, control), bytes));
  return static_cast<std::uint32_t>(_mm_movemask_epi8(found));
}

__attribute__((target("avx2"))) std::uint32_t escapes_in_32(const char* text) {
  const __m256i bytes = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(text));
  const __m256i control = _mm256_set1_epi8(0x1F);
  const __m256i found =
      _mm256_or_si256(_mm256_or_si256(_mm256_cmpeq_epi8(bytes, _mm256_set1_epi8('"')),
                                      _mm256_cmpeq_epi8(bytes, _mm256_set1_epi8('\\'))),
                      _mm256_cmpeq_epi8(_mm256_min_epu8(bytes, control), bytes));
  return static_cast<std::uint32_t>(_mm256_movemask_epi8(found));
}

// Reads whole blocks, the last one overlapping the one before it.
__attribute__((target("avx2"))) std::size_t plain_length_avx2(const char* text,
                                                              std::size_t length) {
  std::size_t at = 0;
  for (; at + 32 <= length; at += 32) {
    if (const std::uint32_t found = escapes_in_32(text + at)) {
      return at + static_cast<std::size_t>(std::countr_zero(found));
    }
  }
  if (at == length) return length;
  const std::size_t last = length - 32;
  const std::uint32_t found = escapes_in_32(text + last);
  return found == 0 ? length : last + static_cast<std::size_t>(std::countr_zero(found));
}

std::size_t plain_length_sse2(const char* text, std::size_t length) {
  std::size_t at = 0;
  for (; at + 16 <= length; at += 16) {
    if (const std::uint32_t found = escapes_in_16(text + at)) {
      return at + static_cast<std::size_t>(std::countr_zero(found));
    }
  }
  if (at == length) return length;
  const std::size_t last = length - 16;
  const std::uint32_t found = escapes_in_16(text + last);
  return found == 0 ? length : last + static_cast<std::size_t>(std::countr_zero(found));
}

const bool has_avx2 = __builtin_cpu_supports("avx2");

#endif

}  // namespace

std::size_t plain_length(const char* text, std::size_t length) {
#if defined(__SSE2__)
  if (length >= 64 && has_avx2) return plain_length_avx2(text, length);
  if (length >= 16) return plain_length_sse2(text, length);
#endif
  return plain_length_by_byte(text, length);
}

bool copy_plain_long(const char* text, std::size_t length, char* out) {
  std::memcpy(out, text, length);
  return plain_length(text, length) == length;
}

}  // namespace partita
