// DescribeTimeToLive: whether items of a table expire, and by which attribute.
#include "catalog/table_lifecycle.h"
#include "operations/tables/named_table.h"
#include "operations/tables/table_operations.h"

namespace partita {

namespace {

TimeToLiveStatus status_of(IndexPhase phase) {
  switch (phase) {
    case IndexPhase::Joining:
    case IndexPhase::Filling:
      return TimeToLiveStatus::Enabling;
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
  return TimeToLiveDescription{status_of(table->expiry->index.phase), table->expiry->attribute()};
}

}  // namespace partita
