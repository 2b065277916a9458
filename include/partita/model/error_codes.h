// What can go wrong in the kit itself, besides what an Api answers.
#pragma once

#include "partita/error.h"

namespace partita::model {

// Codes from 128 are the kit's; no Api answers them.
inline constexpr ErrorCode KeyIncomplete{
    128};  // a key needs a member that is empty or does not fit
inline constexpr ErrorCode EntityInvalid{129};  // validation failed, or a member has no stored form
inline constexpr ErrorCode EntityUnreadable{130};  // an item is not what its entity says
inline constexpr ErrorCode StaleVersion{131};      // optimistic locking: changed since it was read
inline constexpr ErrorCode NotUnique{132};         // another item has this value already
inline constexpr ErrorCode CursorInvalid{133};     // a cursor that is damaged or of another query
inline constexpr ErrorCode MigrationLocked{134};   // somebody else runs this migration

// Did a transaction fail because of others that were under way, and not of what is stored?
inline bool is_conflict(const Error& error) {
  if (error.code() != ErrorCode::TransactionCanceled) {
    return error.code() == ErrorCode::TransactionConflict ||
           error.code() == ErrorCode::TransactionInProgress;
  }
  bool found = false;
  for (const CancellationReason& reason : error.cancellation_reasons()) {
    if (reason.code != "None" && reason.code != "TransactionConflict") return false;
    found |= reason.code == "TransactionConflict";
  }
  return found;
}

// The same request may succeed a moment later. BatchWrite and BatchGet try again by themselves.
inline bool is_retryable(const Error& error) {
  if (is_conflict(error)) return true;
  switch (error.code()) {
    case ErrorCode::ProvisionedThroughputExceeded:
    case ErrorCode::RequestLimitExceeded:
    case ErrorCode::Throttling:
    case ErrorCode::ServiceUnavailable:
      return true;
    default:
      return false;
  }
}

}  // namespace partita::model
