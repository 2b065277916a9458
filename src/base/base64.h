// Base64 as DynamoDB writes and takes it: the standard alphabet, padded, nothing else.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace partita {

constexpr std::size_t base64_length(std::size_t bytes) { return (bytes + 2) / 3 * 4; }

// Writes base64_length(bytes.size()) characters.
void write_base64(std::string_view bytes, char* at);
void append_base64(std::string_view bytes, std::string& out);

// At most this many bytes come out of `text`.
constexpr std::size_t base64_decoded_bytes_max(std::size_t text) { return text / 4 * 3; }

// Writes the decoded bytes to `at` and sets `length`. False for a length that is no multiple of
// four, a character outside the alphabet, misplaced padding, and bits beyond the last byte that are
// not 0.
[[nodiscard]] bool decode_base64(std::string_view text, char* at, std::size_t& length);
[[nodiscard]] bool append_decoded_base64(std::string_view text, std::string& out);

}  // namespace partita
