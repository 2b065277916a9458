// Error: what went wrong, in DynamoDB's words.
//
// An Error is one pointer, so that Result<T> stays cheap to pass up. Code, message and extras are
// on the heap and built only on failure. Which HTTP status and `__type` a code has is known to the
// wire alone.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "partita/item.h"

namespace partita {

// One code per DynamoDB exception (without the word "Exception"), then the few that are ours.
enum class ErrorCode : std::uint8_t {
  Validation,
  Serialization,
  UnknownOperation,
  MissingAuthenticationToken,
  IncompleteSignature,
  InvalidSignature,
  UnrecognizedClient,
  AccessDenied,
  ConditionalCheckFailed,
  ResourceNotFound,
  ResourceInUse,
  TableNotFound,
  TableInUse,
  LimitExceeded,
  ItemCollectionSizeLimitExceeded,
  ProvisionedThroughputExceeded,
  RequestLimitExceeded,
  Throttling,
  TransactionCanceled,
  TransactionConflict,
  TransactionInProgress,
  IdempotentParameterMismatch,
  TrimmedDataAccess,
  ExpiredIterator,
  InternalServerError,
  ServiceUnavailable,

  // Ours. Neither reaches a client under this name.
  Conflict,    // an engine's guard failed: read again and retry
  CannotOpen,  // a database could not be opened; the message is one sentence for a person
};

// Why one action of a transaction was not carried out.
struct CancellationReason {
  std::string code = "None";
  std::string message;
  std::optional<Item> item;
};

// A limit that a throttled request ran into, and the table or index it belongs to.
struct ThrottlingReason {
  std::string reason;    // "TableWriteProvisionedThroughputExceeded"
  std::string resource;  // an ARN
};

class [[nodiscard]] Error {
 public:
  Error(ErrorCode code, std::string message)
      : body_(std::make_unique<Body>(Body{code, std::move(message), {}, {}, {}})) {}

  static Error validation(std::string message) {
    return Error(ErrorCode::Validation, std::move(message));
  }
  static Error internal(std::string message) {
    return Error(ErrorCode::InternalServerError, std::move(message));
  }
  static Error resource_not_found(std::string message) {
    return Error(ErrorCode::ResourceNotFound, std::move(message));
  }

  ErrorCode code() const { return body_->code; }
  const std::string& message() const { return body_->message; }

  // The item that made a condition fail, when the caller asked to see it.
  const std::optional<Item>& item() const { return body_->item; }
  void set_item(Item item) { body_->item = std::move(item); }

  const std::vector<CancellationReason>& cancellation_reasons() const { return body_->reasons; }
  void set_cancellation_reasons(std::vector<CancellationReason> reasons) {
    body_->reasons = std::move(reasons);
  }

  const std::vector<ThrottlingReason>& throttling_reasons() const { return body_->throttling; }
  void set_throttling_reasons(std::vector<ThrottlingReason> reasons) {
    body_->throttling = std::move(reasons);
  }

 private:
  struct Body {
    ErrorCode code;
    std::string message;
    std::optional<Item> item;
    std::vector<CancellationReason> reasons;
    std::vector<ThrottlingReason> throttling;
  };
  std::unique_ptr<Body> body_;
};

}  // namespace partita
