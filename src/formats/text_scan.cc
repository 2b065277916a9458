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

template <typename Word>
Word load(const char* text) {
  Word word;
  std::memcpy(&word, text, sizeof word);
  return word;
}

// Is any of the eight bytes below 0x20, a quote or a backslash? (x - n & ~x & 0x80 finds bytes of x
// that are below n.)
bool escapes_in_8(std::uint64_t bytes) {
  constexpr std::uint64_t kOnes = 0x0101010101010101;
  const std::uint64_t quote = bytes ^ (kOnes * '"');
  const std::uint64_t backslash = bytes ^ (kOnes * '\\');
  const std::uint64_t found = ((bytes - kOnes * 0x20) & ~bytes) | ((quote - kOnes) & ~quote) |
                              ((backslash - kOnes) & ~backslash);
  return (found & (kOnes * 0x80)) != 0;
}

// Short texts: two words that overlap, and byte by byte only where there is something to find.
std::size_t plain_length_short(const char* text, std::size_t length) {
  if (length >= 8) {
    if (!escapes_in_8(load<std::uint64_t>(text)) &&
        !escapes_in_8(load<std::uint64_t>(text + length - 8))) {
      return length;
    }
  } else if (length >= 4) {
    const std::uint64_t start = load<std::uint32_t>(text);
    const std::uint64_t end = load<std::uint32_t>(text + length - 4);
    if (!escapes_in_8(start | end << 32)) return length;
  }
  return plain_length_by_byte(text, length);
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
  return length <= 16 ? plain_length_short(text, length) : plain_length_by_byte(text, length);
}

}  // namespace partita
