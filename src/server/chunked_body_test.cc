#include "server/chunked_body.h"

#include <string>
#include <utility>

#include <gtest/gtest.h>

namespace partita {
namespace {

using BodyProgress = ChunkedBody::Progress;

struct Decoded {
  BodyProgress progress;
  std::string body;
  std::string rest;  // behind the encoded body
};

// Feeds the text in pieces of `piece` bytes, as a connection does.
Decoded decode(std::string text, std::size_t piece, std::size_t body_bytes_max = 1000) {
  ChunkedBody chunked;
  chunked.reset(body_bytes_max);
  std::string body;
  std::string pending;
  std::size_t fed = 0;
  BodyProgress progress = BodyProgress::NeedMore;
  while (progress == BodyProgress::NeedMore && fed < text.size()) {
    pending += text.substr(fed, piece);
    fed = std::min(fed + piece, text.size());
    std::size_t decoded = 0;
    std::size_t consumed = 0;
    progress = chunked.decode(pending.data(), pending.size(), decoded, consumed);
    body += pending.substr(0, decoded);
    pending.erase(0, consumed);
  }
  return {progress, body, pending + text.substr(fed)};
}

TEST(ChunkedBody, every_split_gives_the_same_body) {
  const std::string text =
      "5\r\nhello\r\n1;name=\"value\"\r\n \r\n00A\r\n0123456789\r\n0\r\nTrailer: x\r\n\r\nGET /";
  for (std::size_t piece = 1; piece <= text.size(); ++piece) {
    const Decoded decoded = decode(text, piece);
    EXPECT_EQ(decoded.progress, BodyProgress::Complete);
    EXPECT_EQ(decoded.body, "hello 0123456789");
    EXPECT_EQ(decoded.rest, "GET /");
  }
}

TEST(ChunkedBody, an_empty_body_is_a_body) {
  EXPECT_EQ(decode("0\r\n\r\n", 1).progress, BodyProgress::Complete);
}

TEST(ChunkedBody, sloppy_framing_is_refused) {
  for (const std::string text : {"\r\n",
                                 "g\r\n",
                                 "-1\r\n",
                                 "+1\r\na",
                                 " 1\r\na",
                                 "0x1\r\na",
                                 "1 \r\na",
                                 "1\na",
                                 "1\r\nab",
                                 "1\r\na\n",
                                 "1\r\na\rx",
                                 "000000001\r\na",
                                 "0\r\n folded\r\n\r\n",
                                 "0\r\nA: b\n\r\n",
                                 "1;\x01\r\na",
                                 "0\r\n\rx",
                                 "0\r\nGET / HTTP/1.1\r\n\r\n",
                                 "0\r\nname\r\n\r\n",
                                 "0\r\n: x\r\n\r\n",
                                 "0\r\nna me: x\r\n\r\n"}) {
    EXPECT_EQ(decode(text, 1).progress, BodyProgress::Malformed) << text;
    EXPECT_EQ(decode(text, 100).progress, BodyProgress::Malformed) << text;
  }
}

TEST(ChunkedBody, is_too_large_as_soon_as_a_chunk_says_so) {
  EXPECT_EQ(decode("5\r\nhello\r\n0\r\n\r\n", 1, 5).progress, BodyProgress::Complete);
  EXPECT_EQ(decode("6\r\n", 1, 5).progress, BodyProgress::TooLarge);
  EXPECT_EQ(decode("3\r\nabc\r\n3\r\n", 1, 5).progress, BodyProgress::TooLarge);
  EXPECT_EQ(decode("ffffffff\r\n", 1, 5).progress, BodyProgress::TooLarge);
}

TEST(ChunkedBody, endless_extensions_and_trailers_are_refused) {
  EXPECT_EQ(decode("1;" + std::string(10'000, 'x'), 100).progress, BodyProgress::Malformed);
  EXPECT_EQ(decode("0\r\nA:" + std::string(10'000, 'x'), 100).progress, BodyProgress::Malformed);
}

}  // namespace
}  // namespace partita
