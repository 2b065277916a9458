// Throttle: how fast tables and global indexes may be read and written, metered as DynamoDB does.
// Only with Options::throttle.
//
// Every table and global index has a limit as a whole, and its partitions have one each: ranges of
// the hash that begin few and split when they are hot. A partition may use all that the table has
// left up to its own limit, which is what adaptive capacity comes to. What a request costs is known
// when it is done, so a request is admitted while something is left, and may leave a debt.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <vector>

#include "partita/error.h"
#include "partita/figures.h"
#include "partita/result.h"

#include "base/clock.h"
#include "catalog/table_schema.h"
#include "execution/capacity.h"
#include "execution/token_bucket.h"
#include "plan/write_plan.h"

namespace partita {

enum class Access : std::uint8_t { Read, Write };

class Throttle {
 public:
  // What is read or written: a table (its local indexes are part of it), or a global index of it.
  struct Target {
    const TableSchema& table;
    const IndexSchema* index = nullptr;
    // The hash of the partition key; none for a scan, which is all over the place.
    std::optional<std::uint64_t> hash{};
  };

  // ErrorCode::ProvisionedThroughputExceeded or Throttling, with reasons, when a limit is used up.
  Result<void> admit(const Target& target, Access access, TimePoint now);
  void charge(const Target& target, Access access, double units, TimePoint now);

  // A write is admitted by its table, then by the global indexes it turns out to touch: an index
  // that cannot follow holds its table's writes back. It is charged when it is done.
  Result<void> admit_write(const WritePlan& plan, TimePoint now);
  Result<void> admit_indexes(const TableSchema& table, const Charge& charge, TimePoint now);
  void charge_write(const WritePlan& plan, const Charge& charge, TimePoint now);

  // Requests refused, by reason.
  std::vector<EngineFigure> figures() const;

 private:
  // Why, in the order of kLimitNames.
  enum class Limit : std::uint8_t { Provisioned, MaxOnDemand, Account, KeyRange };
  static constexpr std::size_t kLimits = 4, kReasons = 2 * 2 * kLimits;
  static constexpr std::size_t reason_index(bool index, Access access, Limit limit) {
    return (static_cast<std::size_t>(index) * 2 + static_cast<std::size_t>(access)) * kLimits +
           static_cast<std::size_t>(limit);
  }

  struct Partition {
    TokenBucket buckets[2];  // by Access
    TimePoint hot_since{};
    TimePoint last_refused{};
    std::vector<std::uint64_t> refused;  // different hashes, a few
  };
  struct Resource {
    TokenBucket provisioned[2];
    TokenBucket max_on_demand[2];
    TokenBucket account[2];
    std::map<std::uint64_t, Partition> partitions;  // by the first hash
  };
  Resource& resource_of(const Target& target);
  Partition& partition_of(Resource& resource, std::uint64_t hash);
  void refill(Resource& resource, const Target& target, Access access, TimePoint now);
  void note_heat(Resource& resource, std::uint64_t hash, TimePoint now);
  Error refusal(const Target& target, Access access, const std::vector<Limit>& limits);

  std::array<std::atomic<std::uint64_t>, kReasons> refused_{};
  std::mutex mutex_;  // guards what follows
  std::map<SpaceId, Resource> resources_;
};

}  // namespace partita
