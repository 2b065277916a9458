// Rules between the parameters of one request, found before any table is looked at.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "partita/requests/items.h"
#include "partita/requests/queries.h"
#include "partita/result.h"

#include "expression/placeholders.h"
#include "plan/read_plan.h"

namespace partita {

// What is wrong with values of one kind, told when their turn has come.
inline Result<void> check_values(const ValueFaults* faults,
                                 std::optional<Error> ValueFaults::*kind) {
  if (faults == nullptr || !(faults->*kind)) [[likely]]
    return {};
  return told_fault(*(faults->*kind));
}

// A request member from before expressions.
struct LegacyParameter {
  std::string_view name;
  bool given;
};

// A request has expressions or what was there before them. Both lists are in the order in which
// DynamoDB names them.
Result<void> check_not_mixed(std::span<const LegacyParameter> legacy,
                             std::span<const ExpressionParameter> expressions);

// ConditionalOperator joins at least two conditions, those of Expected or of a filter.
Result<void> check_conditional_operator(std::optional<ConditionalOperator> given,
                                        std::size_t conditions);

// PutItem and DeleteItem answer with the old item or with nothing.
Result<void> check_return_values_of_replacement(ReturnValues wanted);

// An item as a request carries it.
Result<void> check_request_item_size(ItemView item);

// Select against IndexName and a projection, of which `projection` is the parameter's name if the
// request has one: "ProjectionExpression", "AttributesToGet". Query and Scan have one message that
// differs.
enum class PageKind : std::uint8_t { Query, Scan };
Result<void> check_select(std::optional<Select> select, std::string_view projection, bool has_index,
                          PageKind kind);

// What a page holds, once the source is known: an index may lack what was asked for.
Result<PageContent> page_content(const ReadSource& source, std::optional<Select> select,
                                 const std::optional<ProjectionPaths>& projection);

// Segment and TotalSegments come together, the first below the second.
Result<void> check_segments(std::optional<std::int32_t> segment,
                            std::optional<std::int32_t> total_segments);

Result<void> check_limit(std::optional<std::int32_t> limit);

}  // namespace partita
