#include "operations/tables/throughput_rules.h"

#include <algorithm>

namespace partita {
namespace {

constexpr std::int64_t kCapacityUnitsMax = 1'000'000'000'000;
// What a new on-demand table is ready for.
constexpr std::int64_t kOnDemandReadUnits = 12'000, kOnDemandWriteUnits = 4'000;

struct Member {
  const char* name;
  std::optional<std::int64_t> value;
};

}  // namespace

Error invalid_parameters(const std::string& what) {
  return Error::validation("One or more parameter values were invalid: " + what);
}

ProvisionedThroughputDescription capacity_of(const std::optional<ProvisionedThroughput>& asked) {
  ProvisionedThroughputDescription capacity;
  if (asked) {
    capacity.read_capacity_units = asked->read_capacity_units;
    capacity.write_capacity_units = asked->write_capacity_units;
  }
  return capacity;
}

Result<void> check_capacity_bounds(const ProvisionedThroughput& throughput) {
  const Member members[] = {{"ReadCapacityUnits", throughput.read_capacity_units},
                            {"WriteCapacityUnits", throughput.write_capacity_units}};
  for (const auto& [name, value] : members) {
    if (*value > kCapacityUnitsMax) {
      return Error::validation("Given value " + std::to_string(*value) + " for " + name +
                               " is out of bounds");
    }
  }
  return {};
}

Result<void> check_table_billing(const CreateTableRequest& request) {
  if (request.billing_mode == BillingMode::PayPerRequest) {
    if (!request.provisioned_throughput) return {};
    return invalid_parameters(
        "Neither ReadCapacityUnits nor WriteCapacityUnits can be specified when BillingMode is "
        "PAY_PER_REQUEST");
  }
  if (!request.provisioned_throughput) {
    return invalid_parameters(
        "ReadCapacityUnits and WriteCapacityUnits must both be specified when BillingMode is "
        "PROVISIONED");
  }
  return check_capacity_bounds(*request.provisioned_throughput);
}

Result<void> check_index_billing(const GlobalSecondaryIndex& index, BillingMode mode,
                                 CapacityChange change) {
  const bool creates_table = change == CapacityChange::Create;
  if (mode == BillingMode::PayPerRequest) {
    if (!index.provisioned_throughput) return {};
    return invalid_parameters(
        (creates_table ? "ProvisionedThroughput should not be specified for index: "
                       : "Neither ReadCapacityUnits nor WriteCapacityUnits can be specified for "
                         "index: ") +
        index.index_name + " when BillingMode is PAY_PER_REQUEST");
  }
  if (!index.provisioned_throughput) {
    return invalid_parameters(
        (creates_table ? "ProvisionedThroughput is not specified for index: "
                       : "Both ReadCapacityUnits and WriteCapacityUnits must be specified for "
                         "index: ") +
        index.index_name);
  }
  return check_capacity_bounds(*index.provisioned_throughput);
}

Result<void> check_on_demand(const std::optional<OnDemandThroughput>& on_demand, BillingMode mode,
                             const ThroughputOwner& owner, CapacityChange change) {
  if (!on_demand) return {};
  const Member members[] = {{"MaxReadRequestUnits", on_demand->max_read_request_units},
                            {"MaxWriteRequestUnits", on_demand->max_write_request_units}};
  for (const auto& [name, value] : members) {
    if (!value || mode != BillingMode::Provisioned) continue;
    std::string what = std::string(name) + " for OnDemandThroughput";
    if (!owner.is_table()) what += " for index: " + owner.index_name();
    what += change == CapacityChange::Create
                ? " cannot be specified when table BillingMode is PROVISIONED."
                : " cannot be specified when the table BillingMode is PROVISIONED";
    return invalid_parameters(what);
  }
  for (const auto& [name, value] : members) {
    if (!value || *value >= 1) continue;
    std::string what = std::string("Requested ") + name + " for OnDemandThroughput for ";
    what += owner.is_table() ? "table" : "index : " + owner.index_name();
    return invalid_parameters(what + " is outside of valid range");
  }
  return {};
}

Result<void> check_warm(const std::optional<WarmThroughput>& warm, BillingMode mode,
                        const std::optional<ProvisionedThroughput>& provisioned,
                        const ThroughputOwner& owner) {
  if (!warm) return {};
  const bool on_demand = mode == BillingMode::PayPerRequest;
  const ProvisionedThroughput least =
      on_demand ? ProvisionedThroughput{kOnDemandReadUnits, kOnDemandWriteUnits}
                : provisioned.value_or(ProvisionedThroughput{});
  const auto too_low = [&](const char* asked, const char* capacity) {
    std::string what = std::string("Requested ") + asked + " for WarmThroughput for ";
    what += owner.is_table() ? "table" : "index " + owner.index_name();
    what += on_demand ? " is lower than initial throughput for OnDemand. See: "
                        "https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/"
                        "on-demand-capacity-mode.html#on-demand-capacity-mode-initial"
                      : std::string(" is lower than ") + capacity + " of ProvisionedThroughput";
    return invalid_parameters(what);
  };
  if (warm->read_units_per_second && *warm->read_units_per_second < least.read_capacity_units) {
    return too_low("ReadUnitsPerSecond", "ReadCapacityUnits");
  }
  if (warm->write_units_per_second && *warm->write_units_per_second < least.write_capacity_units) {
    return too_low("WriteUnitsPerSecond", "WriteCapacityUnits");
  }
  return {};
}

std::optional<OnDemandThroughput> ceilings_set(const std::optional<OnDemandThroughput>& on_demand) {
  if (!on_demand || (!on_demand->max_read_request_units && !on_demand->max_write_request_units)) {
    return std::nullopt;
  }
  return on_demand;
}

std::optional<WarmThroughput> units_set(const std::optional<WarmThroughput>& warm) {
  if (!warm || (!warm->read_units_per_second && !warm->write_units_per_second)) return std::nullopt;
  return warm;
}

WarmThroughput warm_throughput_of(const std::optional<WarmThroughput>& asked, BillingMode mode,
                                  const ProvisionedThroughputDescription& provisioned) {
  const bool on_demand = mode == BillingMode::PayPerRequest;
  const std::int64_t read = on_demand ? kOnDemandReadUnits : provisioned.read_capacity_units;
  const std::int64_t write = on_demand ? kOnDemandWriteUnits : provisioned.write_capacity_units;
  WarmThroughput warm = asked.value_or(WarmThroughput{});
  warm.read_units_per_second = std::max(warm.read_units_per_second.value_or(read), read);
  warm.write_units_per_second = std::max(warm.write_units_per_second.value_or(write), write);
  return warm;
}

}  // namespace partita
