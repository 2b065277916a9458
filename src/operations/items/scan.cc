// Scan: all items of a table or index, or those of one segment, a page at a time.
#include "operations/items/item_operations.h"
#include "operations/items/page_answers.h"
#include "operations/parameter_rules.h"

namespace partita {

Result<ScanResponse> scan(const OperationContext& context, const ScanRequest& request) {
  PARTITA_CHECK(check_limit(request.limit));
  PARTITA_CHECK(check_page_parameters(request, request.scan_filter, "ScanFilter"));
  PageExpressions expressions;
  PARTITA_TRY(expressions.projection,
              bind_attributes_to_get(request.attributes_to_get, context.memory));
  PARTITA_TRY(expressions.filter, bind_request_filter(context, request, request.scan_filter));
  PARTITA_CHECK(check_values(request.value_faults, &ValueFaults::start_key));
  PARTITA_CHECK(check_segments(request.segment, request.total_segments));
  PARTITA_CHECK(check_select(request.select, projection_parameter(request),
                             request.index_name.has_value(), PageKind::Scan));
  Binder binder(context.expressions, request.expression_attributes, context.memory);
  PARTITA_TRY(expressions, bind_page_expressions(binder, request, std::move(expressions)));
  PARTITA_CHECK(binder.finish());

  PARTITA_TRY(TablePointer table, find_table(context, request.table_name));
  ReadPlan plan;
  PARTITA_TRY(plan.source,
              find_source(std::move(table), request.index_name, request.consistent_read));
  if (request.exclusive_start_key) {
    PARTITA_CHECK(check_start_of_scan(plan.source, *request.exclusive_start_key));
  }
  PARTITA_TRY(plan.content, page_content(plan.source, request.select, expressions.projection));
  std::optional<ScanSegment> segment;
  if (request.segment) segment = ScanSegment{*request.segment, *request.total_segments};
  if (segment) plan.segment = segment->range();
  if (request.exclusive_start_key) {
    PARTITA_TRY(plan.start, start_of_scan(plan.source, *request.exclusive_start_key, segment));
  }
  if (expressions.projection) {
    PARTITA_CHECK(check_key_paths(*plan.source.table, *expressions.projection));
  }
  if (expressions.filter) {
    PARTITA_CHECK(check_key_paths(*plan.source.table, *expressions.filter));
  }
  return run_page(context, std::move(plan), std::move(expressions), request);
}

}  // namespace partita
