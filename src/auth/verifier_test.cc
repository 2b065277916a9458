#include "auth/verifier.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace partita {
namespace {

constexpr std::time_t kNow = 1767225600;  // 2026-01-01 00:00:00
constexpr std::string_view kDate = "20260101T000000Z";
constexpr SignatureScope kScope{"20260101", "us-east-1", "dynamodb"};

class VerifierTest : public testing::Test {
 protected:
  // Signs with `secret`; what is in `headers` otherwise.
  void sign(std::string_view id, std::string_view secret, std::string_view date = kDate,
            SignatureScope scope = kScope) {
    headers_[1].value = date_ = date;
    authorization_ = authorization_of({"POST", "/", "", headers_, body_}, id,
                                      SigningKey(secret, scope), date, scope);
  }
  std::string problem(std::time_t now = kNow) {
    const auto key = verifier_.verify({"POST", "/", query_, headers_, body_},
                                      {authorization_, query_, date_}, now);
    if (!key) return key.error().message();
    who_ = (*key)->id;
    return "";
  }

  AccessKeys keys_{"us-east-1", {{"A", "secret of A", ""}, {"B", "secret of B", "token of B"}}};
  SignatureVerifier verifier_{keys_};
  std::vector<HeaderField> headers_ = {
      {"Host", "h"}, {"X-Amz-Date", kDate}, {"X-Amz-Target", "DynamoDB_20120810.ListTables"}};
  std::string body_ = "{}";
  std::string query_;
  std::string date_{kDate};
  std::string authorization_;
  std::string who_;
};

constexpr std::string_view kMismatch = "The request signature we calculated does not match";

TEST_F(VerifierTest, knows_who_signed) {
  sign("A", "secret of A");
  EXPECT_EQ(problem(), "");
  EXPECT_EQ(who_, "A");
  headers_.push_back({"X-Amz-Security-Token", "token of B"});
  sign("B", "secret of B");
  EXPECT_EQ(problem(), "");
  EXPECT_EQ(who_, "B");
  // The key of a day is kept, and another day's is made.
  sign("B", "secret of B", "20260102T000000Z", {"20260102", "us-east-1", "dynamodb"});
  EXPECT_EQ(problem(kNow + 86400), "");
}

TEST_F(VerifierTest, nothing_may_be_altered) {
  sign("A", "secret of B");
  EXPECT_TRUE(problem().starts_with(kMismatch));
  sign("A", "secret of A");
  body_ = "{ }";
  EXPECT_TRUE(problem().starts_with(kMismatch));
  sign("A", "secret of A");
  headers_[2].value = "DynamoDB_20120810.DeleteTable";
  EXPECT_TRUE(problem().starts_with(kMismatch));
  headers_[2].value = "DynamoDB_20120810.ListTables";
  authorization_.pop_back();
  EXPECT_TRUE(problem().starts_with(kMismatch));
  sign("A", "secret of A");
  query_ = "a=b";
  EXPECT_TRUE(problem().starts_with(kMismatch));
}

TEST_F(VerifierTest, an_unknown_key_or_token_is_told_alike) {
  constexpr std::string_view unknown = "The security token included in the request is invalid.";
  sign("C", "secret of A");
  EXPECT_EQ(problem(), unknown);
  sign("B", "secret of B");  // its token is missing
  EXPECT_EQ(problem(), unknown);
  headers_.push_back({"X-Amz-Security-Token", "token of X"});
  sign("B", "secret of B");
  EXPECT_EQ(problem(), unknown);
  sign("A", "secret of A");  // has none
  EXPECT_EQ(problem(), unknown);
}

TEST_F(VerifierTest, signatures_are_good_for_a_quarter_of_an_hour) {
  sign("A", "secret of A");
  EXPECT_EQ(problem(kNow + 15 * 60), "");
  EXPECT_EQ(problem(kNow - 15 * 60), "");
  EXPECT_EQ(problem(kNow + 15 * 60 + 1),
            "Signature expired: 20260101T000000Z is now earlier than 20260101T000001Z "
            "(20260101T001501Z - 15 min.)");
  EXPECT_EQ(problem(kNow - 15 * 60 - 1),
            "Signature not yet current: 20260101T000000Z is still later than 20251231T235959Z "
            "(20251231T234459Z + 15 min.)");
  for (const std::string_view date :
       {"201", "20260101T000000", "20261301T000000Z", "20260230T000000Z", "20260101T250000Z",
        "2026-01-01T00:00Z"}) {
    date_ = date;
    EXPECT_EQ(problem(), "Date must be in ISO-8601 'basic format'. Got '" + date_ +
                             "'. See http://en.wikipedia.org/wiki/ISO_8601");
  }
}

TEST_F(VerifierTest, host_and_amz_headers_are_signed) {
  sign("A", "secret of A");
  headers_.push_back({"x-amz-anything", "1"});
  EXPECT_EQ(problem(), "'x-amz-anything' must be a 'SignedHeader' in the AWS Authorization.");
  headers_.pop_back();
  headers_.push_back({"x-amzn-trace-id", "1"});  // others may be added on the way
  headers_.push_back({"Content-Encoding", "gzip"});
  EXPECT_EQ(problem(), "");
  headers_[0].name = "Hosts";
  sign("A", "secret of A");
  EXPECT_EQ(problem(), "'Host' must be a 'SignedHeader' in the AWS Authorization.");
}

TEST_F(VerifierTest, scopes_are_ours) {
  sign("A", "secret of A", kDate, {"20260101", "eu-west-1", "dynamodb"});
  EXPECT_EQ(problem(), "Credential should be scoped to a valid region, not 'eu-west-1'.");
  sign("A", "secret of A", kDate, {"20251231", "us-east-1", "s3"});
  EXPECT_EQ(problem(),
            "Credential should be scoped to correct service: 'dynamodb'. Date in Credential scope "
            "does not match YYYYMMDD from ISO-8601 version of date from HTTP: '20251231' != "
            "'20260101', from '20260101T000000Z'.");
  authorization_ =
      "AWS4-HMAC-SHA256 Credential=a/b/c/d, SignedHeaders=host;x-amz-date;x-amz-target, "
      "Signature=s";
  EXPECT_EQ(problem(),
            "Credential must have exactly 5 slash-delimited elements, e.g. "
            "keyid/date/region/service/term, got 'a/b/c/d'");
  authorization_ =
      "AWS4-HMAC-SHA1 Credential=a, SignedHeaders=host;x-amz-date;x-amz-target, "
      "Signature=s";
  EXPECT_EQ(problem(),
            "Unsupported AWS 'algorithm': 'AWS4-HMAC-SHA1' (only AWS4-HMAC-SHA256 for now). ");
}

}  // namespace
}  // namespace partita
