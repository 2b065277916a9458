#include "execution/throttle.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace partita {

namespace {

using namespace std::chrono_literals;

// Of Access::Read and Access::Write.
constexpr double kPartitionUnits[] = {3000, 1000};
constexpr double kAccountUnits[] = {40'000, 40'000};  // for a table on demand, by default
constexpr double kBurstSeconds = 300;                 // of unused provisioned capacity are kept
constexpr double kNoBurst = 1;
constexpr std::size_t kPartitionsOnDemand = 4;  // of a new table

// A partition that keeps refusing is split after a while, between the keys it refused.
constexpr auto kHotTime = 60s, kCooledTime = 10s;
constexpr std::size_t kPartitionsMax = 4096;
constexpr std::size_t kRefusedKept = 16;

// What a client is told, and what is counted.
struct ReasonName {
  std::string_view reason;
  std::string_view figure;
};
constexpr ReasonName kReasonNames[] = {
    {"TableReadProvisionedThroughputExceeded", "throttled_table_read_provisioned_throughput"},
    {"TableReadMaxOnDemandThroughputExceeded", "throttled_table_read_max_on_demand_throughput"},
    {"TableReadAccountLimitExceeded", "throttled_table_read_account_limit"},
    {"TableReadKeyRangeThroughputExceeded", "throttled_table_read_key_range_throughput"},
    {"TableWriteProvisionedThroughputExceeded", "throttled_table_write_provisioned_throughput"},
    {"TableWriteMaxOnDemandThroughputExceeded", "throttled_table_write_max_on_demand_throughput"},
    {"TableWriteAccountLimitExceeded", "throttled_table_write_account_limit"},
    {"TableWriteKeyRangeThroughputExceeded", "throttled_table_write_key_range_throughput"},
    {"IndexReadProvisionedThroughputExceeded", "throttled_index_read_provisioned_throughput"},
    {"IndexReadMaxOnDemandThroughputExceeded", "throttled_index_read_max_on_demand_throughput"},
    {"IndexReadAccountLimitExceeded", "throttled_index_read_account_limit"},
    {"IndexReadKeyRangeThroughputExceeded", "throttled_index_read_key_range_throughput"},
    {"IndexWriteProvisionedThroughputExceeded", "throttled_index_write_provisioned_throughput"},
    {"IndexWriteMaxOnDemandThroughputExceeded", "throttled_index_write_max_on_demand_throughput"},
    {"IndexWriteAccountLimitExceeded", "throttled_index_write_account_limit"},
    {"IndexWriteKeyRangeThroughputExceeded", "throttled_index_write_key_range_throughput"},
};

bool is_provisioned(const Throttle::Target& target) {
  return target.table.billing_mode == BillingMode::Provisioned;
}

double provisioned_units(const Throttle::Target& target, Access access) {
  const auto& given = target.index ? target.index->throughput : target.table.throughput;
  return static_cast<double>(access == Access::Read ? given.read_capacity_units
                                                    : given.write_capacity_units);
}

std::optional<double> max_on_demand_units(const Throttle::Target& target, Access access) {
  const auto& given =
      target.index ? target.index->on_demand_throughput : target.table.on_demand_throughput;
  if (!given) return std::nullopt;
  const auto units =
      access == Access::Read ? given->max_read_request_units : given->max_write_request_units;
  if (!units || *units <= 0) return std::nullopt;
  return static_cast<double>(*units);
}

// As many partitions as it takes to carry what the table is made for.
std::size_t partitions_wanted(const Throttle::Target& target) {
  if (is_provisioned(target)) {
    const double wanted = provisioned_units(target, Access::Read) / kPartitionUnits[0] +
                          provisioned_units(target, Access::Write) / kPartitionUnits[1];
    return std::clamp(static_cast<std::size_t>(std::ceil(wanted)), std::size_t{1}, kPartitionsMax);
  }
  const auto& warm = target.index ? target.index->warm_throughput : target.table.warm_throughput;
  if (!warm) return kPartitionsOnDemand;
  const double wanted =
      std::max(static_cast<double>(warm->read_units_per_second.value_or(0)) / kPartitionUnits[0],
               static_cast<double>(warm->write_units_per_second.value_or(0)) / kPartitionUnits[1]);
  return std::clamp(static_cast<std::size_t>(std::ceil(wanted)), kPartitionsOnDemand,
                    kPartitionsMax);
}

std::string message_of(bool provisioned, bool index, bool max_on_demand) {
  if (provisioned && index) {
    return "The level of configured provisioned throughput for one or more global secondary "
           "indexes of the table was exceeded. Consider increasing your provisioning level for the "
           "under-provisioned global secondary indexes with the UpdateTable API";
  }
  if (provisioned) {
    return "The level of configured provisioned throughput for the table was exceeded. Consider "
           "increasing your provisioning level with the UpdateTable API.";
  }
  if (max_on_demand) {
    return "Throughput exceeds the maximum OnDemandThroughput configured on table or index";
  }
  if (index) {
    return "Throughput exceeds the current capacity for one or more global secondary indexes. "
           "DynamoDB is automatically scaling your index so please try again shortly.";
  }
  return "Throughput exceeds the current capacity of your table or index. DynamoDB is "
         "automatically scaling your table or index so please try again shortly. If exceptions "
         "persist, check if you have a hot key: https://docs.aws.amazon.com/amazondynamodb/latest/"
         "developerguide/bp-partition-key-design.html";
}

}  // namespace

