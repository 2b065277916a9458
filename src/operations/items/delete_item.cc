// DeleteItem: removes the item that has this primary key, if there is one.
#include "operations/items/item_operations.h"
#include "operations/items/write_answers.h"
#include "operations/parameter_rules.h"

namespace partita {

Result<DeleteItemResponse> delete_item(const OperationContext& context,
                                       const DeleteItemRequest& request) {
  const ExpressionParameter parameters[] = {
      {"ConditionExpression", request.condition_expression.has_value()}};
  PARTITA_CHECK(check_expression_attributes(request.expression_attributes, parameters));
  PARTITA_CHECK(check_return_values_of_replacement(request.return_values));
  Binder binder(context.expressions, request.expression_attributes, context.memory);
  PARTITA_TRY(auto condition, bind_write_condition(binder, request.condition_expression));
  PARTITA_CHECK(binder.finish());

  PARTITA_TRY(TablePointer table, find_table(context, request.table_name));
  PARTITA_TRY(const WritePlan plan,
              WritePlan::remove(std::move(table), request.key, std::move(condition)));
  return run_write(context, plan, request);
}

}  // namespace partita
