#include "wire/query_messages.h"

#include <string>

#include <gtest/gtest.h>

#include "wire/wire_test_fixture_test.h"

namespace partita {
namespace {

class QueryMessages : public WireTest {};

TEST_F(QueryMessages, query_with_everything) {
  api.on_query = [](const QueryRequest& request) -> Result<QueryResponse> {
    EXPECT_EQ(request.table_name, "Songs");
    EXPECT_EQ(request.index_name, "by-year");
    EXPECT_EQ(request.select, Select::SpecificAttributes);
    EXPECT_EQ(request.limit, 10);
    EXPECT_TRUE(request.consistent_read);
    EXPECT_FALSE(request.scan_index_forward);
    EXPECT_EQ(request.key_condition_expression, "#a = :a");
    EXPECT_EQ(request.filter_expression, "b > :a");
    EXPECT_EQ(request.projection_expression, "#a, b");
    EXPECT_EQ(request.expression_attributes.names->size(), 1U);
    EXPECT_EQ(request.expression_attributes.values->size(), 1U);
    EXPECT_EQ(request.exclusive_start_key, (Item{{"p", Value::number(1)}}.view()));
    EXPECT_EQ(request.return_consumed_capacity, ReturnConsumedCapacity::Total);
    QueryResponse response;
    response.items.append(Item{{"p", Value::number(2)}});
    response.items.append(Item{{"p", Value::number(3)}, {"q", Value::string("é")}});
    response.count = 2;
    response.scanned_count = 10;
    response.last_evaluated_key = Item{{"p", Value::number(3)}};
    response.consumed_capacity.emplace().table_name = "Songs";
    return response;
  };
  EXPECT_EQ(
      send(
          "Query",
          R"({"TableName":"Songs","IndexName":"by-year","Select":"SPECIFIC_ATTRIBUTES","Limit":10,)"
          R"("ConsistentRead":true,"ScanIndexForward":false,"KeyConditionExpression":"#a = :a",)"
          R"("FilterExpression":"b > :a","ProjectionExpression":"#a, b",)"
          R"("ExpressionAttributeNames":{"#a":"a"},"ExpressionAttributeValues":{":a":{"S":"x"}},)"
          R"("ExclusiveStartKey":{"p":{"N":"1"}},"ReturnConsumedCapacity":"TOTAL"})"),
      R"({"ConsumedCapacity":{"CapacityUnits":0.0,"TableName":"Songs"},"Count":2,)"
      R"("Items":[{"p":{"N":"2"}},{"p":{"N":"3"},"q":{"S":"é"}}],)"
      R"("LastEvaluatedKey":{"p":{"N":"3"}},"ScannedCount":10})");
  EXPECT_EQ(api.calls, 1);
}

TEST_F(QueryMessages, what_is_not_said_has_its_default) {
  api.on_query = [](const QueryRequest& request) -> Result<QueryResponse> {
    EXPECT_FALSE(request.index_name || request.select || request.limit ||
                 request.key_condition_expression || request.exclusive_start_key);
    EXPECT_FALSE(request.consistent_read);
    EXPECT_TRUE(request.scan_index_forward);
    return QueryResponse();
  };
  EXPECT_EQ(send("Query", R"({"TableName":"tab","Limit":null,"ExclusiveStartKey":null})"),
            R"({"Count":0,"Items":[],"ScannedCount":0})");
  EXPECT_EQ(api.calls, 1);
}

TEST_F(QueryMessages, scan) {
  api.on_scan = [](const ScanRequest& request) -> Result<ScanResponse> {
    EXPECT_EQ(request.segment, 3);
    EXPECT_EQ(request.total_segments, 8);
    EXPECT_EQ(request.select, Select::Count);
    ScanResponse response;
    response.items_wanted = false;
    response.count = 5;
    response.scanned_count = 6;
    return response;
  };
  EXPECT_EQ(send("Scan", R"({"TableName":"tab","Segment":3,"TotalSegments":8,"Select":"COUNT"})"),
            R"({"Count":5,"ScannedCount":6})");
  EXPECT_EQ(api.calls, 1);
}

// Recorded from DynamoDB by the conformance suite of Dynoxide: the two differ.
TEST_F(QueryMessages, a_limit_of_zero) {
  expect_validation("Query", R"({"TableName":"tab","Limit":0})",
                    "1 validation error detected: Value at 'Limit' failed to satisfy constraint: "
                    "Member must have value greater than or equal to 1");
  expect_validation("Scan", R"({"TableName":"tab","Limit":0})",
                    "1 validation error detected: Value '0' at 'limit' failed to satisfy "
                    "constraint: Member must have value greater than or equal to 1");
}

TEST_F(QueryMessages, violations_are_told_together) {
  expect_validation(
      "Query", R"({"Select":"INVALID_VALUE","IndexName":"a;","ReturnConsumedCapacity":"hi"})",
      "5 validation errors detected: Value 'INVALID_VALUE' at 'select' failed to "
      "satisfy constraint: Member must satisfy enum value set: [SPECIFIC_ATTRIBUTES, "
      "COUNT, ALL_ATTRIBUTES, ALL_PROJECTED_ATTRIBUTES]; Value 'a;' at 'indexName' "
      "failed to satisfy constraint: Member must satisfy regular expression pattern: "
      "[a-zA-Z0-9_.-]+; Value 'a;' at 'indexName' failed to satisfy constraint: Member "
      "must have length greater than or equal to 3; Value 'hi' at "
      "'returnConsumedCapacity' failed to satisfy constraint: Member must satisfy enum "
      "value set: [INDEXES, TOTAL, NONE]; Value null at 'tableName' failed to satisfy "
      "constraint: Member must not be null");
  expect_validation(
      "Scan", R"({"TableName":"tab","Segment":-1,"TotalSegments":1000001})",
      "2 validation errors detected: Value '1000001' at 'totalSegments' failed to "
      "satisfy constraint: Member must have value less than or equal to 1000000; Value "
      "'-1' at 'segment' failed to satisfy constraint: Member must have value greater "
      "than or equal to 0");
}

TEST_F(QueryMessages, wrong_types) {
  expect_serialization("Query", R"({"Limit":"5"})", "STRING_VALUE cannot be converted to Integer");
  expect_serialization("Scan", R"({"Segment":true})", "TRUE_VALUE cannot be converted to Integer");
  expect_serialization("Query", R"({"ScanIndexForward":[]})",
                       "Unrecognized collection type class java.lang.Boolean");
  expect_serialization("Scan", R"({"ExclusiveStartKey":{"a":{"S":1}}})",
                       "NUMBER_VALUE cannot be converted to String");
}

TEST_F(QueryMessages, a_starting_key_that_is_no_key) {
  expect_validation("Scan", R"({"TableName":"tab","ExclusiveStartKey":{"a":{}}})",
                    "The provided starting key is invalid: Supplied AttributeValue is empty, must "
                    "contain exactly one of the supported datatypes");
  expect_validation("Query", R"({"TableName":"tab","ExclusiveStartKey":{"a":{"N":"x"}}})",
                    "The parameter cannot be converted to a numeric value: x");
}

TEST_F(QueryMessages, legacy_conditions_are_read) {
  api.on_query = [](const QueryRequest& request) -> Result<QueryResponse> {
    EXPECT_EQ(request.key_conditions->size(), 1U);
    EXPECT_EQ(request.key_conditions->front().attribute, "k");
    EXPECT_EQ(request.key_conditions->front().values.front().string(), "v");
    EXPECT_EQ(request.query_filter->size(), 2U);
    EXPECT_EQ((*request.query_filter)[1].comparison_operator, ComparisonOperator::NotContains);
    EXPECT_EQ(request.conditional_operator, ConditionalOperator::And);
    EXPECT_EQ(request.attributes_to_get->size(), 2U);
    EXPECT_EQ((*request.attributes_to_get)[1], "a.b");
    return QueryResponse();
  };
  send("Query",
       R"({"TableName":"tab","AttributesToGet":["a","a.b"],"ConditionalOperator":"AND",)"
       R"("KeyConditions":{"k":{"ComparisonOperator":"EQ","AttributeValueList":[{"S":"v"}]}},)"
       R"("QueryFilter":{"a":{"ComparisonOperator":"NULL"},)"
       R"("b":{"ComparisonOperator":"NOT_CONTAINS","AttributeValueList":[{"N":"1"}]}}})");
  EXPECT_EQ(answer.status, 200);
}

TEST_F(QueryMessages, legacy_members_in_the_order_of_aws) {
  const std::string operators =
      "[IN, NULL, BETWEEN, LT, NOT_CONTAINS, EQ, GT, NOT_NULL, NE, LE, BEGINS_WITH, GE, CONTAINS]";
  const std::string failed = " failed to satisfy constraint: Member must ";
  expect_validation(
      "Query",
      R"({"AttributesToGet":[],"KeyConditions":{"a":{}},"ConditionalOperator":"AN",)"
      R"("QueryFilter":{"a":{},"b":{"ComparisonOperator":""}}})",
      "6 validation errors detected: Value null at 'queryFilter.a.member.comparisonOperator'" +
          failed + "not be null; Value '' at 'queryFilter.b.member.comparisonOperator'" + failed +
          "satisfy enum value set: " + operators + "; Value null at 'tableName'" + failed +
          "not be null; Value 'AN' at 'conditionalOperator'" + failed +
          "satisfy enum value set: [OR, AND]; Value '[]' at 'attributesToGet'" + failed +
          "have length greater than or equal to 1; Value null at "
          "'keyConditions.a.member.comparisonOperator'" +
          failed + "not be null");
  expect_validation("Scan", R"({"TableName":"tab","ScanFilter":{"a":{}},"AttributesToGet":[]})",
                    "2 validation errors detected: Value null at "
                    "'scanFilter.a.member.comparisonOperator'" +
                        failed + "not be null; Value '[]' at 'attributesToGet'" + failed +
                        "have length greater than or equal to 1");
}

}  // namespace
}  // namespace partita
