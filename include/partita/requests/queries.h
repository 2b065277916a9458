// Query and Scan.
#pragma once

#include <optional>
#include <string_view>

#include "partita/requests/items.h"

namespace partita {

enum class Select : std::uint8_t {
  AllAttributes,
  AllProjectedAttributes,
  SpecificAttributes,
  Count,
};

struct QueryRequest {
  std::string_view table_name{};
  std::optional<std::string_view> index_name{};
  std::optional<Select> select{};
  std::optional<std::int32_t> limit{};
  bool consistent_read = false;
  bool scan_index_forward = true;
  std::optional<std::string_view> key_condition_expression{};
  std::optional<std::string_view> filter_expression{};
  std::optional<std::string_view> projection_expression{};
  ExpressionAttributes expression_attributes{};
  std::optional<ItemView> exclusive_start_key{};
  ReturnConsumedCapacity return_consumed_capacity = ReturnConsumedCapacity::None;
  AttributesToGet attributes_to_get{};                        // instead of projection_expression
  AttributeConditions key_conditions{};                       // instead of key_condition_expression
  AttributeConditions query_filter{};                         // instead of filter_expression
  std::optional<ConditionalOperator> conditional_operator{};  // joins the query filter's conditions
  const ValueFaults* value_faults = nullptr;
};

struct ScanRequest {
  std::string_view table_name{};
  std::optional<std::string_view> index_name{};
  std::optional<Select> select{};
  std::optional<std::int32_t> limit{};
  bool consistent_read = false;
  std::optional<std::int32_t> segment{};
  std::optional<std::int32_t> total_segments{};
  std::optional<std::string_view> filter_expression{};
  std::optional<std::string_view> projection_expression{};
  ExpressionAttributes expression_attributes{};
  std::optional<ItemView> exclusive_start_key{};
  ReturnConsumedCapacity return_consumed_capacity = ReturnConsumedCapacity::None;
  AttributesToGet attributes_to_get{};                        // instead of projection_expression
  AttributeConditions scan_filter{};                          // instead of filter_expression
  std::optional<ConditionalOperator> conditional_operator{};  // joins the scan filter's conditions
  const ValueFaults* value_faults = nullptr;
};

struct PageResponse {
  ItemList items{};
  bool items_wanted = true;  // false with Select::Count: the answer has no Items member
  std::int32_t count = 0;
  std::int32_t scanned_count = 0;
  std::optional<Item> last_evaluated_key{};
  std::optional<ConsumedCapacity> consumed_capacity{};
};
using QueryResponse = PageResponse;
using ScanResponse = PageResponse;

}  // namespace partita
