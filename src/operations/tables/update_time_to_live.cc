// UpdateTimeToLive: items are deleted in the background once the moment an attribute names is past.
//
// What is refused and in which order: recorded from AWS in 2026 by the ack-api-quirks lab
// (DDB-TABLE-143, 146, 147).
#include "catalog/table_lifecycle.h"
#include "operations/tables/constraint_list.h"
#include "operations/tables/named_table.h"
#include "operations/tables/table_operations.h"

namespace partita {
namespace {

constexpr std::chrono::hours kBetweenChanges{1};

bool changed_lately(const TableSchema& table, TimePoint now) {
  if (!table.expiry_changed_at) return false;
  const TimePoint changed = *table.expiry_changed_at;
  return now < changed + kBetweenChanges && now + kClockLateMax >= changed;
}

Result<void> check_change(const TableSchema& table, const TimeToLiveSpecification& wanted,
                          TimePoint now) {
  const bool leaving = table.expiry && table.expiry->index.phase == IndexPhase::Leaving;
  if (table.expiry && !leaving) {
    const std::string& current = table.expiry->attribute();
    if (current != wanted.attribute_name) {
      return Error::validation(
          "TimeToLive is active on a different AttributeName: current AttributeName is " + current);
    }
    if (wanted.enabled) return Error::validation("TimeToLive is already enabled");
  } else if (!wanted.enabled) {
    return Error::validation("TimeToLive is already disabled");
  }
  if (leaving || changed_lately(table, now)) {
    return Error::validation(
        "Time to live has been modified multiple times within a fixed interval");
  }
  return {};
}

Result<void> check_members(const TimeToLiveSpecification& specification) {
  ConstraintList constraints;
  constraints.check_attribute_name(specification.attribute_name,
                                   "timeToLiveSpecification.attributeName");
  return constraints.result();
}

}  // namespace

Result<UpdateTimeToLiveResponse> update_time_to_live(const OperationContext& context,
                                                     const UpdateTimeToLiveRequest& request) {
  const TimeToLiveSpecification& wanted = request.time_to_live_specification;
  PARTITA_CHECK(check_members(wanted));
  for (;;) {
    PARTITA_TRY(const TablePointer table, named_table(context, request.table_name));
    if (!serves_items(*table, context.now)) {
      return table_in_use(*table, status_at(*table, context.now));
    }
    PARTITA_CHECK(check_change(*table, wanted, context.now));
    TableSchema changed = *table;
    changed.expiry_changed_at = context.now;
    if (wanted.enabled) {
      changed.expiry = expiry_on(wanted.attribute_name);
      PARTITA_TRY(const Size size, context.catalog.table_size(*table));
      changed.expiry->index.backfilling = fills_visibly(size.items);
    } else {
      changed.expiry->index.phase = IndexPhase::Leaving;
    }
    auto change = context.catalog.update(table, std::move(changed), context.now);
    if (change) {
      depend_on(context, change->version);
      return UpdateTimeToLiveResponse{wanted};
    }
    // Somebody else changed the table in between: decide again.
    if (change.error().code() != ErrorCode::Conflict) return std::move(change).error();
  }
}

}  // namespace partita
