// Why a request was throttled: what an error with ErrorCode::ProvisionedThroughputExceeded or
// Throttling tells besides its message.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "partita/error.h"

namespace partita {

// A limit that the request ran into, and the table or index it belongs to.
struct ThrottlingReason {
  std::string reason;    // "TableWriteProvisionedThroughputExceeded"
  std::string resource;  // an ARN
};

inline bool is_throttling(ErrorCode code) {
  return code == ErrorCode::ProvisionedThroughputExceeded || code == ErrorCode::Throttling;
}

// They are kept where a cancelled transaction keeps its reasons; no error has both.
inline void set_throttling_reasons(Error& error, std::vector<ThrottlingReason> reasons) {
  std::vector<CancellationReason> kept;
  for (ThrottlingReason& reason : reasons) {
    kept.push_back({std::move(reason.reason), std::move(reason.resource), std::nullopt});
  }
  error.set_cancellation_reasons(std::move(kept));
}

inline std::vector<ThrottlingReason> throttling_reasons(const Error& error) {
  std::vector<ThrottlingReason> reasons;
  if (!is_throttling(error.code())) return reasons;
  for (const CancellationReason& kept : error.cancellation_reasons()) {
    reasons.push_back({kept.code, kept.message});
  }
  return reasons;
}

}  // namespace partita
