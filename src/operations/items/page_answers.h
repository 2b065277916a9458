// What Query and Scan have in common: filter and projection going in, the page coming out.
#pragma once

#include <optional>

#include "expression/binder.h"
#include "operations/operation_context.h"
#include "operations/parameter_rules.h"
#include "plan/read_plan.h"

namespace partita {

struct PageExpressions {
  std::optional<Condition> filter;
  std::optional<ProjectionPaths> projection;
};

template <typename Request>
Result<PageExpressions> bind_page_expressions(Binder& binder, const Request& request) {
  PageExpressions expressions;
  if (request.filter_expression) {
    PARTITA_TRY(expressions.filter,
                binder.condition("FilterExpression", *request.filter_expression));
  }
  if (request.projection_expression) {
    PARTITA_TRY(expressions.projection, binder.projection(*request.projection_expression));
  }
  return expressions;
}

// Completes the plan with what both requests have, carries it out, and answers.
template <typename Request>
Result<PageResponse> run_page(const OperationContext& context, ReadPlan plan,
                              PageExpressions expressions, const Request& request) {
  plan.filter = std::move(expressions.filter);
  plan.projection = std::move(expressions.projection);
  PARTITA_TRY(plan.content, page_content(plan.source, request.select,
                                         plan.projection ? &*plan.projection : nullptr));
  plan.limit = request.limit;
  plan.consistent_read = request.consistent_read;
  const auto view = context.executor.view_for(plan.consistent_read, context.now);
  PARTITA_TRY(PageOutcome page, context.executor.read(plan, view.get(), context.ticket.version));

  PageResponse response;
  response.items = std::move(page.items);
  response.items_wanted = plan.content != PageContent::Count;
  response.count = page.count;
  response.scanned_count = page.scanned_count;
  response.last_evaluated_key = std::move(page.last_evaluated_key);
  response.consumed_capacity =
      capacity_report(request.return_consumed_capacity, *plan.source.table, page.charge);
  return response;
}

}  // namespace partita
