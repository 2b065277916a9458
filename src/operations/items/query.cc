// Query: items of one partition, in sort-key order, a page at a time.
#include "operations/items/item_operations.h"
#include "operations/items/page_answers.h"
#include "operations/parameter_rules.h"

namespace partita {
namespace {

// How many attributes the key of an index has is known when the table is found.
Result<void> check_condition_count(const KeyCondition& condition, bool has_index) {
  const std::size_t count = condition.clauses().size();
  if (count == 0 || (count > 2 && !has_index)) {
    return Error::validation("Conditions can be of length 1 or 2 only");
  }
  return {};
}

}  // namespace

Result<QueryResponse> query(const OperationContext& context, const QueryRequest& request) {
  PARTITA_CHECK(check_limit(request.limit));
  PARTITA_CHECK(check_page_parameters(request, request.query_filter, "QueryFilter"));
  PageExpressions expressions;
  PARTITA_TRY(expressions.filter, bind_request_filter(context, request, request.query_filter));
  PARTITA_TRY(expressions.projection,
              bind_attributes_to_get(request.attributes_to_get, context.memory));
  PARTITA_CHECK(check_values(request.value_faults, &ValueFaults::start_key));
  if (!request.key_condition_expression && !request.key_conditions) {
    return Error::validation(
        "Either the KeyConditions or KeyConditionExpression parameter must be specified in the "
        "request.");
  }
  PARTITA_CHECK(check_select(request.select, projection_parameter(request),
                             request.index_name.has_value(), PageKind::Query));
  Binder binder(context.expressions, request.expression_attributes, context.memory);
  std::optional<KeyCondition> key_condition;
  if (request.key_condition_expression) {
    PARTITA_TRY(key_condition, binder.key_condition(*request.key_condition_expression));
  }
  PARTITA_TRY(expressions, bind_page_expressions(binder, request, std::move(expressions)));
  PARTITA_CHECK(binder.finish());
  if (!key_condition) {
    PARTITA_CHECK(check_values(request.value_faults, &ValueFaults::key_condition));
    PARTITA_TRY(key_condition, bind_key_conditions(*request.key_conditions, context.memory));
  }
  PARTITA_CHECK(check_condition_count(*key_condition, request.index_name.has_value()));

  PARTITA_TRY(TablePointer table, find_table(context, request.table_name));
  ReadPlan plan;
  PARTITA_TRY(plan.source,
              find_source(std::move(table), request.index_name, request.consistent_read));
  PARTITA_TRY(plan.keys, select_keys(plan.source, *key_condition, request.exclusive_start_key));
  if (request.exclusive_start_key) {
    PARTITA_TRY(plan.start, start_of_query(plan.source, *plan.keys, *request.exclusive_start_key));
  }
  if (expressions.projection) {
    PARTITA_CHECK(check_key_paths(*plan.source.table, *expressions.projection));
  }
  if (expressions.filter) {
    PARTITA_CHECK(check_query_filter(plan.source, *expressions.filter,
                                     request.query_filter ? "QueryFilter" : "Filter Expression"));
  }
  PARTITA_TRY(plan.content, page_content(plan.source, request.select, expressions.projection));
  if (expressions.filter) {
    PARTITA_CHECK(check_key_paths(*plan.source.table, *expressions.filter));
  }
  plan.direction = request.scan_index_forward ? Direction::Forward : Direction::Backward;
  return run_page(context, std::move(plan), std::move(expressions), request);
}

}  // namespace partita
