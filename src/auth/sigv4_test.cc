#include "auth/sigv4.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace partita {
namespace {

constexpr std::string_view kSecret = "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY";
constexpr std::string_view kVectorDate = "20150830T123600Z";
constexpr SignatureScope kVectorScope{"20150830", "us-east-1", "service"};

// The signature of a request to example.amazonaws.com.
std::string signature_of(std::string_view method, std::string_view query,
                         std::vector<HeaderField> more = {}, std::string_view body = "",
                         std::string_view path = "/") {
  std::vector<HeaderField> headers = {{"Host", "example.amazonaws.com"}};
  headers.insert(headers.end(), more.begin(), more.end());
  headers.push_back({"X-Amz-Date", kVectorDate});
  const RequestToSign request{method, path, query, headers, body};
  const std::string value = authorization_of(
      request, "AKIDEXAMPLE", SigningKey(kSecret, kVectorScope), kVectorDate, kVectorScope);
  return value.substr(value.rfind('=') + 1);
}

// The signatures of the test suite AWS published for Signature Version 4, by the names of its
// cases.
TEST(SigV4, signs_as_the_published_vectors_say) {
  EXPECT_EQ(signature_of("GET", ""),  // get-vanilla
            "5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31");
  EXPECT_EQ(signature_of("GET", "Param2=value2&Param1=value1"),  // get-vanilla-query-order-key-case
            "b97d918cfa904a5beff61c982a1b6f458b799221646efd99d3219ec94cdf2500");
  EXPECT_EQ(signature_of("POST", ""),  // post-vanilla
            "5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b");
  // get-header-value-trim
  EXPECT_EQ(signature_of("GET", "", {{"My-Header1", " value1"}, {"My-Header2", " \"a   b   c\""}}),
            "acc3ed3afb60bb290fc8d2dd0098b9911fcaa05412b367055dee359757a9c736");
  // get-header-key-duplicate
  EXPECT_EQ(
      signature_of("GET", "",
                   {{"My-Header1", "value2"}, {"My-Header1", "value2"}, {"My-Header1", "value1"}}),
      "c9d5ea9f3f72853aea855b47ea873832890dbdd183b4468f858259531a5138ea");
  // post-x-www-form-urlencoded
  EXPECT_EQ(signature_of("POST", "", {{"Content-Type", "application/x-www-form-urlencoded"}},
                         "Param1=value1"),
            "ff11897932ad3f4e8b18135d722051e5ac45fc38421b1da7b9d196a0fe09473a");
}

TEST(SigV4, authorization_names_the_key_the_scope_and_all_headers) {
  const std::vector<HeaderField> headers = {
      {"X-Amz-Date", kVectorDate}, {"HOST", "h"}, {"Zed", "z"}};
  const std::string value =
      authorization_of({"POST", "/", "", headers, "{}"}, "AKIDEXAMPLE",
                       SigningKey(kSecret, kVectorScope), kVectorDate, kVectorScope);
  EXPECT_TRUE(
      value.starts_with("AWS4-HMAC-SHA256 "
                        "Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request, "
                        "SignedHeaders=host;x-amz-date;zed, Signature="))
      << value;
}

TEST(SigV4, canonical_requests_are_as_described) {
  const std::vector<HeaderField> headers = {{"Host", "h"}, {"A", " x \t y "}};
  std::string canonical;
  append_canonical_request(
      {"GET", "/\xE1\x88\xB4 b", "b=%7e&a=%2F&a=&X-Amz-Signature=s", headers, ""}, "a;host",
      canonical);
  EXPECT_EQ(canonical,
            "GET\n/%E1%88%B4%20b\na=&a=%2F&b=~\na:x y\nhost:h\n\na;host\n"
            "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
}

TEST(SigV4, long_keys_are_hashed_first) {
  const SigningKey key(std::string(200, 'k'), kVectorScope);
  EXPECT_NE(key.sign("a"), SigningKey(std::string(201, 'k'), kVectorScope).sign("a"));
  EXPECT_EQ(key.sign("a"), SigningKey(std::string(200, 'k'), kVectorScope).sign("a"));
}

TEST(SigV4, secrets_are_compared_whole) {
  EXPECT_TRUE(equal_secrets("", ""));
  EXPECT_TRUE(equal_secrets("abc", "abc"));
  EXPECT_FALSE(equal_secrets("abc", "abd"));
  EXPECT_FALSE(equal_secrets("abc", "ab"));
}

}  // namespace
}  // namespace partita
