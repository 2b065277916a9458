// The HTTP parser and the chunked decoder on arbitrary bytes, split in arbitrary places: the split
// must not change what they find, and nothing outside the bytes may be read.
//
// input := u16 seed for the splits, then the bytes of a connection
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <random>
#include <string>
#include <string_view>

#include "expect.h"
#include "server/chunked_body.h"
#include "server/http_parser.h"

namespace {

using partita::ChunkedBody;
using partita::expect;
using partita::HttpParser;

// A copy whose end is the end of its memory, so that AddressSanitizer sees any step beyond.
std::unique_ptr<char[]> exact_copy(std::string_view bytes) {
  auto copy = std::make_unique<char[]>(bytes.size());
  if (!bytes.empty()) std::memcpy(copy.get(), bytes.data(), bytes.size());
  return copy;
}

struct HeadOutcome {
  HttpParser::Progress progress = HttpParser::Progress::NeedMore;
  int refusal = 0;
  std::size_t head_bytes = 0;
  std::string text;
  friend bool operator==(const HeadOutcome&, const HeadOutcome&) = default;
};

HeadOutcome outcome_of(const HttpParser& parser, HttpParser::Progress progress) {
  HeadOutcome outcome;
  outcome.progress = progress;
  outcome.refusal = parser.refusal_status();
  if (progress != HttpParser::Progress::Complete) return outcome;
  const partita::RequestHead& head = parser.head();
  outcome.head_bytes = parser.head_bytes();
  outcome.text.append(head.method()).append(head.path()).append(head.target()).append(head.host());
  for (std::size_t i = 0; i < head.header_count(); ++i) {
    expect(head.find_header(head.header_name(i)).data() != nullptr,
           "a header is found by its name");
    outcome.text.append(head.header_name(i)).append(head.header_value(i));
  }
  expect(!(head.chunked() && head.has_content_length()), "a body has one framing");
  outcome.text += std::to_string(head.content_length());
  return outcome;
}

HeadOutcome parse_split(std::string_view bytes, std::mt19937& random, std::size_t piece_max) {
  HttpParser parser;
  parser.reset();
  std::size_t arrived = 0;
  while (true) {
    arrived = std::min(bytes.size(), arrived + 1 + random() % piece_max);
    const auto copy = exact_copy(bytes.substr(0, arrived));
    const HttpParser::Progress progress = parser.parse({copy.get(), arrived});
    if (progress != HttpParser::Progress::NeedMore || arrived == bytes.size()) {
      return outcome_of(parser, progress);
    }
  }
}

struct BodyOutcome {
  ChunkedBody::Progress progress = ChunkedBody::Progress::NeedMore;
  std::string body;
  friend bool operator==(const BodyOutcome&, const BodyOutcome&) = default;
};

BodyOutcome decode_split(std::string_view bytes, std::mt19937& random, std::size_t piece_max) {
  constexpr std::size_t kBodyBytesMax = 1000;
  ChunkedBody chunked;
  chunked.reset(kBodyBytesMax);
  BodyOutcome outcome;
  while (!bytes.empty() && outcome.progress == ChunkedBody::Progress::NeedMore) {
    const std::string_view piece = bytes.substr(0, 1 + random() % piece_max);
    bytes.remove_prefix(piece.size());
    const auto copy = exact_copy(piece);
    std::size_t decoded = 0;
    std::size_t consumed = 0;
    outcome.progress = chunked.decode(copy.get(), piece.size(), decoded, consumed);
    expect(decoded <= consumed && consumed <= piece.size(), "no more is decoded than came");
    outcome.body.append(copy.get(), decoded);
  }
  expect(outcome.body.size() <= kBodyBytesMax, "a body stays within its limit");
  return outcome;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 3) return 0;
  std::mt19937 random(static_cast<unsigned>(data[0] | data[1] << 8));
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 2, size - 2);

  const HeadOutcome whole = parse_split(bytes, random, std::size_t{1} << 30);
  expect(parse_split(bytes, random, 1 + bytes.size() / 4) == whole, "pieces make the same head");
  if (bytes.size() < 2000) expect(parse_split(bytes, random, 1) == whole, "so do single bytes");

  const std::string_view body = bytes.substr(whole.head_bytes);
  const BodyOutcome decoded = decode_split(body, random, std::size_t{1} << 30);
  expect(decode_split(body, random, 1 + body.size() / 4) == decoded, "pieces make the same body");
  expect(decode_split(body, random, 1) == decoded, "so do single bytes");
  return 0;
}
