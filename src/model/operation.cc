#include "partita/model/operation.h"

namespace partita::model::detail {
namespace {

// The condition of every create. Most requests have no other, so nothing is put together for it.
ExpressionAttributes new_item_names(const EntityPlan& plan, ExpressionAttributeName& name) {
  name = {"#0", plan.table->partition_key.name};
  ExpressionAttributes attributes;
  attributes.names = std::span<const ExpressionAttributeName>(&name, 1);
  return attributes;
}

}  // namespace

Result<std::optional<Item>> send_get(const Store& store, const EntityPlan& plan,
                                     const KeyInput* inputs, bool consistent,
                                     ExpressionSet* projection) {
  ItemSink key;
  PARTITA_CHECK(encode_key(plan, inputs, key));
  store.note_read(key.item());
  GetItemRequest request;
  request.table_name = store.table_name();
  request.key = key.item();
  request.consistent_read = consistent;
  if (projection != nullptr) {
    request.projection_expression = ExpressionSet::given(projection->projection);
    request.expression_attributes = projection->attributes();
  }
  PARTITA_TRY(GetItemResponse response, store.api().get_item(request));
  return std::move(response.item);
}

Result<std::optional<Item>> read_item(const Store& store, ItemView key) {
  store.note_read(key);
  GetItemRequest request;
  request.table_name = store.table_name();
  request.key = key;
  request.consistent_read = true;
  PARTITA_TRY(GetItemResponse response, store.api().get_item(request));
  return std::move(response.item);
}

Result<void> send_put(const Store& store, const EntityPlan& plan, const void* object,
                      const Expectation& expected, ExpressionSet* conditions) {
  ItemSink item;
  PARTITA_CHECK(encode_entity(plan, object, item));
  store.note_write(item.item());
  PutItemRequest request;
  request.table_name = store.table_name();
  request.item = item.item();
  ExpressionSet own;
  ExpressionAttributeName partition_key_name;
  if (conditions == nullptr && !expected.version) {
    if (expected.must_be_new) {
      request.condition_expression = "attribute_not_exists(#0)";
      request.return_values_on_condition_check_failure =
          ReturnValuesOnConditionCheckFailure::AllOld;
      request.expression_attributes = new_item_names(plan, partition_key_name);
    }
  } else {
    ExpressionSet& set = conditions != nullptr ? *conditions : own;
    add_expectation(plan, expected, set);
    request.condition_expression = ExpressionSet::given(set.condition);
    request.expression_attributes = set.attributes();
    request.return_values_on_condition_check_failure = ReturnValuesOnConditionCheckFailure::AllOld;
  }
  auto response = store.api().put_item(request);
  if (!response) return explain_failure(plan, expected, std::move(response).error());
  return {};
}

Result<std::optional<Item>> send_remove(const Store& store, const EntityPlan& plan,
                                        const KeyInput* inputs, const Expectation& expected,
                                        ExpressionSet* conditions, bool return_old) {
  ItemSink key;
  PARTITA_CHECK(encode_key(plan, inputs, key));
  store.note_read(key.item());
  DeleteItemRequest request;
  request.table_name = store.table_name();
  request.key = key.item();
  ExpressionSet own;
  if (conditions != nullptr || expected.version) {
    ExpressionSet& set = conditions != nullptr ? *conditions : own;
    add_expectation(plan, expected, set);
    request.condition_expression = ExpressionSet::given(set.condition);
    request.expression_attributes = set.attributes();
    request.return_values_on_condition_check_failure = ReturnValuesOnConditionCheckFailure::AllOld;
  }
  request.return_values = return_old ? ReturnValues::AllOld : ReturnValues::None;
  auto response = store.api().delete_item(request);
  if (!response) return explain_failure(plan, expected, std::move(response).error());
  return std::move(response->attributes);
}

}  // namespace partita::model::detail