Throttle::Resource& Throttle::resource_of(const Target& target) {
  Resource& resource = resources_[target.index ? target.index->space : target.table.space];
  const std::size_t wanted = partitions_wanted(target);
  if (resource.partitions.empty()) {
    for (std::size_t i = 0; i < wanted; ++i) {
      resource.partitions[~std::uint64_t{0} / wanted * i];
    }
  }
  // Raised since: those there are share out the rest.
  while (resource.partitions.size() < wanted) {
    auto widest = resource.partitions.begin();
    std::uint64_t width_max = 0;
    for (auto at = resource.partitions.begin(); at != resource.partitions.end(); ++at) {
      const auto next = std::next(at);
      const std::uint64_t end = next == resource.partitions.end() ? ~std::uint64_t{0} : next->first;
      if (end - at->first > width_max) {
        width_max = end - at->first;
        widest = at;
      }
    }
    resource.partitions[widest->first + width_max / 2];
  }
  return resource;
}

Throttle::Partition& Throttle::partition_of(Resource& resource, std::uint64_t hash) {
  return std::prev(resource.partitions.upper_bound(hash))->second;
}

void Throttle::refill(Resource& resource, const Target& target, Access access, TimePoint now) {
  const auto which = static_cast<std::size_t>(access);
  const TimePoint since = target.table.created_at;
  if (is_provisioned(target)) {
    resource.provisioned[which].refill(now, since, provisioned_units(target, access),
                                       kBurstSeconds);
  } else {
    resource.account[which].refill(now, now, kAccountUnits[which], kNoBurst);
    if (const auto most = max_on_demand_units(target, access)) {
      resource.max_on_demand[which].refill(now, now, *most, kNoBurst);
    }
  }
  if (target.hash) {
    partition_of(resource, *target.hash)
        .buckets[which]
        .refill(now, now, kPartitionUnits[which], kNoBurst);
  }
}

Result<void> Throttle::admit(const Target& target, Access access, TimePoint now) {
  const auto which = static_cast<std::size_t>(access);
  const std::lock_guard lock(mutex_);
  Resource& resource = resource_of(target);
  refill(resource, target, access, now);
  std::vector<Limit> exceeded;
  if (is_provisioned(target)) {
    if (resource.provisioned[which].is_empty()) exceeded.push_back(Limit::Provisioned);
  } else {
    if (max_on_demand_units(target, access) && resource.max_on_demand[which].is_empty()) {
      exceeded.push_back(Limit::MaxOnDemand);
    }
    if (resource.account[which].is_empty()) exceeded.push_back(Limit::Account);
  }
  if (target.hash && partition_of(resource, *target.hash).buckets[which].is_empty()) {
    exceeded.push_back(Limit::KeyRange);
    note_heat(resource, *target.hash, now);
  }
  if (exceeded.empty()) return {};
  return refusal(target, access, exceeded);
}

