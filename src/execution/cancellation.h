// Cancelled transactions, in DynamoDB's words.
#pragma once

#include <string>
#include <vector>

#include "partita/error.h"

namespace partita {

inline constexpr std::string_view kTransactionOngoing = "Transaction is ongoing for the item";

inline Error transaction_canceled(std::vector<CancellationReason> reasons) {
  std::string message =
      "Transaction cancelled, please refer cancellation reasons for specific reasons [";
  for (const CancellationReason& reason : reasons) {
    if (&reason != &reasons.front()) message.append(", ");
    message.append(reason.code);
  }
  Error error(ErrorCode::TransactionCanceled, message + "]");
  error.set_cancellation_reasons(std::move(reasons));
  return error;
}

// What one action's error means for the transaction.
inline CancellationReason reason_of(const Error& error) {
  return {error.code() == ErrorCode::ConditionalCheckFailed ? "ConditionalCheckFailed"
                                                            : "ValidationError",
          error.message(), error.item()};
}

// `busy` are the actions whose item is in another transaction.
inline Error transaction_conflict(std::size_t actions, const std::vector<std::size_t>& busy) {
  std::vector<CancellationReason> reasons(actions);
  for (const std::size_t index : busy) {
    reasons[index] = {"TransactionConflict", std::string(kTransactionOngoing), std::nullopt};
  }
  return transaction_canceled(std::move(reasons));
}

}  // namespace partita
