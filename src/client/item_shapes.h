// The members of requests and answers about items (message_shapes.h says how to read this).
#pragma once

#include "client/message_shapes.h"

namespace partita::client {

// ---- What many have

void each_expression_attribute(auto& visit, auto& s) {
  visit("ExpressionAttributeNames", s.names);
  visit("ExpressionAttributeValues", s.values);
}
void each_capacity_unit(auto& visit, auto& s) {
  visit("CapacityUnits", s.capacity_units);
  visit("ReadCapacityUnits", s.read_capacity_units);
  visit("WriteCapacityUnits", s.write_capacity_units);
}
template <>
struct Shape<Capacity> {
  static void each(auto& visit, auto& s) { each_capacity_unit(visit, s); }
};
template <>
struct Shape<ConsumedCapacity> {
  static void each(auto& visit, auto& s) {
    visit("TableName", s.table_name);
    each_capacity_unit(visit, s);
    visit("Table", s.table);
    visit("LocalSecondaryIndexes", s.local_secondary_indexes);
    visit("GlobalSecondaryIndexes", s.global_secondary_indexes);
  }
};
template <>
struct Shape<ItemCollectionMetrics> {
  static void each(auto& visit, auto& s) {
    visit("ItemCollectionKey", s.item_collection_key);
    visit.pair("SizeEstimateRangeGB", s.size_estimate_lower_gb, s.size_estimate_upper_gb);
  }
};
template <>
struct Entry<ExpressionAttributeName> {
  static auto& key(auto& e) { return e.placeholder; }
  static auto& value(auto& e) { return e.name; }
};
template <>
struct Entry<ExpressionAttributeValue> {
  static auto& key(auto& e) { return e.placeholder; }
  static auto& value(auto& e) { return e.value; }
};
template <>
struct Entry<std::pair<std::string, std::string>> {
  static auto& key(auto& e) { return e.first; }
  static auto& value(auto& e) { return e.second; }
};

// ---- Legacy parameters: maps from an attribute's name

struct AttributeEntry {
  static auto& key(auto& e) { return e.attribute; }
  static auto& value(auto& e) { return e; }
};
template <>
struct Entry<AttributeCondition> : AttributeEntry {};
template <>
struct Entry<ExpectedAttribute> : AttributeEntry {};
template <>
struct Entry<AttributeUpdate> : AttributeEntry {};
template <>
struct Shape<AttributeCondition> {
  static void each(auto& visit, auto& s) {
    visit("ComparisonOperator", s.comparison_operator);
    visit.when_given("AttributeValueList", s.values, !s.values.empty());
  }
};
template <>
struct Shape<ExpectedAttribute> {
  static void each(auto& visit, auto& s) {
    visit("ComparisonOperator", s.comparison_operator);
    visit("AttributeValueList", s.values);
    visit("Value", s.value);
    visit("Exists", s.exists);
  }
};
template <>
struct Shape<AttributeUpdate> {
  static void each(auto& visit, auto& s) {
    visit("Action", s.action);
    visit("Value", s.value);
  }
};

// ---- Single items

void each_write_parameter(auto& visit, auto& s) {
  visit("TableName", s.table_name);
  visit("ConditionExpression", s.condition_expression);
  each_expression_attribute(visit, s.expression_attributes);
  visit("ReturnValues", s.return_values);
  visit("ReturnValuesOnConditionCheckFailure", s.return_values_on_condition_check_failure);
  visit("ReturnConsumedCapacity", s.return_consumed_capacity);
  visit("ReturnItemCollectionMetrics", s.return_item_collection_metrics);
  visit("Expected", s.expected);
  visit("ConditionalOperator", s.conditional_operator);
}
template <>
struct Shape<PutItemRequest> {
  static void each(auto& visit, auto& s) {
    each_write_parameter(visit, s);
    visit("Item", s.item);
  }
};
template <>
struct Shape<DeleteItemRequest> {
  static void each(auto& visit, auto& s) {
    each_write_parameter(visit, s);
    visit("Key", s.key);
  }
};
template <>
struct Shape<UpdateItemRequest> {
  static void each(auto& visit, auto& s) {
    each_write_parameter(visit, s);
    visit("Key", s.key);
    visit("UpdateExpression", s.update_expression);
    visit("AttributeUpdates", s.attribute_updates);
  }
};
template <>
struct Shape<GetItemRequest> {
  static void each(auto& visit, auto& s) {
    visit("TableName", s.table_name);
    visit("Key", s.key);
    visit("ConsistentRead", s.consistent_read);
    visit("ProjectionExpression", s.projection_expression);
    visit("ExpressionAttributeNames", s.expression_attributes.names);
    visit("ReturnConsumedCapacity", s.return_consumed_capacity);
    visit("AttributesToGet", s.attributes_to_get);
  }
};
template <>
struct Shape<WriteItemResponse> {
  static void each(auto& visit, auto& s) {
    visit("Attributes", s.attributes);
    visit("ConsumedCapacity", s.consumed_capacity);
    visit("ItemCollectionMetrics", s.item_collection_metrics);
  }
};
template <>
struct Shape<GetItemResponse> {
  static void each(auto& visit, auto& s) {
    visit("Item", s.item);
    visit("ConsumedCapacity", s.consumed_capacity);
  }
};

// ---- Query and Scan

void each_page_parameter(auto& visit, auto& s) {
  visit("TableName", s.table_name);
  visit("IndexName", s.index_name);
  visit("Select", s.select);
  visit("Limit", s.limit);
  visit("ConsistentRead", s.consistent_read);
  visit("FilterExpression", s.filter_expression);
  visit("ProjectionExpression", s.projection_expression);
  each_expression_attribute(visit, s.expression_attributes);
  visit("ExclusiveStartKey", s.exclusive_start_key);
  visit("ReturnConsumedCapacity", s.return_consumed_capacity);
  visit("AttributesToGet", s.attributes_to_get);
  visit("ConditionalOperator", s.conditional_operator);
}
template <>
struct Shape<QueryRequest> {
  static void each(auto& visit, auto& s) {
    each_page_parameter(visit, s);
    visit("ScanIndexForward", s.scan_index_forward);
    visit("KeyConditionExpression", s.key_condition_expression);
    visit("KeyConditions", s.key_conditions);
    visit("QueryFilter", s.query_filter);
  }
};
template <>
struct Shape<ScanRequest> {
  static void each(auto& visit, auto& s) {
    each_page_parameter(visit, s);
    visit("Segment", s.segment);
    visit("TotalSegments", s.total_segments);
    visit("ScanFilter", s.scan_filter);
  }
};
template <>
struct Shape<PageResponse> {
  static void each(auto& visit, auto& s) {
    visit.when_given("Items", s.items, s.items_wanted);
    visit("Count", s.count);
    visit("ScannedCount", s.scanned_count);
    visit("LastEvaluatedKey", s.last_evaluated_key);
    visit("ConsumedCapacity", s.consumed_capacity);
  }
};

// ---- Batches: maps from a table's name

struct TableEntry {
  static auto& key(auto& e) { return e.table_name; }
  static auto& value(auto& e) { return e; }
};
template <>
struct Entry<KeysAndAttributes> : TableEntry {};
template <>
struct Shape<KeysAndAttributes> {
  static void each(auto& visit, auto& s) {
    visit("Keys", s.keys);
    visit("ConsistentRead", s.consistent_read);
    visit("ProjectionExpression", s.projection_expression);
    visit("ExpressionAttributeNames", s.expression_attributes.names);
    visit("AttributesToGet", s.attributes_to_get);
  }
};
template <>
struct Shape<BatchGetItemRequest> {
  static void each(auto& visit, auto& s) {
    visit("RequestItems", s.request_items);
    visit("ReturnConsumedCapacity", s.return_consumed_capacity);
  }
};
template <>
struct Entry<TableItems> : TableEntry {
  static auto& value(auto& e) { return e.items; }
};
template <>
struct Entry<UnprocessedKeys> : TableEntry {};
template <>
struct Shape<UnprocessedKeys> {
  static void each(auto& visit, auto& s) {
    visit("Keys", s.keys);
    visit("ConsistentRead", s.consistent_read);
    visit("ProjectionExpression", s.projection_expression);
    visit("ExpressionAttributeNames", s.expression_attribute_names);
    visit("AttributesToGet", s.attributes_to_get);
  }
};
template <>
struct Shape<BatchGetItemResponse> {
  static void each(auto& visit, auto& s) {
    visit("Responses", s.responses);
    visit("UnprocessedKeys", s.unprocessed_keys);
    visit("ConsumedCapacity", s.consumed_capacity);
  }
};
template <>
struct Shape<WriteRequest> {
  static void each(auto& visit, auto& s) {
    visit.wrapped("PutRequest", "Item", s.put_item);
    visit.wrapped("DeleteRequest", "Key", s.delete_key);
  }
};
template <>
struct Entry<TableWrites> : TableEntry {
  static auto& value(auto& e) { return e.requests; }
};
template <>
struct Shape<BatchWriteItemRequest> {
  static void each(auto& visit, auto& s) {
    visit("RequestItems", s.request_items);
    visit("ReturnConsumedCapacity", s.return_consumed_capacity);
    visit("ReturnItemCollectionMetrics", s.return_item_collection_metrics);
  }
};
template <>
struct Shape<UnprocessedWrite> {
  static void each(auto& visit, auto& s) {
    visit.object("PutRequest", [&](auto& inner) { inner("Item", s.item); });
    visit.object("DeleteRequest", [&](auto& inner) { inner("Key", s.item), s.put = false; });
  }
};
template <>
struct Entry<UnprocessedWrites> : TableEntry {
  static auto& value(auto& e) { return e.requests; }
};
template <>
struct Entry<TableCollectionMetrics> : TableEntry {
  static auto& value(auto& e) { return e.collections; }
};
template <>
struct Shape<BatchWriteItemResponse> {
  static void each(auto& visit, auto& s) {
    visit("UnprocessedItems", s.unprocessed_items);
    visit("ConsumedCapacity", s.consumed_capacity);
    visit("ItemCollectionMetrics", s.item_collection_metrics);
  }
};

// ---- Transactions

template <>
struct Shape<TransactWrite> {
  static void each(auto& visit, auto& s) {
    using Kind = TransactWrite::Kind;
    constexpr std::string_view names[] = {"ConditionCheck", "Put", "Delete", "Update"};
    visit.object(names[static_cast<std::size_t>(s.kind)], [&](auto& inner) {
      inner("TableName", s.table_name);
      inner(s.kind == Kind::Put ? "Item" : "Key", s.item);
      inner("UpdateExpression", s.update_expression);
      inner("ConditionExpression", s.condition_expression);
      each_expression_attribute(inner, s.expression_attributes);
      inner("ReturnValuesOnConditionCheckFailure", s.return_values_on_condition_check_failure);
    });
  }
};
template <>
struct Shape<TransactWriteItemsRequest> {
  static void each(auto& visit, auto& s) {
    visit("TransactItems", s.transact_items);
    visit("ClientRequestToken", s.client_request_token);
    visit("ReturnConsumedCapacity", s.return_consumed_capacity);
    visit("ReturnItemCollectionMetrics", s.return_item_collection_metrics);
  }
};
template <>
struct Shape<TransactWriteItemsResponse> {
  static void each(auto& visit, auto& s) {
    visit("ConsumedCapacity", s.consumed_capacity);
    visit("ItemCollectionMetrics", s.item_collection_metrics);
  }
};
template <>
struct Shape<TransactGet> {
  static void each(auto& visit, auto& s) {
    visit.object("Get", [&](auto& inner) {
      inner("TableName", s.table_name);
      inner("Key", s.key);
      inner("ProjectionExpression", s.projection_expression);
      inner("ExpressionAttributeNames", s.expression_attributes.names);
    });
  }
};
template <>
struct Shape<TransactGetItemsRequest> {
  static void each(auto& visit, auto& s) {
    visit("TransactItems", s.transact_items);
    visit("ReturnConsumedCapacity", s.return_consumed_capacity);
  }
};
// An element of Responses is an object with or without Item.
template <>
struct Shape<std::optional<Item>> {
  static void each(auto& visit, auto& s) { visit("Item", s); }
};
template <>
struct Shape<TransactGetItemsResponse> {
  static void each(auto& visit, auto& s) {
    visit.objects("Responses", s.responses);
    visit("ConsumedCapacity", s.consumed_capacity);
  }
};

// ---- Errors

template <>
struct Shape<CancellationReason> {
  static void each(auto& visit, auto& s) {
    visit("Code", s.code);
    visit("Message", s.message);
    visit("Item", s.item);
  }
};
template <>
struct Shape<ThrottlingReason> {
  static void each(auto& visit, auto& s) {
    visit("reason", s.reason);
    visit("resource", s.resource);
  }
};

}  // namespace partita::client
