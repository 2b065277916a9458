#include "server/http_parser.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace partita {
namespace {

using Progress = HttpParser::Progress;

struct Outcome {
  Progress progress;
  int refusal;
  std::size_t head_bytes;
  std::string summary;
  friend bool operator==(const Outcome&, const Outcome&) = default;
};

Outcome outcome_of(const HttpParser& parser, Progress progress) {
  Outcome outcome{progress, parser.refusal_status(), 0, {}};
  if (progress != Progress::Complete) return outcome;
  const RequestHead& head = parser.head();
  outcome.head_bytes = parser.head_bytes();
  for (const std::string_view part : {head.method(), head.target(), head.host(), head.amz_target(),
                                      head.content_type(), head.authorization()}) {
    outcome.summary.append(part).append("|");
  }
  for (std::size_t i = 0; i < head.header_count(); ++i) {
    outcome.summary.append(head.header_name(i)).append("=").append(head.header_value(i)) += '|';
  }
  outcome.summary += std::to_string(head.content_length()) + (head.chunked() ? "c" : "") +
                     (head.keep_alive() ? "k" : "") + (head.expects_continue() ? "e" : "");
  return outcome;
}

Outcome parse_whole(std::string_view text) {
  HttpParser parser;
  parser.reset();
  return outcome_of(parser, parser.parse(text));
}

int refusal_of(std::string_view text) { return parse_whole(text).refusal; }

// A head with one header under test.
std::string with_header(std::string_view line) {
  return "POST / HTTP/1.1\r\nHost: h\r\n" + std::string(line) + "\r\n\r\n";
}

constexpr std::string_view kSdkRequest =
    "POST / HTTP/1.1\r\nHost: localhost:8000\r\nX-Amz-Target: DynamoDB_20120810.GetItem\r\n"
    "content-type: application/x-amz-json-1.0\r\nAuthorization:\tAWS4-HMAC-SHA256 Credential=a "
    "\t\r\n"
    "Content-Length: 2\r\nConnection: keep-alive\r\nEmpty:\r\nCaf\xC3\xA9-free: "
    "caf\xC3\xA9\r\n\r\n{}";

TEST(HttpParser, reads_what_an_sdk_sends) {
  std::string text(kSdkRequest);
  text.replace(text.find("Caf\xC3\xA9-free"), 10, "Value");
  HttpParser parser;
  parser.reset();
  ASSERT_EQ(parser.parse(text), Progress::Complete);
  const RequestHead& head = parser.head();
  EXPECT_EQ(head.method(), "POST");
  EXPECT_EQ(head.target(), "/");
  EXPECT_EQ(head.host(), "localhost:8000");
  EXPECT_EQ(head.amz_target(), "DynamoDB_20120810.GetItem");
  EXPECT_EQ(head.content_type(), "application/x-amz-json-1.0");
  EXPECT_EQ(head.authorization(), "AWS4-HMAC-SHA256 Credential=a");
  EXPECT_EQ(head.content_length(), 2U);
  EXPECT_EQ(head.find_header("VALUE"), "caf\xC3\xA9");
  EXPECT_EQ(head.find_header("empty"), "");
  EXPECT_TRUE(head.keep_alive());
  EXPECT_EQ(text.substr(parser.head_bytes()), "{}");
}

TEST(HttpParser, every_split_gives_the_same_outcome) {
  std::string valid(kSdkRequest);
  valid.replace(valid.find("Caf\xC3\xA9-free"), 10, "Value");
  const std::vector<std::string> texts = {
      valid,
      std::string(kSdkRequest),
      "\r\nGET /ping?x=1 HTTP/1.0\r\nConnection: x, Keep-Alive\r\n\r\n",
      "\r\n\r\nGET / HTTP/1.1\r\nHost: h\r\n\r\n",
      with_header("Content-Length: 1\r\nContent-Length: 1"),
      with_header("Transfer-Encoding: chunked\r\nContent-Length: 1"),
      with_header("A: b\n"),
      with_header("A: b\r\n folded"),
      "GET / HTTP/2.0\r\n\r\n",
      "G@T / HTTP/1.1\r\n\r\n",
      "GET /" + std::string(kHeadBytesMax, 'x'),
  };
  for (const std::string& text : texts) {
    const Outcome whole = parse_whole(text);
    const std::size_t step = text.size() > 4096 ? 1001 : 1;
    for (std::size_t split = 0; split <= text.size(); split += step) {
      HttpParser parser;
      parser.reset();
      // The buffer moves between the two calls, as a growing one does.
      const std::string first = text.substr(0, split);
      Progress progress = parser.parse(first);
      if (progress == Progress::NeedMore) {
        progress = parser.parse(text);
      } else {
        parser.rebase(text.data());
      }
      EXPECT_EQ(outcome_of(parser, progress), whole) << text << " split at " << split;
    }
    HttpParser parser;  // byte by byte
    parser.reset();
    Progress progress = Progress::NeedMore;
    for (std::size_t size = 1; size <= text.size() && progress == Progress::NeedMore;
         size += step) {
      progress = parser.parse(std::string_view(text).substr(0, size));
    }
    if (progress == Progress::NeedMore) progress = parser.parse(text);
    EXPECT_EQ(outcome_of(parser, progress), whole) << text;
  }
}

TEST(HttpParser, a_prefix_needs_more) {
  const std::string text = with_header("A: b");
  for (std::size_t size = 0; size < text.size(); ++size) {
    EXPECT_EQ(parse_whole(std::string_view(text).substr(0, size)).progress, Progress::NeedMore);
  }
}

TEST(HttpParser, what_could_be_smuggled_is_refused) {
  for (const std::string& text : {
           with_header("Content-Length: 1\r\nContent-Length: 1"),  // even when they agree
           with_header("Content-Length: 1\r\nContent-Length: 2"),
           with_header("Content-Length: 1, 1"),
           with_header("Content-Length: +1"),
           with_header("Content-Length: -1"),
           with_header("Content-Length: 0x1"),
           with_header("Content-Length: 1 2"),
           with_header("Content-Length:"),
           with_header("Content-Length: 99999999999999999999"),
           with_header("Content-Length: 1\r\nTransfer-Encoding: chunked"),
           with_header("Transfer-Encoding: chunked\r\nContent-Length: 1"),
           with_header("Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked"),
           with_header("Content-Length : 1"),
           with_header(" Content-Length: 1"),
           with_header("A: b\r\n\tfolded"),
           with_header("A: b\nContent-Length: 1"),
           with_header("A: b\rContent-Length: 1"),
           with_header("A: b\r\r"),
           with_header(std::string("A: b\0c", 6)),
           with_header("A: b\x7F"),
           with_header(": empty name"),
           with_header("no colon"),
           with_header("A(b): c"),
           with_header("\xC3\xA9: c"),
           with_header("Host: other"),
           with_header("X-Amz-Target: a\r\nX-Amz-Target: b"),
           std::string("POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n"),
           std::string("POST / HTTP/1.1\n\nHost: h\n\n"),
       }) {
    EXPECT_EQ(refusal_of(text), 400) << text;
  }
}

TEST(HttpParser, other_codings_and_expectations_are_refused_by_name) {
  EXPECT_EQ(refusal_of(with_header("Transfer-Encoding: gzip, chunked")), 501);
  EXPECT_EQ(refusal_of(with_header("Transfer-Encoding: identity")), 501);
  EXPECT_EQ(refusal_of(with_header("Expect: 200-ok")), 417);
}

TEST(HttpParser, request_lines_are_exact) {
  const auto line = [](std::string_view text) {
    return refusal_of(std::string(text) + "\r\nHost: h\r\n\r\n");
  };
  EXPECT_EQ(line("GET / HTTP/1.1"), 0);
  EXPECT_EQ(line("GET http://h:80/a?b HTTP/1.1"), 0);
  EXPECT_EQ(line("OPTIONS * HTTP/1.1"), 0);
  EXPECT_EQ(line("GET / HTTP/1.9"), 0);
  EXPECT_EQ(line("GET / HTTP/2.0"), 505);
  for (const std::string_view bad :
       {"GET /", "GET  / HTTP/1.1", "GET / HTTP/1.1 ", "GET / http/1.1", "GET / HTTP/11",
        "GET / HTTP/1.", "GET / HTTP/1.10", " GET / HTTP/1.1", "GET\t/ HTTP/1.1", "/ HTTP/1.1",
        "GET relative HTTP/1.1", "GET http://h HTTP/1.1", "GET /\xC3\xA9 HTTP/1.1", "GET",
        "GET / "}) {
    EXPECT_EQ(line(bad), 400) << bad;
  }
  EXPECT_EQ(refusal_of("GET / HTTP/1.1\r\n\r\n"), 400);  // no Host
  EXPECT_EQ(refusal_of("GET / HTTP/1.0\r\n\r\n"), 0);
}

TEST(HttpParser, heads_have_a_size_and_a_count) {
  const std::string frame = with_header("A: ");
  EXPECT_EQ(refusal_of(with_header("A: " + std::string(kHeadBytesMax - frame.size(), 'x'))), 0);
  EXPECT_EQ(refusal_of(with_header("A: " + std::string(kHeadBytesMax - frame.size() + 1, 'x'))),
            400);
  std::string many = "GET / HTTP/1.1\r\nHost: h\r\n";
  for (std::size_t i = 1; i < kHeaderCountMax; ++i) many += "A: b\r\n";
  EXPECT_EQ(refusal_of(many + "\r\n"), 0);
  EXPECT_EQ(refusal_of(many + "A: b\r\n\r\n"), 400);
}

TEST(HttpParser, connection_persists_as_the_version_says) {
  const auto keeps = [](std::string_view version, std::string_view connection) {
    return parse_whole("GET / HTTP/" + std::string(version) + "\r\nHost: h\r\n" +
                       std::string(connection) + "\r\n")
        .summary.ends_with("k");
  };
  EXPECT_TRUE(keeps("1.1", ""));
  EXPECT_FALSE(keeps("1.1", "Connection: Close\r\n"));
  EXPECT_FALSE(keeps("1.1", "Connection: keep-alive\r\nConnection: x , close\r\n"));
  EXPECT_FALSE(keeps("1.0", ""));
  EXPECT_TRUE(keeps("1.0", "Connection: Keep-Alive\r\n"));
}

TEST(FindControlCharacter, finds_every_byte_at_every_place) {
  for (int byte = 0; byte < 256; ++byte) {
    const bool control = (byte < 0x20 && byte != '\t') || byte == 0x7F;
    for (std::size_t place = 0; place < 40; ++place) {
      std::string text(40, 'a');
      text[place] = static_cast<char>(byte);
      const char* const end = text.data() + text.size();
      EXPECT_EQ(find_control_character(text.data(), end), control ? text.data() + place : end)
          << byte << " at " << place;
    }
  }
}

}  // namespace
}  // namespace partita
