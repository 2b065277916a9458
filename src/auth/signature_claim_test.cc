#include "auth/signature_claim.h"

#include <string>

#include <gtest/gtest.h>

namespace partita {
namespace {

const std::string kUsual =
    "AWS4-HMAC-SHA256 Credential=k/20260101/us-east-1/dynamodb/aws4_request, "
    "SignedHeaders=host;x-amz-date, Signature=abc";

std::string problem(const ClaimPlaces& places) {
  const auto claim = read_claim(places);
  const auto checked = check_claim(places);
  EXPECT_EQ(claim.has_value(), checked.has_value()) << places.authorization;
  if (claim) return "";
  EXPECT_EQ(claim.error().message(), checked.error().message());
  return claim.error().message();
}

TEST(SignatureClaim, is_read_however_its_parts_are_separated) {
  for (const std::string_view text :
       {"AWS4-HMAC-SHA256 Credential=a, SignedHeaders=h, Signature=s",
        "AWS4-HMAC-SHA256 Credential=a,SignedHeaders=h,Signature=s",
        "AWS4-HMAC-SHA256 Signature=s Credential=a  ,SignedHeaders=h",
        " AWS4-HMAC-SHA256   Credential=a SignedHeaders=h Signature=s "}) {
    const auto claim = read_claim({text, "", "d"});
    ASSERT_TRUE(claim) << text;
    EXPECT_EQ(claim->algorithm, "AWS4-HMAC-SHA256");
    EXPECT_EQ(claim->credential, "a");
    EXPECT_EQ(claim->signed_headers, "h");
    EXPECT_EQ(claim->signature, "s");
    EXPECT_EQ(claim->date, "d");
    EXPECT_FALSE(claim->presigned);
  }
}

TEST(SignatureClaim, a_request_without_one_is_told_so) {
  constexpr std::string_view missing = "Request is missing Authentication Token";
  EXPECT_EQ(problem({"", "", ""}), missing);
  EXPECT_EQ(problem({"AWS4", "", ""}), missing);
  EXPECT_EQ(problem({"X", "X-Amz-Algorith", ""}), missing);
  EXPECT_EQ(problem({"Basic YTpi", "", "d"}), missing);
  EXPECT_EQ(
      problem({"", "X-Amz-Credential=a&X-Amz-Signature=b&X-Amz-SignedHeaders=c&X-Amz-Date=d", ""}),
      missing);
}

// The sentences dynalite recorded from AWS.
TEST(SignatureClaim, what_is_missing_is_named) {
  EXPECT_EQ(problem({"AWS4-", "", ""}),
            "Authorization header requires 'Credential' parameter. "
            "Authorization header requires 'Signature' parameter. "
            "Authorization header requires 'SignedHeaders' parameter. "
            "Authorization header requires existence of either a 'X-Amz-Date' or a 'Date' header. "
            "Authorization=AWS4-");
  for (const std::string text : {"AWS4- Signature=b Credential=a", "AWS4- Signature=b,Credential=a",
                                 "AWS4- Signature=b, Credential=a"}) {
    EXPECT_EQ(problem({text, "", "a"}),
              "Authorization header requires 'SignedHeaders' parameter. Authorization=" + text);
  }
  EXPECT_EQ(problem({"AWS4-HMAC-SHA256 Signature=b,    Credential", "", "a"}),
            "'Credential' not a valid key=value pair (missing equal-sign) in Authorization "
            "header: 'AWS4-HMAC-SHA256 Signature=b,    Credential'.");
  EXPECT_NE(problem({"AWS4-HMAC-SHA256 Credential=a b, SignedHeaders=h, Signature=s", "", "d"}),
            "");
  EXPECT_NE(problem({"AWS4-HMAC,x Credential=a, SignedHeaders=h, Signature=s", "", "d"}), "");
  EXPECT_NE(problem({kUsual, "", ""}), "");
  EXPECT_EQ(problem({kUsual, "", "d"}), "");
}

TEST(SignatureClaim, a_part_given_twice_is_refused) {
  EXPECT_NE(problem({kUsual + ", Signature=def", "", "d"}), "");
  EXPECT_NE(problem({kUsual + ",Credential=x", "", "d"}), "");
  EXPECT_NE(problem({"",
                     "X-Amz-Algorithm=a&X-Amz-Credential=b&X-Amz-Signature=c&X-Amz-Signature=d&"
                     "X-Amz-SignedHeaders=h&X-Amz-Date=d",
                     ""}),
            "");
}

TEST(SignatureClaim, header_and_query_exclude_each_other) {
  EXPECT_EQ(problem({"X", "X-Amz-Algorithm", ""}),
            "Found both 'X-Amz-Algorithm' as a query-string param and 'Authorization' as HTTP "
            "header.");
}

TEST(SignatureClaim, queries_must_be_complete_too) {
  EXPECT_EQ(problem({"", "X-Amz-Algorithm", ""}),
            "AWS query-string parameters must include 'X-Amz-Algorithm'. "
            "AWS query-string parameters must include 'X-Amz-Credential'. "
            "AWS query-string parameters must include 'X-Amz-Signature'. "
            "AWS query-string parameters must include 'X-Amz-SignedHeaders'. "
            "AWS query-string parameters must include 'X-Amz-Date'. "
            "Re-examine the query-string parameters.");
  EXPECT_EQ(
      problem({"", "X-Amz-Algorithm=a&X-Amz-Credential=b&X-Amz-Signature=c&X-Amz-Date=d", ""}),
      "AWS query-string parameters must include 'X-Amz-SignedHeaders'. "
      "Re-examine the query-string parameters.");
  const auto claim = read_claim({"",
                                 "X-Amz-Algorithm=a&X-Amz-Credential=b%2Fc&X-Amz-Signature=s&"
                                 "X-Amz-SignedHeaders=h%3Bi&X-Amz-Date=d&X-Amz-Expires=60",
                                 ""});
  ASSERT_TRUE(claim);
  EXPECT_TRUE(claim->presigned);
  EXPECT_EQ(claim->credential, "b/c");
  EXPECT_EQ(claim->signed_headers, "h;i");
  EXPECT_EQ(claim->expires, "60");
}

}  // namespace
}  // namespace partita
