// PutItem, GetItem, UpdateItem, DeleteItem.
//
// Requests borrow: every view must outlive the call. Responses own. An absent optional is a member
// the caller did not give, which DynamoDB distinguishes from an empty one.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "partita/error.h"
#include "partita/item.h"
#include "partita/requests/legacy.h"

namespace partita {

enum class ReturnValues : std::uint8_t { None, AllOld, UpdatedOld, AllNew, UpdatedNew };
enum class ReturnValuesOnConditionCheckFailure : std::uint8_t { None, AllOld };
enum class ReturnConsumedCapacity : std::uint8_t { None, Total, Indexes };
enum class ReturnItemCollectionMetrics : std::uint8_t { None, Size };

// "#n" stands for an attribute name, ":v" for a value.
struct ExpressionAttributeName {
  std::string_view placeholder{};
  std::string_view name{};
};
struct ExpressionAttributeValue {
  std::string_view placeholder{};
  ValueView value;
};
struct ExpressionAttributes {
  std::optional<std::span<const ExpressionAttributeName>> names{};
  std::optional<std::span<const ExpressionAttributeValue>> values{};
  const Error* value_fault = nullptr;  // see ValueFaults
};

// Attribute values that a decoder could not make sense of. DynamoDB tells of them between its other
// checks of a request, so the operation does. A request made of values that exist has none.
struct ValueFaults {
  std::optional<Error> item{};       // of Item or Key
  std::optional<Error> parameter{};  // of Expected, AttributeUpdates, QueryFilter or ScanFilter
  std::optional<Error> start_key{};
  std::optional<Error> key_condition{};  // of KeyConditions
};
inline Error told_fault(const Error& fault) { return Error(fault.code(), fault.message()); }

struct Capacity {
  double capacity_units = 0;
  std::optional<double> read_capacity_units{};
  std::optional<double> write_capacity_units{};
};

struct ConsumedCapacity {
  std::string table_name{};
  double capacity_units = 0;
  std::optional<double> read_capacity_units{};
  std::optional<double> write_capacity_units{};
  std::optional<Capacity> table{};  // with ReturnConsumedCapacity::Indexes, like the two below
  std::map<std::string, Capacity, std::less<>> local_secondary_indexes{};
  std::map<std::string, Capacity, std::less<>> global_secondary_indexes{};
};

struct ItemCollectionMetrics {
  Item item_collection_key{};
  double size_estimate_lower_gb = 0;
  double size_estimate_upper_gb = 1;
};

struct PutItemRequest {
  std::string_view table_name{};  // a name or a table ARN
  ItemView item{};
  std::optional<std::string_view> condition_expression{};
  ExpressionAttributes expression_attributes{};
  ReturnValues return_values = ReturnValues::None;
  ReturnValuesOnConditionCheckFailure return_values_on_condition_check_failure =
      ReturnValuesOnConditionCheckFailure::None;
  ReturnConsumedCapacity return_consumed_capacity = ReturnConsumedCapacity::None;
  ReturnItemCollectionMetrics return_item_collection_metrics = ReturnItemCollectionMetrics::None;
  ExpectedAttributes expected{};                              // instead of condition_expression
  std::optional<ConditionalOperator> conditional_operator{};  // joins two or more expected
  const ValueFaults* value_faults = nullptr;
};

struct DeleteItemRequest {
  std::string_view table_name{};
  ItemView key{};
  std::optional<std::string_view> condition_expression{};
  ExpressionAttributes expression_attributes{};
  ReturnValues return_values = ReturnValues::None;
  ReturnValuesOnConditionCheckFailure return_values_on_condition_check_failure =
      ReturnValuesOnConditionCheckFailure::None;
  ReturnConsumedCapacity return_consumed_capacity = ReturnConsumedCapacity::None;
  ReturnItemCollectionMetrics return_item_collection_metrics = ReturnItemCollectionMetrics::None;
  ExpectedAttributes expected{};                              // instead of condition_expression
  std::optional<ConditionalOperator> conditional_operator{};  // joins two or more expected
  const ValueFaults* value_faults = nullptr;
};

struct UpdateItemRequest {
  std::string_view table_name{};
  ItemView key{};
  std::optional<std::string_view> update_expression{};
  std::optional<std::string_view> condition_expression{};
  ExpressionAttributes expression_attributes{};
  ReturnValues return_values = ReturnValues::None;
  ReturnValuesOnConditionCheckFailure return_values_on_condition_check_failure =
      ReturnValuesOnConditionCheckFailure::None;
  ReturnConsumedCapacity return_consumed_capacity = ReturnConsumedCapacity::None;
  ReturnItemCollectionMetrics return_item_collection_metrics = ReturnItemCollectionMetrics::None;
  AttributeUpdates attribute_updates{};                       // instead of update_expression
  ExpectedAttributes expected{};                              // instead of condition_expression
  std::optional<ConditionalOperator> conditional_operator{};  // joins two or more expected
  const ValueFaults* value_faults = nullptr;
};

struct GetItemRequest {
  std::string_view table_name{};
  ItemView key{};
  bool consistent_read = false;
  std::optional<std::string_view> projection_expression{};
  ExpressionAttributes expression_attributes{};  // names only
  ReturnConsumedCapacity return_consumed_capacity = ReturnConsumedCapacity::None;
  AttributesToGet attributes_to_get{};  // instead of projection_expression
  const ValueFaults* value_faults = nullptr;
};

// What PutItem, UpdateItem and DeleteItem answer.
struct WriteItemResponse {
  std::optional<Item> attributes{};  // as ReturnValues asked
  std::optional<ConsumedCapacity> consumed_capacity{};
  std::optional<ItemCollectionMetrics> item_collection_metrics{};
};
using PutItemResponse = WriteItemResponse;
using UpdateItemResponse = WriteItemResponse;
using DeleteItemResponse = WriteItemResponse;

struct GetItemResponse {
  std::optional<Item> item{};
  std::optional<ConsumedCapacity> consumed_capacity{};
};

}  // namespace partita
