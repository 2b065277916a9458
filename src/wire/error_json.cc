#include "wire/error_json.h"

#include "formats/json_writer.h"
#include "formats/value_json.h"

namespace partita {

namespace {

// How one code looks on the wire. Most exceptions belong to DynamoDB, some to the framework under
// it, which spells `Message` its own way in two of them.
struct ErrorShape {
  std::string_view origin;
  std::string_view name;
  int status = 400;
  std::string_view message_member = "message";
};

constexpr std::string_view kDynamoDb = "com.amazonaws.dynamodb.v20120810#";
constexpr std::string_view kService = "com.amazon.coral.service#";
constexpr std::string_view kAvailability = "com.amazon.coral.availability#";

ErrorShape shape_of(ErrorCode code) {
  switch (code) {
    case ErrorCode::Validation:
      return {"com.amazon.coral.validate#", "ValidationException"};
    case ErrorCode::Serialization:
      return {kService, "SerializationException", 400, "Message"};
    case ErrorCode::UnknownOperation:
      return {kService, "UnknownOperationException"};
    case ErrorCode::MissingAuthenticationToken:
      return {kService, "MissingAuthenticationTokenException"};
    case ErrorCode::IncompleteSignature:
      return {kService, "IncompleteSignatureException"};
    case ErrorCode::InvalidSignature:
      return {kService, "InvalidSignatureException"};
    case ErrorCode::UnrecognizedClient:
      return {kService, "UnrecognizedClientException"};
    case ErrorCode::AccessDenied:
      return {kService, "AccessDeniedException", 400, "Message"};
    case ErrorCode::Throttling:
      return {kAvailability, "ThrottlingException"};
    case ErrorCode::ConditionalCheckFailed:
      return {kDynamoDb, "ConditionalCheckFailedException"};
    case ErrorCode::ResourceNotFound:
      return {kDynamoDb, "ResourceNotFoundException"};
    case ErrorCode::ResourceInUse:
      return {kDynamoDb, "ResourceInUseException"};
    case ErrorCode::TableNotFound:
      return {kDynamoDb, "TableNotFoundException"};
    case ErrorCode::TableInUse:
      return {kDynamoDb, "TableInUseException"};
    case ErrorCode::LimitExceeded:
      return {kDynamoDb, "LimitExceededException"};
    case ErrorCode::ItemCollectionSizeLimitExceeded:
      return {kDynamoDb, "ItemCollectionSizeLimitExceededException"};
    case ErrorCode::ProvisionedThroughputExceeded:
      return {kDynamoDb, "ProvisionedThroughputExceededException"};
    case ErrorCode::RequestLimitExceeded:
      return {kDynamoDb, "RequestLimitExceeded"};
    case ErrorCode::TransactionCanceled:
      return {kDynamoDb, "TransactionCanceledException", 400, "Message"};
    case ErrorCode::TransactionConflict:
      return {kDynamoDb, "TransactionConflictException"};
    case ErrorCode::TransactionInProgress:
      return {kDynamoDb, "TransactionInProgressException"};
    case ErrorCode::IdempotentParameterMismatch:
      return {kDynamoDb, "IdempotentParameterMismatchException", 400, "Message"};
    case ErrorCode::TrimmedDataAccess:
      return {kDynamoDb, "TrimmedDataAccessException"};
    case ErrorCode::ExpiredIterator:
      return {kDynamoDb, "ExpiredIteratorException"};
    case ErrorCode::ServiceUnavailable:
      return {kAvailability, "ServiceUnavailableException", 503};
    case ErrorCode::InternalServerError:
    case ErrorCode::Conflict:
    case ErrorCode::CannotOpen:
      break;
  }
  return {kDynamoDb, "InternalServerError", 500};
}

void write_reasons(JsonWriter& json, const std::vector<CancellationReason>& reasons) {
  json.member("CancellationReasons");
  json.begin_array();
  for (const CancellationReason& reason : reasons) {
    json.element();
    json.begin_object();
    json.member("Code");
    json.string(reason.code);
    if (reason.item) {
      json.member("Item");
      write_json(json, reason.item->view());
    }
    if (!reason.message.empty()) {
      json.member("Message");
      json.string(reason.message);
    }
    json.end_object();
  }
  json.end_array();
}

void write_throttling_reasons(JsonWriter& json, const std::vector<ThrottlingReason>& reasons) {
  if (reasons.empty()) return;
  json.member("ThrottlingReasons");
  json.begin_array();
  for (const ThrottlingReason& reason : reasons) {
    json.element();
    json.begin_object();
    json.member("reason");
    json.string(reason.reason);
    json.member("resource");
    json.string(reason.resource);
    json.end_object();
  }
  json.end_array();
}

}  // namespace

std::string_view error_name(ErrorCode code) { return shape_of(code).name; }

int error_status(ErrorCode code) { return shape_of(code).status; }

int write_error(const Error& error, TextBuffer& out) {
  const ErrorShape shape = shape_of(error.code());
  JsonWriter json(out);
  json.begin_object();
  json.member("__type");
  json.string(std::string(shape.origin).append(shape.name));
  write_throttling_reasons(json, error.throttling_reasons());
  if (!error.cancellation_reasons().empty()) write_reasons(json, error.cancellation_reasons());
  if (error.item()) {
    json.member("Item");
    write_json(json, error.item()->view());
  }
  // Malformed JSON and unknown operations have nothing to say but their type.
  if (!error.message().empty()) {
    json.member(shape.message_member);
    json.string(error.message());
  }
  json.end_object();
  return shape.status;
}

}  // namespace partita