void Throttle::charge(const Target& target, Access access, double units, TimePoint now) {
  const auto which = static_cast<std::size_t>(access);
  const std::lock_guard lock(mutex_);
  Resource& resource = resource_of(target);
  refill(resource, target, access, now);
  if (is_provisioned(target)) {
    resource.provisioned[which].take(units);
  } else {
    resource.account[which].take(units);
    if (max_on_demand_units(target, access)) resource.max_on_demand[which].take(units);
  }
  if (target.hash) partition_of(resource, *target.hash).buckets[which].take(units);
}

// Splits between the keys that were refused, so that in the end a hot key has a partition to
// itself, and no more than that.
void Throttle::note_heat(Resource& resource, std::uint64_t hash, TimePoint now) {
  Partition& partition = partition_of(resource, hash);
  if (partition.refused.empty() || now - partition.last_refused > kCooledTime) {
    partition.hot_since = now;
    partition.refused.clear();
  }
  partition.last_refused = now;
  auto& refused = partition.refused;
  const bool known = std::find(refused.begin(), refused.end(), hash) != refused.end();
  if (!known && refused.size() < kRefusedKept) refused.push_back(hash);
  if (now - partition.hot_since < kHotTime || refused.size() < 2 ||
      resource.partitions.size() >= kPartitionsMax) {
    return;
  }
  std::sort(refused.begin(), refused.end());
  const std::uint64_t middle = refused[refused.size() / 2];
  refused.clear();
  resource.partitions[middle];
}

Error Throttle::refusal(const Target& target, Access access, const std::vector<Limit>& limits) {
  const bool provisioned = is_provisioned(target);
  const bool index = target.index != nullptr;
  Error error(provisioned ? ErrorCode::ProvisionedThroughputExceeded : ErrorCode::Throttling,
              message_of(provisioned, index, limits.front() == Limit::MaxOnDemand));
  const std::string resource =
      index ? target.table.arn + "/index/" + target.index->name : target.table.arn;
  std::vector<ThrottlingReason> reasons;
  for (const Limit limit : limits) {
    const std::size_t reason = reason_index(index, access, limit);
    refused_[reason].fetch_add(1, std::memory_order_relaxed);
    reasons.push_back({std::string(kReasonNames[reason].reason), resource});
  }
  error.set_throttling_reasons(std::move(reasons));
  return error;
}

Result<void> Throttle::admit_write(const WritePlan& plan, TimePoint now) {
  return admit({plan.table(), nullptr, plan.key().hash}, Access::Write, now);
}

Result<void> Throttle::admit_indexes(const TableSchema& table, const Charge& charge,
                                     TimePoint now) {
  for (const Charge::IndexUnits& part : charge.indexes) {
    if (!part.index->global) continue;
    PARTITA_CHECK(admit({table, part.index, part.hash}, Access::Write, now));
  }
  return {};
}

void Throttle::charge_write(const WritePlan& plan, const Charge& charge, TimePoint now) {
  const TableSchema& table = plan.table();
  double table_units = charge.table_units;  // with local indexes
  for (const Charge::IndexUnits& part : charge.indexes) {
    if (part.index->global) {
      this->charge({table, part.index, part.hash}, Access::Write, part.units, now);
    } else {
      table_units += part.units;
    }
  }
  this->charge({table, nullptr, plan.key().hash}, Access::Write, table_units, now);
}

std::vector<EngineFigure> Throttle::figures() const {
  std::vector<EngineFigure> figures;
  for (std::size_t i = 0; i < kReasons; ++i) {
    figures.push_back({kReasonNames[i].figure,
                       "Requests, or entries of batches and transactions, over this limit.",
                       static_cast<double>(refused_[i].load(std::memory_order_relaxed))});
  }
  return figures;
}

}  // namespace partita
