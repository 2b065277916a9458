// Requests as fuzz inputs: one per line, "PutItem {"TableName": ...}", so that an input is a script
// a person can read and a mutator can take apart.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace partita {

struct RequestLine {
  std::string_view operation;
  std::string_view body;
};

inline std::vector<RequestLine> request_lines(std::string_view input) {
  std::vector<RequestLine> lines;
  while (!input.empty()) {
    const std::string_view line = input.substr(0, input.find('\n'));
    input.remove_prefix(std::min(input.size(), line.size() + 1));
    const std::size_t blank = std::min(line.find(' '), line.size());
    lines.push_back({line.substr(0, blank), line.substr(std::min(line.size(), blank + 1))});
  }
  return lines;
}

// Changes one thing: a value, a member, an expression, a line. Mostly what comes out is JSON still.
// `lines_max` is how many lines the target looks at.
std::string mutate_requests(std::string_view input, std::size_t lines_max, std::uint32_t seed);

// The lines of two inputs, mixed in order.
std::string cross_requests(std::string_view left, std::string_view right, std::size_t lines_max,
                           std::uint32_t seed);

}  // namespace partita
