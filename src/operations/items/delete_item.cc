// DeleteItem: removes the item that has this primary key, if there is one.
#include "operations/items/item_operations.h"
#include "operations/items/write_answers.h"
#include "operations/parameter_rules.h"

namespace partita {

Result<DeleteItemResponse> delete_item(const OperationContext& context,
                                       const DeleteItemRequest& request) {
  PARTITA_CHECK(check_write_parameters(request));
  PARTITA_CHECK(check_return_values_of_replacement(request.return_values));
  Binder binder(context.expressions, request.expression_attributes, context.memory);
  PARTITA_TRY(auto condition, bind_request_condition(context, binder, request));
  PARTITA_CHECK(binder.finish());

  PARTITA_TRY(TablePointer table, find_table(context, request.table_name));
  PARTITA_TRY(const WritePlan plan,
              WritePlan::remove(std::move(table), request.key, std::move(condition)));
  return run_write(context, plan, request);
}

}  // namespace partita
