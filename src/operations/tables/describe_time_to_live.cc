// DescribeTimeToLive: whether items of a table expire, and by which attribute.
#include "catalog/table_lifecycle.h"
#include "operations/tables/named_table.h"
#include "operations/tables/table_operations.h"

namespace partita {

namespace {

// On AWS ENABLING is over, or not there at all, when a client asks right after UpdateTimeToLive
// (ScyllaDB's test_ttl_enable; DDB-TABLE-143 of the ack-api-quirks lab).
TimeToLiveStatus expiry_status(const IndexSchema& index) {
  switch (index.phase) {
    case IndexPhase::Joining:
    case IndexPhase::Filling:
      return index.backfilling ? TimeToLiveStatus::Enabling : TimeToLiveStatus::Enabled;
    case IndexPhase::Serving:
      return TimeToLiveStatus::Enabled;
    case IndexPhase::Leaving:
      return TimeToLiveStatus::Disabling;
  }
  __builtin_unreachable();
}

}  // namespace

Result<TimeToLiveDescription> describe_time_to_live(const OperationContext& context,
                                                    const DescribeTimeToLiveRequest& request) {
  PARTITA_TRY(const TablePointer table, named_table(context, request.table_name));
  if (!serves_items(*table, context.now)) {
    const bool creating = status_at(*table, context.now) == TableStatus::Creating;
    const std::string state = creating ? "CREATING" : "DELETING";
    return Error::validation("Cannot describe time to live while table is in " + state +
                             " state: Current table state is " + state);
  }
  if (!table->expiry) return TimeToLiveDescription{};
  return TimeToLiveDescription{expiry_status(table->expiry->index), table->expiry->attribute()};
}

}  // namespace partita
