// What billing modes, capacities and throughput limits go together, for tables and global indexes.
#pragma once

#include <optional>
#include <string>

#include "partita/requests/tables.h"
#include "partita/result.h"

#include "catalog/table_schema.h"

namespace partita {

// A table or one of its global indexes, as messages name it.
class ThroughputOwner {
 public:
  static ThroughputOwner table() { return ThroughputOwner({}); }
  static ThroughputOwner index(std::string name) { return ThroughputOwner(std::move(name)); }
  bool is_table() const { return index_.empty(); }
  const std::string& index_name() const { return index_; }

 private:
  explicit ThroughputOwner(std::string index) : index_(std::move(index)) {}
  std::string index_;
};

// DynamoDB words some rules differently for CreateTable and UpdateTable.
enum class CapacityChange : std::uint8_t { Create, Update };

// "One or more parameter values were invalid: …"
Error invalid_parameters(const std::string& what);

// A capacity that was never changed.
ProvisionedThroughputDescription capacity_of(const std::optional<ProvisionedThroughput>& asked);

Result<void> check_capacity_bounds(const ProvisionedThroughput& throughput);

// CreateTable: the table's capacity against its billing mode.
Result<void> check_table_billing(const CreateTableRequest& request);
// One global index's capacity against the table's billing mode.
Result<void> check_index_billing(const GlobalSecondaryIndex& index, BillingMode mode,
                                 CapacityChange change = CapacityChange::Create);

Result<void> check_on_demand(const std::optional<OnDemandThroughput>& on_demand, BillingMode mode,
                             const ThroughputOwner& owner,
                             CapacityChange change = CapacityChange::Create);
Result<void> check_warm(const std::optional<WarmThroughput>& warm, BillingMode mode,
                        const std::optional<ProvisionedThroughput>& provisioned,
                        const ThroughputOwner& owner);

// What is asked for without its empty members; nothing when no member is left.
std::optional<OnDemandThroughput> ceilings_set(const std::optional<OnDemandThroughput>& on_demand);
std::optional<WarmThroughput> units_set(const std::optional<WarmThroughput>& warm);

// What the table or index can take at once: what was asked for, or what its billing mode starts
// with.
WarmThroughput warm_throughput_of(const std::optional<WarmThroughput>& asked, BillingMode mode,
                                  const ProvisionedThroughputDescription& provisioned);

}  // namespace partita
