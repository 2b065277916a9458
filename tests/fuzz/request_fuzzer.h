// What libFuzzer calls to change the requests of a target; to be included by one file of each.
// The target says how many lines it looks at: kRequestLinesMax.
#pragma once

#include <algorithm>
#include <cstring>

#include "request_lines.h"

namespace partita {

inline std::size_t copy_out(const std::string& text, std::uint8_t* data, std::size_t max_size) {
  const std::size_t size = std::min(text.size(), max_size);
  std::memcpy(data, text.data(), size);
  return size;
}

inline std::string_view input_text(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

}  // namespace partita

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t max_size, unsigned int seed) {
  using namespace partita;
  return copy_out(mutate_requests(input_text(data, size), kRequestLinesMax, seed), data, max_size);
}

extern "C" std::size_t LLVMFuzzerCustomCrossOver(const std::uint8_t* left, std::size_t left_size,
                                                 const std::uint8_t* right, std::size_t right_size,
                                                 std::uint8_t* out, std::size_t out_size,
                                                 unsigned int seed) {
  using namespace partita;
  return copy_out(cross_requests(input_text(left, left_size), input_text(right, right_size),
                                 kRequestLinesMax, seed),
                  out, out_size);
}
