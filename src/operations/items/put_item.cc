// PutItem: replaces the whole item that has this primary key, or creates it.
#include "operations/items/item_operations.h"
#include "operations/items/write_answers.h"
#include "operations/parameter_rules.h"

namespace partita {

Result<PutItemResponse> put_item(const OperationContext& context, const PutItemRequest& request) {
  PARTITA_CHECK(check_write_parameters(request));
  PARTITA_CHECK(check_return_values_of_replacement(request.return_values));
  PARTITA_CHECK(check_request_item_size(request.item));
  Binder binder(context.expressions, request.expression_attributes, context.memory);
  PARTITA_TRY(auto condition, bind_request_condition(context, binder, request));
  PARTITA_CHECK(binder.finish());

  PARTITA_TRY(TablePointer table, find_table(context, request.table_name));
  PARTITA_TRY(const WritePlan plan,
              WritePlan::put(std::move(table), request.item, std::move(condition)));
  return run_write(context, plan, request);
}

}  // namespace partita
