// What a TransactWriteItems request is as a whole: how large, and which one.
#pragma once

#include "partita/requests/transactions.h"
#include "partita/result.h"

#include "value/fingerprint.h"

namespace partita {

// The actions of a transaction may have 4 MB together, as they are sent.
Result<void> check_payload_size(const TransactWriteItemsRequest& request);

// The same for requests that ask for the same actions, however their maps are ordered; what they
// want to be told does not matter.
Fingerprint fingerprint_of(const TransactWriteItemsRequest& request);

Error payload_too_large(std::size_t bytes);
inline constexpr std::size_t kPayloadBytesMax = 4 * 1024 * 1024;

inline Error multiple_operations_on_one_item() {
  return Error::validation("Transaction request cannot include multiple operations on one item");
}

}  // namespace partita
