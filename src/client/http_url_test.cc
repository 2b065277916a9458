#include "client/http_url.h"

#include <gtest/gtest.h>

namespace partita::client {
namespace {

TEST(HttpUrl, parts) {
  const auto url = parse_http_url("https://dynamodb.eu-central-1.amazonaws.com");
  ASSERT_TRUE(url) << url.error().message();
  EXPECT_EQ(url->scheme, "https");
  EXPECT_EQ(url->host, "dynamodb.eu-central-1.amazonaws.com");
  EXPECT_EQ(url->authority, url->host);
  EXPECT_EQ(url->path, "/");
  EXPECT_EQ(url->query, "");
}

TEST(HttpUrl, port_path_and_query) {
  const auto url = parse_http_url("http://[::1]:8000/a/b?c=d");
  ASSERT_TRUE(url) << url.error().message();
  EXPECT_EQ(url->host, "[::1]");
  EXPECT_EQ(url->authority, "[::1]:8000");
  EXPECT_EQ(url->path, "/a/b");
  EXPECT_EQ(url->query, "c=d");
}

TEST(HttpUrl, other_text_is_refused) {
  for (const std::string_view text :
       {"", "x", "localhost:8000", "ftp://x", "http://", "http://x:0x", "http://x:70000"}) {
    EXPECT_FALSE(parse_http_url(text)) << text;
  }
}

}  // namespace
}  // namespace partita::client
