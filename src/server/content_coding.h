// Compressed bodies: which coding a client asks for, and the two that DynamoDB knows.
//
//   gzip      RFC 1952; members may follow each other, and their contents are one body
//   deflate   RFC 1950 (zlib's format), whatever its name says
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "base/text_buffer.h"

namespace partita {

enum class ContentCoding : std::uint8_t { Identity, Gzip, Deflate };

std::string_view coding_name(ContentCoding coding);

// What Content-Encoding means; empty for one nobody here can read.
std::optional<ContentCoding> find_coding(std::string_view content_encoding);

// What an answer shall have, by the Accept-Encoding of its request, as DynamoDB chooses (recorded
// by ScyllaDB's tests against it): the greatest weight wins, then the first in the text; what only
// "*" allows comes last; "identity" is never preferred.
ContentCoding chosen_coding(std::string_view accept_encoding);

// From this size on answers are compressed.
inline constexpr std::size_t kCompressedBytesMin = 4096;

enum class Decoding : std::uint8_t { Done, Malformed, TooLarge };

// Appends what `body` was before it was compressed, `bytes_max` at most, to the empty `out`. What
// follows the last whole member of gzip is ignored, as DynamoDB does.
Decoding decode_content(ContentCoding coding, std::string_view body, std::size_t bytes_max,
                        TextBuffer& out);

// Replaces what `out` has from `start` on by its compressed form. False, and nothing is changed,
// when that would not be shorter.
bool encode_content(ContentCoding coding, std::size_t start, TextBuffer& out);

}  // namespace partita
