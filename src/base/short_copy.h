// Copying bytes that are mostly few, such as attribute names and keys: up to 32 without a call.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace partita {

inline void copy_mostly_few(char* to, const char* from, std::size_t count) {
  // Two copies that may overlap cover every length between one and two of their size.
  const auto copy_ends = [=](auto word) {
    auto last = word;
    std::memcpy(&word, from, sizeof word);
    std::memcpy(&last, from + count - sizeof last, sizeof last);
    std::memcpy(to, &word, sizeof word);
    std::memcpy(to + count - sizeof last, &last, sizeof last);
  };
  struct SixteenBytes {
    std::uint64_t halves[2];
  };
  if (count > 32) {
    std::memcpy(to, from, count);
  } else if (count >= 16) {
    copy_ends(SixteenBytes{});
  } else if (count >= 8) {
    copy_ends(std::uint64_t{});
  } else if (count >= 4) {
    copy_ends(std::uint32_t{});
  } else if (count != 0) {
    to[0] = from[0];
    to[count / 2] = from[count / 2];
    to[count - 1] = from[count - 1];
  }
}

}  // namespace partita
