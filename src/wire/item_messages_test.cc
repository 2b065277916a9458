#include "wire/item_messages.h"

#include <string>

#include <gtest/gtest.h>

#include "wire/wire_test_fixture_test.h"

namespace partita {
namespace {

class ItemMessages : public WireTest {};

TEST_F(ItemMessages, put_item_with_everything) {
  api.on_put_item = [](const PutItemRequest& request) -> Result<PutItemResponse> {
    EXPECT_EQ(request.table_name, "Songs");
    const Item expected{{"artist", Value::string("Ada\n")}, {"year", Value::number(1843)}};
    EXPECT_EQ(request.item, expected.view());
    EXPECT_EQ(request.condition_expression, "attribute_not_exists(#a) AND #y < :y");
    const auto& attributes = request.expression_attributes;
    EXPECT_TRUE(attributes.names && attributes.names->size() == 2);
    EXPECT_EQ((*attributes.names)[0].placeholder, "#a");
    EXPECT_EQ((*attributes.names)[1].name, "year");
    EXPECT_TRUE(attributes.values && attributes.values->size() == 2);
    EXPECT_EQ((*attributes.values)[0].placeholder, ":y");
    EXPECT_EQ((*attributes.values)[0].value, Value::number(2000).view());
    EXPECT_EQ((*attributes.values)[1].value, Value::string("z").view());
    EXPECT_EQ(request.return_values, ReturnValues::AllOld);
    EXPECT_EQ(request.return_values_on_condition_check_failure,
              ReturnValuesOnConditionCheckFailure::AllOld);
    EXPECT_EQ(request.return_consumed_capacity, ReturnConsumedCapacity::Indexes);
    EXPECT_EQ(request.return_item_collection_metrics, ReturnItemCollectionMetrics::Size);
    PutItemResponse response;
    response.attributes = Item{{"artist", Value::string("Ada\n")}};
    auto& capacity = response.consumed_capacity.emplace();
    capacity.table_name = "Songs";
    capacity.capacity_units = 3;
    capacity.table = Capacity{1, {}, {}};
    capacity.global_secondary_indexes["g"] = Capacity{1, {}, 1.0};
    capacity.local_secondary_indexes["l"] = Capacity{1, 0.5, {}};
    response.item_collection_metrics.emplace();
    response.item_collection_metrics->item_collection_key =
        Item{{"artist", Value::string("Ada\n")}};
    return response;
  };
  EXPECT_EQ(
      send(
          "PutItem",
          R"({"TableName":"Songs","Item":{"year":{"N":"1843"},"artist":{"S":"Ada\n"}},)"
          R"("ConditionExpression":"attribute_not_exists(#a) AND #y < :y",)"
          R"("ExpressionAttributeNames":{"#a":"artist","#y":"year"},)"
          R"("ExpressionAttributeValues":{":y":{"N":"2000"},":z":{"S":"z"}},)"
          R"("ReturnValues":"ALL_OLD","ReturnConsumedCapacity":"INDEXES",)"
          R"("ReturnItemCollectionMetrics":"SIZE","ReturnValuesOnConditionCheckFailure":"ALL_OLD"})"),
      R"({"Attributes":{"artist":{"S":"Ada\n"}},"ConsumedCapacity":{"CapacityUnits":3.0,)"
      R"("GlobalSecondaryIndexes":{"g":{"CapacityUnits":1.0,"WriteCapacityUnits":1.0}},)"
      R"("LocalSecondaryIndexes":{"l":{"CapacityUnits":1.0,"ReadCapacityUnits":0.5}},)"
      R"("Table":{"CapacityUnits":1.0},"TableName":"Songs"},"ItemCollectionMetrics":)"
      R"({"ItemCollectionKey":{"artist":{"S":"Ada\n"}},"SizeEstimateRangeGB":[0.0,1.0]}})");
  EXPECT_EQ(api.calls, 1);
}

TEST_F(ItemMessages, nothing_but_what_is_required) {
  api.on_put_item = [](const PutItemRequest& request) -> Result<PutItemResponse> {
    EXPECT_TRUE(request.item.empty());
    EXPECT_FALSE(request.condition_expression);
    EXPECT_FALSE(request.expression_attributes.names);
    EXPECT_FALSE(request.expression_attributes.values);
    EXPECT_EQ(request.return_values, ReturnValues::None);
    EXPECT_EQ(request.return_consumed_capacity, ReturnConsumedCapacity::None);
    return PutItemResponse();
  };
  EXPECT_EQ(send("PutItem", R"({"TableName":"tab","Item":{},"ConditionExpression":null,)"
                            R"("ExpressionAttributeNames":null,"ReturnValues":null,)"
                            R"("Expected":null,"Nonsense":{"a":[1]}})"),
            "{}");
  EXPECT_EQ(api.calls, 1);
}

TEST_F(ItemMessages, empty_placeholders_are_told_from_absent_ones) {
  api.on_update_item = [](const UpdateItemRequest& request) -> Result<UpdateItemResponse> {
    EXPECT_TRUE(request.expression_attributes.names &&
                request.expression_attributes.names->empty());
    EXPECT_TRUE(request.expression_attributes.values &&
                request.expression_attributes.values->empty());
    EXPECT_EQ(request.update_expression, "");
    return UpdateItemResponse();
  };
  send("UpdateItem", R"({"TableName":"tab","Key":{},"UpdateExpression":"",)"
                     R"("ExpressionAttributeNames":{},"ExpressionAttributeValues":{}})");
  EXPECT_EQ(api.calls, 1);
}

TEST_F(ItemMessages, get_item) {
  api.on_get_item = [](const GetItemRequest& request) -> Result<GetItemResponse> {
    EXPECT_EQ(request.table_name, "arn:aws:dynamodb:us-east-1:314159265358:table/Songs");
    EXPECT_EQ(request.key, (Item{{"p", Value::binary("\x01")}}.view()));
    EXPECT_TRUE(request.consistent_read);
    EXPECT_EQ(request.projection_expression, "a, #b");
    GetItemResponse response;
    response.item = Item{{"p", Value::binary("\x01")}, {"q", Value::null()}};
    response.consumed_capacity.emplace().capacity_units = 0.5;
    response.consumed_capacity->table_name = "Songs";
    return response;
  };
  EXPECT_EQ(send("GetItem",
                 R"({"TableName":"arn:aws:dynamodb:us-east-1:314159265358:table/Songs",)"
                 R"("Key":{"p":{"B":"AQ=="}},"ConsistentRead":true,"ProjectionExpression":"a, #b",)"
                 R"("ExpressionAttributeNames":{"#b":"b"},"ReturnConsumedCapacity":"TOTAL"})"),
            R"({"ConsumedCapacity":{"CapacityUnits":0.5,"TableName":"Songs"},)"
            R"("Item":{"p":{"B":"AQ=="},"q":{"NULL":true}}})");
}

TEST_F(ItemMessages, get_item_that_is_not_there) {
  EXPECT_EQ(send("GetItem", R"({"TableName":"tab","Key":{"p":{"S":"x"}}})"), "{}");
}

TEST_F(ItemMessages, update_and_delete_item) {
  api.on_update_item = [](const UpdateItemRequest& request) -> Result<UpdateItemResponse> {
    EXPECT_EQ(request.update_expression, "SET a = :a");
    EXPECT_EQ(request.condition_expression, "b = :a");
    EXPECT_EQ(request.return_values, ReturnValues::UpdatedNew);
    UpdateItemResponse response;
    response.attributes = Item();
    return response;
  };
  EXPECT_EQ(send("UpdateItem", R"({"TableName":"tab","Key":{"p":{"S":"x"}},)"
                               R"("UpdateExpression":"SET a = :a","ConditionExpression":"b = :a",)"
                               R"("ExpressionAttributeValues":{":a":{"L":[{"N":"1"}]}},)"
                               R"("ReturnValues":"UPDATED_NEW"})"),
            R"({"Attributes":{}})");
  api.on_delete_item = [](const DeleteItemRequest& request) -> Result<DeleteItemResponse> {
    EXPECT_EQ(request.key, (Item{{"p", Value::string("x")}}.view()));
    return DeleteItemResponse();
  };
  EXPECT_EQ(send("DeleteItem", R"({"TableName":"tab","Key":{"p":{"S":"x"}}})"), "{}");
  EXPECT_EQ(api.calls, 2);
}

TEST_F(ItemMessages, the_last_of_a_member_given_twice_counts) {
  api.on_put_item = [](const PutItemRequest& request) -> Result<PutItemResponse> {
    EXPECT_EQ(request.table_name, "second");
    EXPECT_EQ(request.item, (Item{{"b", Value::string("2")}}.view()));
    EXPECT_EQ(request.expression_attributes.values->size(), 2U);
    EXPECT_EQ((*request.expression_attributes.values)[0].placeholder, ":w");
    EXPECT_EQ((*request.expression_attributes.values)[1].value, Value::string("2").view());
    return PutItemResponse();
  };
  send("PutItem", R"({"TableName":"first","Item":{"a":{"SS":[]}},"TableName":"second",)"
                  R"("Item":{"b":{"S":"2"}},"ExpressionAttributeValues":)"
                  R"({":v":{"S":"1"},":w":{"S":"x"},":v":{"S":"2"}}})");
  EXPECT_EQ(api.calls, 1);
}

TEST_F(ItemMessages, a_thousand_placeholders_with_one_repeated) {
  std::string names;
  for (int i = 0; i < 1000; ++i) names += "\"#n" + std::to_string(i) + "\":\"a\",";
  api.on_put_item = [](const PutItemRequest& request) -> Result<PutItemResponse> {
    const auto given = *request.expression_attributes.names;
    EXPECT_EQ(given.size(), 1000U);
    EXPECT_EQ(given[4].placeholder, "#n4");
    EXPECT_EQ(given[5].placeholder, "#n6");
    EXPECT_EQ(given[999].placeholder, "#n5");
    EXPECT_EQ(given[999].name, "b");
    return PutItemResponse();
  };
  send("PutItem",
       R"({"TableName":"tab","Item":{},"ExpressionAttributeNames":{)" + names + R"("#n5":"b"}})");
  EXPECT_EQ(api.calls, 1);
}

TEST_F(ItemMessages, a_missing_table_name_is_one_violation_among_others) {
  expect_validation("PutItem", R"({"Item":{"pk":{"S":"test"}}})",
                    "1 validation error detected: Value null at 'tableName' failed to satisfy "
                    "constraint: Member must not be null");
  expect_validation("PutItem", "{}",
                    "2 validation errors detected: Value null at 'tableName' failed to satisfy "
                    "constraint: Member must not be null; Value null at 'item' failed to satisfy "
                    "constraint: Member must not be null");
  expect_validation("GetItem", R"({"TableName":"tab","Key":null})",
                    "1 validation error detected: Value null at 'key' failed to satisfy "
                    "constraint: Member must not be null");
}

TEST_F(ItemMessages, a_bad_table_name_is_told_alone) {
  expect_validation("PutItem", R"({"TableName":"","Item":{},"ReturnValues":"INVALID"})",
                    "1 validation error detected: Value '' at 'tableName' failed to satisfy "
                    "constraint: Member must have length greater than or equal to 1");
  const std::string longest(256, 'a');
  expect_validation("PutItem", R"({"TableName":")" + longest + R"(","Item":{}})",
                    "1 validation error detected: Value '" + longest +
                        "' at 'tableName' failed to satisfy constraint: Member must have length "
                        "less than or equal to 255");
  expect_validation("DeleteItem", R"({"TableName":"bad table!@#"})",
                    "1 validation error detected: Value 'bad table!@#' at 'tableName' failed to "
                    "satisfy constraint: Member must satisfy regular expression pattern: "
                    "[a-zA-Z0-9_.-]+");
}

TEST_F(ItemMessages, bad_words_are_told_together) {
  expect_validation(
      "PutItem",
      R"({"TableName":"tab","ReturnValues":"hi","ReturnItemCollectionMetrics":"hi",)"
      R"("ReturnConsumedCapacity":"hi","ReturnValuesOnConditionCheckFailure":"hi"})",
      "5 validation errors detected: Value 'hi' at 'returnConsumedCapacity' failed to satisfy "
      "constraint: Member must satisfy enum value set: [INDEXES, TOTAL, NONE]; Value null at "
      "'item' "
      "failed to satisfy constraint: Member must not be null; Value 'hi' at 'returnValues' failed "
      "to "
      "satisfy constraint: Member must satisfy enum value set: [ALL_NEW, UPDATED_OLD, ALL_OLD, "
      "NONE, "
      "UPDATED_NEW]; Value 'hi' at 'returnItemCollectionMetrics' failed to satisfy constraint: "
      "Member must satisfy enum value set: [SIZE, NONE]; Value 'hi' at "
      "'returnValuesOnConditionCheckFailure' failed to satisfy constraint: Member must satisfy "
      "enum "
      "value set: [ALL_OLD, NONE]");
}

TEST_F(ItemMessages, types_come_before_violations_before_values) {
  expect_serialization("PutItem", R"({"Item":{"a":{"SS":[]}},"ReturnValues":"x","TableName":5})",
                       "NUMBER_VALUE cannot be converted to String");
  expect_validation(
      "PutItem", R"({"Item":{"a":{"SS":[]}},"TableName":"tab","ReturnValues":"x"})",
      "1 validation error detected: Value 'x' at 'returnValues' failed to satisfy "
      "constraint: Member must satisfy enum value set: [ALL_NEW, UPDATED_OLD, ALL_OLD, "
      "NONE, UPDATED_NEW]");
  expect_validation("PutItem", R"({"Item":{"a":{"SS":[]}},"TableName":"tab"})",
                    "One or more parameter values were invalid: An string set  may not be empty");
}

TEST_F(ItemMessages, wrong_types) {
  const struct {
    std::string_view member;
    std::string_view message;
  } cases[] = {
      {R"("Item":"x")", "Unexpected field type"},
      {R"("Item":[])",
       "Unrecognized collection type java.util.Map<java.lang.String, "
       "com.amazonaws.dynamodb.v20120810.AttributeValue>"},
      {R"("Item":{"a":"x"})", "Unexpected value type in payload"},
      {R"("Item":{"a":{"N":1}})", "NUMBER_VALUE cannot be converted to String"},
      {R"("ConditionExpression":{})", "Start of structure or map found where not expected"},
      {R"("ReturnValues":["NONE"])", "Unrecognized collection type class java.lang.String"},
      {R"("ExpressionAttributeNames":"x")", "Unexpected field type"},
      {R"("ExpressionAttributeNames":[])",
       "Unrecognized collection type java.util.Map<java.lang.String, java.lang.String>"},
      {R"("ExpressionAttributeNames":{"#a":1.5})", "DECIMAL_VALUE cannot be converted to String"},
      {R"("ExpressionAttributeValues":{":a":true})", "Unexpected value type in payload"},
      {R"("ExpressionAttributeValues":{":a":{"B":"abc"}})",
       "Base64 encoded length is expected a multiple of 4 bytes but found: 3"},
  };
  for (const auto& test : cases) {
    expect_serialization("PutItem", "{" + std::string(test.member) + "}", test.message);
  }
  expect_serialization("GetItem", R"({"ConsistentRead":"maybe"})",
                       "Unexpected token received from parser");
}

TEST_F(ItemMessages, bad_values_of_placeholders_are_told_with_their_name) {
  expect_validation("UpdateItem",
                    R"({"TableName":"tab","Key":{},"ExpressionAttributeValues":)"
                    R"({":a":{"S":"x"},":b":{"N":"x"},":c":{}}})",
                    "ExpressionAttributeValues contains invalid value: The parameter cannot be "
                    "converted to a numeric value: x for key :b");
  expect_validation("UpdateItem",
                    R"({"TableName":"tab","Key":{},"ExpressionAttributeValues":{":a":{}}})",
                    "ExpressionAttributeValues contains invalid value: Supplied AttributeValue is "
                    "empty, must contain exactly one of the supported datatypes for key :a");
  expect_validation(
      "UpdateItem",
      R"({"TableName":"tab","Key":{},"ExpressionAttributeValues":{":a":{"NULL":false}}})",
      "One or more parameter values were invalid: Null attribute value types must have the value "
      "of "
      "true");
  expect_validation("UpdateItem",
                    R"({"TableName":"tab","ExpressionAttributeValues":{":a":{}},)"
                    R"("Key":{"p":{"N":"y"}}})",
                    "The parameter cannot be converted to a numeric value: y");
}

TEST_F(ItemMessages, expected_is_read_in_both_forms) {
  api.on_put_item = [](const PutItemRequest& request) -> Result<PutItemResponse> {
    EXPECT_EQ(request.conditional_operator, ConditionalOperator::Or);
    EXPECT_EQ(request.expected->size(), 3U);
    const ExpectedAttribute& compared = (*request.expected)[0];
    EXPECT_EQ(compared.attribute, "a");
    EXPECT_EQ(compared.comparison_operator, ComparisonOperator::Between);
    EXPECT_EQ(compared.values->size(), 2U);
    EXPECT_EQ((*compared.values)[1].number(), "2");
    EXPECT_FALSE(compared.value || compared.exists);
    const ExpectedAttribute& equal = (*request.expected)[1];
    EXPECT_EQ(equal.value->string(), "x");
    EXPECT_EQ(equal.exists, true);
    EXPECT_FALSE(equal.values || equal.comparison_operator);
    EXPECT_EQ((*request.expected)[2].exists, false);
    return PutItemResponse();
  };
  send("PutItem",
       R"({"TableName":"tab","Item":{},"ConditionalOperator":"OR","Expected":{)"
       R"("a":{"ComparisonOperator":"BETWEEN","AttributeValueList":[{"N":"1"},{"N":"2"}]},)"
       R"("b":{"Value":{"S":"x"},"Exists":true},"c":{"Exists":false}}})");
  EXPECT_EQ(answer.status, 200);
}

TEST_F(ItemMessages, attribute_updates_are_read) {
  api.on_update_item = [](const UpdateItemRequest& request) -> Result<UpdateItemResponse> {
    EXPECT_EQ(request.attribute_updates->size(), 3U);
    EXPECT_EQ((*request.attribute_updates)[0].action, AttributeAction::Put);
    EXPECT_EQ((*request.attribute_updates)[0].value->string(), "last");
    EXPECT_EQ((*request.attribute_updates)[1].action, AttributeAction::Add);
    EXPECT_EQ((*request.attribute_updates)[2].action, AttributeAction::Delete);
    EXPECT_FALSE((*request.attribute_updates)[2].value);
    return UpdateItemResponse();
  };
  send("UpdateItem",
       R"({"TableName":"tab","Key":{},"AttributeUpdates":{"a":{"Value":{"S":"first"}},)"
       R"("a":{"Value":{"S":"last"}},"b":{"Action":"ADD","Value":{"N":"1"}},)"
       R"("c":{"Action":"DELETE","Value":null}}})");
  EXPECT_EQ(answer.status, 200);
}

TEST_F(ItemMessages, legacy_members_have_shapes) {
  expect_serialization("PutItem", R"({"TableName":"tab","Item":{},"Expected":[]})",
                       "Unrecognized collection type java.util.Map<java.lang.String, "
                       "com.amazonaws.dynamodb.v20120810.ExpectedAttributeValue>");
  expect_serialization("PutItem", R"({"TableName":"tab","Item":{},"Expected":{"a":1}})",
                       "Unexpected value type in payload");
  expect_serialization("PutItem", R"({"TableName":"tab","Item":{},"Expected":{"a":{"Value":1}}})",
                       "Unexpected field type");
  expect_serialization("UpdateItem",
                       R"({"TableName":"tab","Key":{},"AttributeUpdates":{"a":{"Action":1}}})",
                       "NUMBER_VALUE cannot be converted to String");
  expect_serialization("GetItem", R"({"TableName":"tab","Key":{},"AttributesToGet":"a"})",
                       "Unexpected field type");
  expect_validation("UpdateItem",
                    R"({"TableName":"tab","Key":{},"ConditionalOperator":"AN",)"
                    R"("Expected":{"a":{"ComparisonOperator":"eq"}},)"
                    R"("AttributeUpdates":{"b":{"Action":"SET"}}})",
                    "3 validation errors detected: Value 'AN' at 'conditionalOperator' failed to "
                    "satisfy constraint: Member must satisfy enum value set: [OR, AND]; Value 'eq' "
                    "at 'expected.a.member.comparisonOperator' failed to satisfy constraint: "
                    "Member must satisfy enum value set: [IN, NULL, BETWEEN, LT, NOT_CONTAINS, EQ, "
                    "GT, NOT_NULL, NE, LE, BEGINS_WITH, GE, CONTAINS]; Value 'SET' at "
                    "'attributeUpdates.b.member.action' failed to satisfy constraint: Member must "
                    "satisfy enum value set: [ADD, PUT, DELETE]");
  expect_validation("GetItem", R"({"TableName":"tab","Key":{},"AttributesToGet":[]})",
                    "1 validation error detected: Value '[]' at 'attributesToGet' failed to "
                    "satisfy constraint: Member must have length greater than or equal to 1");
  expect_validation("PutItem",
                    R"({"TableName":"tab","Item":{},"Expected":{"a":{"Value":{"N":"x"}}}})",
                    "The parameter cannot be converted to a numeric value: x");
}

// Parameters that do not go together are told before values that are none.
TEST_F(ItemMessages, mixed_parameters_are_left_to_the_operation) {
  api.on_put_item = [](const PutItemRequest& request) -> Result<PutItemResponse> {
    EXPECT_TRUE(request.expected && request.condition_expression);
    return PutItemResponse();
  };
  send("PutItem", R"({"TableName":"tab","Item":{"a":{}},"Expected":{"a":{"Value":{}}},)"
                  R"("ConditionExpression":""})");
  EXPECT_EQ(answer.status, 200);
  EXPECT_EQ(api.calls, 1);
}

TEST_F(ItemMessages, nesting_and_size_are_bounded) {
  std::string deep = R"({"TableName":"tab","Item":{"a":)";
  for (int i = 0; i < 33; ++i) deep += R"({"M":{"a":)";
  deep += R"({"S":"x"})";
  for (int i = 0; i < 33; ++i) deep += "}}";
  expect_validation("PutItem", deep + "}}",
                    "Nesting Levels have exceeded supported limits: Attributes in the item have "
                    "nested levels beyond supported limit");
  std::string large = R"({"TableName":"tab","Item":{"a":{"S":")" + std::string(8 << 20, 'x');
  send("PutItem", large + R"("}}})");
  EXPECT_EQ(answer.status, 200);
}

}  // namespace
}  // namespace partita
