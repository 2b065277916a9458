// Rules between the parameters of one request, found before any table is looked at.
#pragma once

#include <optional>
#include <string_view>

#include "partita/requests/items.h"
#include "partita/requests/queries.h"
#include "partita/result.h"

#include "plan/read_plan.h"

namespace partita {

// PutItem and DeleteItem answer with the old item or with nothing.
Result<void> check_return_values_of_replacement(ReturnValues wanted);

// An item as a request carries it.
Result<void> check_request_item_size(ItemView item);

// Select against ProjectionExpression and IndexName.
Result<void> check_select(std::optional<Select> select, bool has_projection, bool has_index);

// What a page holds, once the source is known: an index may lack what was asked for.
Result<PageContent> page_content(const ReadSource& source, std::optional<Select> select,
                                 const ProjectionPaths* projection);

// Segment and TotalSegments come together, the first below the second.
Result<void> check_segments(std::optional<std::int32_t> segment,
                            std::optional<std::int32_t> total_segments);

Result<void> check_limit(std::optional<std::int32_t> limit);

}  // namespace partita
