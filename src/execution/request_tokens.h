// Request tokens: transactions that have happened and may be asked for again.
//
// A ClientRequestToken is remembered for ten minutes in a row that is part of the transaction's own
// commit, so that it is there exactly when the transaction has happened, through a crash too. Its
// place is kTokenSpace (catalog/key_space.h); the partition key is the token, an S; there is no
// sort key. The row is an encoded item:
//
//   format       N  1
//   expires      N  milliseconds since 1970
//   fingerprint  B  16 bytes: of the request's actions
//   reads        M  table name → N read units a repetition is charged for
#pragma once

#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "partita/result.h"

#include "base/clock.h"
#include "storage/engine.h"
#include "value/fingerprint.h"

namespace partita {

inline constexpr std::chrono::minutes kTokenLifetime{10};

// What a transaction is asked for with.
struct RequestToken {
  std::string_view token;
  Fingerprint fingerprint;
};

// What is remembered of a transaction that happened.
struct RememberedRequest {
  Fingerprint fingerprint{};
  TimePoint expires{};
  std::map<std::string, std::int64_t, std::less<>> read_units;  // by table
};

// The row of one token.
class TokenRow {
 public:
  explicit TokenRow(std::string_view token);

  // Reads the row. What has expired is as good as not there.
  Result<std::optional<RememberedRequest>> read(Engine& engine, TimePoint now, Version& depends_on);
  // The part of a commit that remembers the request; fails if the row is no longer as it was read.
  PartitionBatch remember(const RememberedRequest& request);

 private:
  std::string partition_key_;
  Partition partition_;
  Version version_ = 0;
  std::string value_;
  Guard guard_;
  Edit edit_;
};

// Removes rows that have expired, `rows_max` looked at per call, from `position` on in a circle.
// Returns how many were removed.
Result<std::size_t> remove_expired_tokens(Engine& engine, TimePoint now, std::size_t rows_max,
                                          std::optional<std::string>& position);

}  // namespace partita
