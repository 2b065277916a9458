// UpdateItem: changes some attributes of an item, or creates it.
#include "operations/items/item_operations.h"
#include "operations/items/write_answers.h"

namespace partita {

Result<UpdateItemResponse> update_item(const OperationContext& context,
                                       const UpdateItemRequest& request) {
  PARTITA_CHECK(check_write_parameters(request));
  Binder binder(context.expressions, request.expression_attributes, context.memory);
  std::optional<Update> update;
  if (request.update_expression) {
    PARTITA_TRY(update, binder.update(*request.update_expression));
  } else if (request.attribute_updates) {
    PARTITA_CHECK(check_values(request.value_faults, &ValueFaults::parameter));
    PARTITA_TRY(update, bind_attribute_updates(request.attribute_updates, context.memory));
  }
  PARTITA_TRY(auto condition, bind_request_condition(context, binder, request));
  PARTITA_CHECK(binder.finish());

  PARTITA_TRY(TablePointer table, find_table(context, request.table_name));
  PARTITA_TRY(const WritePlan plan, WritePlan::update(std::move(table), request.key,
                                                      std::move(update), std::move(condition)));
  return run_write(context, plan, request);
}

}  // namespace partita
