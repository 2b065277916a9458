// UpdateItem: changes some attributes of an item, or creates it.
#include "operations/items/item_operations.h"
#include "operations/items/write_answers.h"

namespace partita {

Result<UpdateItemResponse> update_item(const OperationContext& context,
                                       const UpdateItemRequest& request) {
  const ExpressionParameter parameters[] = {
      {"UpdateExpression", request.update_expression.has_value()},
      {"ConditionExpression", request.condition_expression.has_value()}};
  PARTITA_CHECK(check_expression_attributes(request.expression_attributes, parameters));
  Binder binder(context.expressions, request.expression_attributes, context.memory);
  std::optional<Update> update;
  if (request.update_expression) {
    PARTITA_TRY(update, binder.update(*request.update_expression));
  }
  PARTITA_TRY(auto condition, bind_write_condition(binder, request.condition_expression));
  PARTITA_CHECK(binder.finish());

  PARTITA_TRY(TablePointer table, find_table(context, request.table_name));
  PARTITA_TRY(const WritePlan plan, WritePlan::update(std::move(table), request.key,
                                                      std::move(update), std::move(condition)));
  return run_write(context, plan, request);
}

}  // namespace partita
