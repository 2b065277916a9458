// Query: items of one partition, in sort-key order, a page at a time.
#include "operations/items/item_operations.h"
#include "operations/items/page_answers.h"
#include "operations/parameter_rules.h"

namespace partita {

Result<QueryResponse> query(const OperationContext& context, const QueryRequest& request) {
  PARTITA_CHECK(check_limit(request.limit));
  const ExpressionParameter parameters[] = {
      {"ProjectionExpression", request.projection_expression.has_value(), false},
      {"FilterExpression", request.filter_expression.has_value()},
      {"KeyConditionExpression", request.key_condition_expression.has_value()}};
  PARTITA_CHECK(check_expression_attributes(request.expression_attributes, parameters));
  if (!request.key_condition_expression) {
    return Error::validation(
        "Either the KeyConditions or KeyConditionExpression parameter must be specified in the "
        "request.");
  }
  PARTITA_CHECK(check_select(request.select, request.projection_expression.has_value(),
                             request.index_name.has_value()));
  Binder binder(context.expressions, request.expression_attributes, context.memory);
  PARTITA_TRY(PageExpressions expressions, bind_page_expressions(binder, request));
  PARTITA_TRY(const KeyCondition key_condition,
              binder.key_condition(*request.key_condition_expression));
  PARTITA_CHECK(binder.finish());

  PARTITA_TRY(TablePointer table, find_table(context, request.table_name));
  ReadPlan plan;
  PARTITA_TRY(plan.source,
              find_source(std::move(table), request.index_name, request.consistent_read));
  PARTITA_TRY(plan.keys, select_keys(plan.source, key_condition));
  if (request.exclusive_start_key) {
    PARTITA_TRY(plan.start, start_of_query(plan.source, *plan.keys, *request.exclusive_start_key));
  }
  if (expressions.filter) PARTITA_CHECK(check_query_filter(plan.source, *expressions.filter));
  plan.direction = request.scan_index_forward ? Direction::Forward : Direction::Backward;
  return run_page(context, std::move(plan), std::move(expressions), request);
}

}  // namespace partita
