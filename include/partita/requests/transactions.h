// TransactGetItems and TransactWriteItems.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "partita/requests/batches.h"
#include "partita/requests/items.h"

namespace partita {

inline constexpr std::size_t kTransactionActionsMax = 100;

// One action. Of the members that follow `kind` each kind has its own: see there.
struct TransactWrite {
  enum class Kind : std::uint8_t { ConditionCheck, Put, Delete, Update };
  Kind kind = Kind::Put;
  std::string_view table_name{};
  ItemView item{};  // what is put, or the key of the other kinds
  std::optional<std::string_view> update_expression{};     // Update: required
  std::optional<std::string_view> condition_expression{};  // ConditionCheck: required
  ExpressionAttributes expression_attributes{};
  ReturnValuesOnConditionCheckFailure return_values_on_condition_check_failure =
      ReturnValuesOnConditionCheckFailure::None;
};

// All of its actions happen, or none: then the error is ErrorCode::TransactionCanceled and has a
// CancellationReason for each action, in order.
struct TransactWriteItemsRequest {
  std::span<const TransactWrite> transact_items{};
  // A request given again within ten minutes with the same token happens once.
  std::optional<std::string_view> client_request_token{};
  ReturnConsumedCapacity return_consumed_capacity = ReturnConsumedCapacity::None;
  ReturnItemCollectionMetrics return_item_collection_metrics = ReturnItemCollectionMetrics::None;
};

struct TransactWriteItemsResponse {
  std::optional<std::vector<ConsumedCapacity>> consumed_capacity{};
  std::vector<TableCollectionMetrics> item_collection_metrics{};
};

struct TransactGet {
  std::string_view table_name{};
  ItemView key{};
  std::optional<std::string_view> projection_expression{};
  ExpressionAttributes expression_attributes{};  // names only
};

// All items as they were at one moment.
struct TransactGetItemsRequest {
  std::span<const TransactGet> transact_items{};
  ReturnConsumedCapacity return_consumed_capacity = ReturnConsumedCapacity::None;
};

struct TransactGetItemsResponse {
  std::vector<std::optional<Item>> responses{};  // in the order of the request
  std::optional<std::vector<ConsumedCapacity>> consumed_capacity{};
};

}  // namespace partita
