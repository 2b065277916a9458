// GetItem: the item that has this primary key, or part of it.
#include "operations/items/item_operations.h"
#include "operations/items/item_projection.h"
#include "plan/item_rules.h"

namespace partita {

Result<GetItemResponse> get_item(const OperationContext& context, const GetItemRequest& request) {
  PARTITA_TRY(const std::optional<ProjectionPaths> projection, bind_projection(context, request));

  PARTITA_TRY(const TablePointer table, find_table(context, request.table_name));
  PARTITA_TRY(const EncodedKey key, key_of_request(table->key, request.key));
  if (projection) PARTITA_CHECK(check_key_paths(*table, *projection));
  const Throttle::Target target{*table, nullptr, key.hash};
  PARTITA_CHECK(context.executor.admit_read(target, context.now));
  const auto view = context.executor.view_for(request.consistent_read, context.now);
  PARTITA_TRY(GetOutcome outcome,
              context.executor.get(*table, key, projection ? &*projection : nullptr, view.get(),
                                   context.ticket.version));

  GetItemResponse response;
  response.item = std::move(outcome.item);
  const double units = read_units(outcome.size_bytes, request.consistent_read);
  context.executor.charge_read(target, units, context.now);
  response.consumed_capacity =
      capacity_report(request.return_consumed_capacity, *table, {units, {}});
  return response;
}

}  // namespace partita
