// Cancelled transactions, in DynamoDB's words.
#pragma once

#include <string>
#include <vector>

#include "partita/error.h"
#include "partita/result.h"

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
  const auto name = [&] {
    switch (error.code()) {
      case ErrorCode::ConditionalCheckFailed:
        return "ConditionalCheckFailed";
      case ErrorCode::ProvisionedThroughputExceeded:
        return "ProvisionedThroughputExceeded";
      case ErrorCode::Throttling:
        return "ThrottlingError";
      default:
        return "ValidationError";
    }
  };
  return {name(), error.message(), error.item()};
}

// Calls `check` with the position of each action. Ok, or a transaction cancelled for all the
// reasons that were found.
template <typename Check>
Result<void> check_actions(std::size_t actions, Check check) {
  std::vector<CancellationReason> reasons;
  for (std::size_t i = 0; i < actions; ++i) {
    const Result<void> checked = check(i);
    if (checked) continue;
    reasons.resize(actions);
    reasons[i] = reason_of(checked.error());
  }
  if (!reasons.empty()) return transaction_canceled(std::move(reasons));
  return {};
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
