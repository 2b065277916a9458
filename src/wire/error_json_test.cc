#include "wire/error_json.h"

#include <string>

#include <gtest/gtest.h>

namespace partita {
namespace {

std::string written(const Error& error, int status) {
  TextBuffer out;
  EXPECT_EQ(write_error(error, out), status);
  return std::string(out.view());
}

TEST(ErrorJson, types_belong_to_dynamodb_or_to_its_framework) {
  const struct {
    ErrorCode code;
    int status;
    std::string_view type;
    std::string_view member;
  } cases[] = {
      {ErrorCode::Validation, 400, "com.amazon.coral.validate#ValidationException", "message"},
      {ErrorCode::Serialization, 400, "com.amazon.coral.service#SerializationException", "Message"},
      {ErrorCode::UnrecognizedClient, 400, "com.amazon.coral.service#UnrecognizedClientException",
       "message"},
      {ErrorCode::AccessDenied, 400, "com.amazon.coral.service#AccessDeniedException", "Message"},
      {ErrorCode::ResourceInUse, 400, "com.amazonaws.dynamodb.v20120810#ResourceInUseException",
       "message"},
      {ErrorCode::LimitExceeded, 400, "com.amazonaws.dynamodb.v20120810#LimitExceededException",
       "message"},
      {ErrorCode::ProvisionedThroughputExceeded, 400,
       "com.amazonaws.dynamodb.v20120810#ProvisionedThroughputExceededException", "message"},
      {ErrorCode::InternalServerError, 500, "com.amazonaws.dynamodb.v20120810#InternalServerError",
       "message"},
      {ErrorCode::Conflict, 500, "com.amazonaws.dynamodb.v20120810#InternalServerError", "message"},
      {ErrorCode::ServiceUnavailable, 503,
       "com.amazon.coral.availability#ServiceUnavailableException", "message"},
  };
  for (const auto& test : cases) {
    EXPECT_EQ(written(Error(test.code, "why \"so\""), test.status),
              "{\"__type\":\"" + std::string(test.type) + "\",\"" + std::string(test.member) +
                  "\":\"why \\\"so\\\"\"}");
  }
}

TEST(ErrorJson, shows_the_item_that_failed_a_condition) {
  Error error(ErrorCode::ConditionalCheckFailed, "The conditional request failed");
  error.set_item(Item{{"pk", Value::string("a")}});
  EXPECT_EQ(written(error, 400),
            R"({"__type":"com.amazonaws.dynamodb.v20120810#ConditionalCheckFailedException",)"
            R"("Item":{"pk":{"S":"a"}},"message":"The conditional request failed"})");
}

TEST(ErrorJson, gives_the_reasons_of_a_cancelled_transaction) {
  Error error(ErrorCode::TransactionCanceled, "Transaction cancelled");
  std::vector<CancellationReason> reasons(2);
  reasons[1] = {"ConditionalCheckFailed", "The conditional request failed",
                Item{{"n", Value::number(1)}}};
  error.set_cancellation_reasons(std::move(reasons));
  EXPECT_EQ(written(error, 400),
            R"({"__type":"com.amazonaws.dynamodb.v20120810#TransactionCanceledException",)"
            R"("CancellationReasons":[{"Code":"None"},{"Code":"ConditionalCheckFailed",)"
            R"("Item":{"n":{"N":"1"}},"Message":"The conditional request failed"}],)"
            R"("Message":"Transaction cancelled"})");
}

}  // namespace
}  // namespace partita
