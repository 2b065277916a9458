// BatchGetItem and BatchWriteItem.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "partita/requests/items.h"

namespace partita {

// What is wanted of one table.
struct KeysAndAttributes {
  std::string_view table_name{};
  std::span<const ItemView> keys{};
  std::optional<bool> consistent_read{};
  std::optional<std::string_view> projection_expression{};
  ExpressionAttributes expression_attributes{};  // names only
  AttributesToGet attributes_to_get{};           // instead of projection_expression
};

struct BatchGetItemRequest {
  std::span<const KeysAndAttributes> request_items{};  // each table once
  ReturnConsumedCapacity return_consumed_capacity = ReturnConsumedCapacity::None;
};

// What was found in one table, in no particular order.
struct TableItems {
  std::string table_name{};
  ItemList items{};
};

// What an answer had no room for: to be asked for again.
struct UnprocessedKeys {
  std::string table_name{};
  ItemList keys{};
  std::optional<bool> consistent_read{};
  std::optional<std::string> projection_expression{};
  std::vector<std::pair<std::string, std::string>> expression_attribute_names{};
  std::vector<std::string> attributes_to_get{};
};

struct BatchGetItemResponse {
  std::vector<TableItems> responses{};  // one for each table asked for
  std::vector<UnprocessedKeys> unprocessed_keys{};
  std::optional<std::vector<ConsumedCapacity>> consumed_capacity{};
};

// Exactly one of the two is meant to be there.
struct WriteRequest {
  std::optional<ItemView> put_item{};
  std::optional<ItemView> delete_key{};
};

struct TableWrites {
  std::string_view table_name{};
  std::span<const WriteRequest> requests{};
};

struct BatchWriteItemRequest {
  std::span<const TableWrites> request_items{};  // each table once
  ReturnConsumedCapacity return_consumed_capacity = ReturnConsumedCapacity::None;
  ReturnItemCollectionMetrics return_item_collection_metrics = ReturnItemCollectionMetrics::None;
};

struct UnprocessedWrite {
  bool put = true;  // else a deletion
  Item item{};      // what is put, or the key of what is deleted
};

struct UnprocessedWrites {
  std::string table_name{};
  std::vector<UnprocessedWrite> requests{};
};

struct TableCollectionMetrics {
  std::string table_name{};
  std::vector<ItemCollectionMetrics> collections{};
};

struct BatchWriteItemResponse {
  std::vector<UnprocessedWrites> unprocessed_items{};
  std::optional<std::vector<ConsumedCapacity>> consumed_capacity{};
  std::vector<TableCollectionMetrics> item_collection_metrics{};
};

}  // namespace partita
