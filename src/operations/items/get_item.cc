// GetItem: the item that has this primary key, or part of it.
#include "expression/binder.h"
#include "operations/items/item_operations.h"
#include "plan/item_rules.h"

namespace partita {

Result<GetItemResponse> get_item(const OperationContext& context, const GetItemRequest& request) {
  const ExpressionParameter parameters[] = {
      {"ProjectionExpression", request.projection_expression.has_value(), false}};
  PARTITA_CHECK(check_expression_attributes(request.expression_attributes, parameters));
  Binder binder(context.expressions, request.expression_attributes, context.memory);
  std::optional<ProjectionPaths> projection;
  if (request.projection_expression) {
    PARTITA_TRY(projection, binder.projection(*request.projection_expression));
  }
  PARTITA_CHECK(binder.finish());

  PARTITA_TRY(const TablePointer table, find_table(context, request.table_name));
  PARTITA_TRY(const EncodedKey key, key_of_request(table->key, request.key));
  const auto view = context.executor.view_for(request.consistent_read, context.now);
  PARTITA_TRY(GetOutcome outcome,
              context.executor.get(*table, key, projection ? &*projection : nullptr, view.get(),
                                   context.ticket.version));

  GetItemResponse response;
  response.item = std::move(outcome.item);
  response.consumed_capacity =
      capacity_report(request.return_consumed_capacity, *table,
                      {read_units(outcome.size_bytes, request.consistent_read), {}});
  return response;
}

}  // namespace partita
