#include "wire/table_messages.h"

#include <string>

#include <gtest/gtest.h>

#include "wire/wire_test_fixture_test.h"

namespace partita {
namespace {

class TableMessages : public WireTest {
 protected:
  static std::string violation(std::string_view value, std::string_view path,
                               std::string_view constraint) {
    return std::string("Value ")
        .append(value)
        .append(" at '")
        .append(path)
        .append("' failed to satisfy constraint: ")
        .append(constraint);
  }
  static std::string one(std::string_view value, std::string_view path,
                         std::string_view constraint) {
    return "1 validation error detected: " + violation(value, path, constraint);
  }
};

constexpr std::string_view kNotNull = "Member must not be null";

TEST_F(TableMessages, create_table_with_everything) {
  api.on_create_table = [](const CreateTableRequest& request) -> Result<TableDescription> {
    EXPECT_EQ(request.table_name, "Songs");
    EXPECT_EQ(request.attribute_definitions,
              (std::vector<AttributeDefinition>{{"a", ScalarType::S}, {"y", ScalarType::N}}));
    EXPECT_EQ(request.key_schema,
              (std::vector<KeySchemaElement>{{"a", KeyType::Hash}, {"y", KeyType::Range}}));
    EXPECT_EQ(request.billing_mode, BillingMode::Provisioned);
    EXPECT_EQ(request.provisioned_throughput, (ProvisionedThroughput{5, 6}));
    EXPECT_EQ(request.local_secondary_indexes->size(), 1U);
    const LocalSecondaryIndex& local = request.local_secondary_indexes->front();
    EXPECT_EQ(local.index_name, "loc");
    EXPECT_EQ(local.key_schema.size(), 2U);
    EXPECT_EQ(local.projection.type, ProjectionType::Include);
    EXPECT_EQ(local.projection.non_key_attributes, (std::vector<std::string>{"p", "q"}));
    EXPECT_TRUE(local.projection.has_non_key_attributes);
    EXPECT_EQ(request.global_secondary_indexes->size(), 1U);
    const GlobalSecondaryIndex& global = request.global_secondary_indexes->front();
    EXPECT_EQ(global.projection.type, ProjectionType::KeysOnly);
    EXPECT_FALSE(global.projection.has_non_key_attributes);
    EXPECT_EQ(global.provisioned_throughput, (ProvisionedThroughput{1, 2}));
    EXPECT_EQ(global.on_demand_throughput->max_read_request_units, -1);
    EXPECT_EQ(global.warm_throughput->write_units_per_second, 9);
    EXPECT_TRUE(request.stream_specification->stream_enabled);
    EXPECT_EQ(request.stream_specification->stream_view_type, StreamViewType::NewAndOldImages);
    EXPECT_EQ(request.sse_specification->enabled, true);
    EXPECT_EQ(request.sse_specification->sse_type, "KMS");
    EXPECT_EQ(request.sse_specification->kms_master_key_id, "key");
    EXPECT_EQ(request.table_class, TableClass::StandardInfrequentAccess);
    EXPECT_EQ(request.deletion_protection_enabled, true);
    EXPECT_EQ(request.on_demand_throughput->max_write_request_units, 7);
    EXPECT_EQ(request.tags->size(), 1U);
    EXPECT_EQ(request.tags->front().value, "v");
    EXPECT_EQ(request.resource_policy, "{}");
    return TableDescription();
  };
  send("CreateTable",
       R"({"TableName":"Songs","AttributeDefinitions":[{"AttributeName":"a","AttributeType":"S"},)"
       R"({"AttributeName":"y","AttributeType":"N"}],"KeySchema":[{"AttributeName":"a",)"
       R"("KeyType":"HASH"},{"AttributeName":"y","KeyType":"RANGE"}],"BillingMode":"PROVISIONED",)"
       R"("ProvisionedThroughput":{"ReadCapacityUnits":5,"WriteCapacityUnits":6},)"
       R"("LocalSecondaryIndexes":[{"IndexName":"loc","KeySchema":[{"AttributeName":"a",)"
       R"("KeyType":"HASH"},{"AttributeName":"z","KeyType":"RANGE"}],"Projection":)"
       R"({"ProjectionType":"INCLUDE","NonKeyAttributes":["p","q"]}}],)"
       R"("GlobalSecondaryIndexes":[{"IndexName":"glo","KeySchema":[{"AttributeName":"z",)"
       R"("KeyType":"HASH"}],"Projection":{"ProjectionType":"KEYS_ONLY"},"ProvisionedThroughput":)"
       R"({"ReadCapacityUnits":1,"WriteCapacityUnits":2},"OnDemandThroughput":)"
       R"({"MaxReadRequestUnits":-1},"WarmThroughput":{"WriteUnitsPerSecond":9}}],)"
       R"("StreamSpecification":{"StreamEnabled":true,"StreamViewType":"NEW_AND_OLD_IMAGES"},)"
       R"("SSESpecification":{"Enabled":true,"SSEType":"KMS","KMSMasterKeyId":"key"},)"
       R"("TableClass":"STANDARD_INFREQUENT_ACCESS","DeletionProtectionEnabled":true,)"
       R"("OnDemandThroughput":{"MaxWriteRequestUnits":7},"Tags":[{"Key":"k","Value":"v"}],)"
       R"("ResourcePolicy":"{}"})");
  EXPECT_EQ(answer.status, 200);
  EXPECT_EQ(api.calls, 1);
}

TEST_F(TableMessages, describes_a_table) {
  api.on_describe_table = [](const DescribeTableRequest& request) -> Result<TableDescription> {
    EXPECT_EQ(request.table_name, "Songs");
    TableDescription table;
    table.attribute_definitions = {{"a", ScalarType::S}};
    table.table_name = "Songs";
    table.key_schema = {{"a", KeyType::Hash}};
    table.creation_date_time = 1363729002.358;
    table.provisioned_throughput.read_capacity_units = 5;
    table.provisioned_throughput.last_increase = 1.5e9;
    table.table_size_bytes = 100;
    table.item_count = 2;
    table.table_arn = "arn:t";
    table.table_id = "id";
    return table;
  };
  EXPECT_EQ(
      send("DescribeTable", R"({"TableName":"Songs"})"),
      R"({"Table":{"AttributeDefinitions":[{"AttributeName":"a","AttributeType":"S"}],)"
      R"("CreationDateTime":1.363729002358E9,"DeletionProtectionEnabled":false,"ItemCount":2,)"
      R"("KeySchema":[{"AttributeName":"a","KeyType":"HASH"}],"ProvisionedThroughput":)"
      R"({"LastIncreaseDateTime":1.5E9,"NumberOfDecreasesToday":0,"ReadCapacityUnits":5,)"
      R"("WriteCapacityUnits":0},"TableArn":"arn:t","TableId":"id","TableName":"Songs",)"
      R"("TableSizeBytes":100,"TableStatus":"ACTIVE"}})");
}

TEST_F(TableMessages, describes_all_that_a_table_can_have) {
  api.on_delete_table = [](const DeleteTableRequest&) -> Result<TableDescription> {
    TableDescription table;
    table.table_status = TableStatus::Deleting;
    table.billing_mode_summary = BillingModeSummary{BillingMode::PayPerRequest, 1.5e9};
    GlobalSecondaryIndexDescription& global = table.global_secondary_indexes.emplace_back();
    global.index_name = "g";
    global.key_schema = {{"z", KeyType::Hash}};
    global.projection = {ProjectionType::Include, {"p"}, true};
    global.index_status = IndexStatus::Creating;
    global.backfilling = true;
    global.index_arn = "arn:g";
    LocalSecondaryIndexDescription& local = table.local_secondary_indexes.emplace_back();
    local.index_name = "l";
    local.projection.type = ProjectionType::All;
    local.index_arn = "arn:l";
    table.stream_specification = StreamSpecification{true, StreamViewType::KeysOnly};
    table.latest_stream_arn = "arn:s";
    table.latest_stream_label = "label";
    table.sse_description = SseDescription{"ENABLED", "KMS", "arn:k"};
    table.table_class_summary = TableClassSummary{TableClass::Standard, {}};
    table.deletion_protection_enabled = true;
    table.on_demand_throughput = OnDemandThroughput{3, {}};
    table.warm_throughput = WarmThroughputDescription{{12000, 4000}};
    return table;
  };
  EXPECT_EQ(
      send("DeleteTable", R"({"TableName":"Songs"})"),
      R"({"TableDescription":{"BillingModeSummary":{"BillingMode":)"
      R"("PAY_PER_REQUEST","LastUpdateToPayPerRequestDateTime":1.5E9},)"
      R"("DeletionProtectionEnabled":true,"GlobalSecondaryIndexes":[{"Backfilling":true,)"
      R"("IndexArn":"arn:g","IndexName":"g","IndexSizeBytes":0,"ItemCount":0,"KeySchema":)"
      R"([{"AttributeName":"z","KeyType":"HASH"}],"Projection":{"NonKeyAttributes":["p"],)"
      R"("ProjectionType":"INCLUDE"},"IndexStatus":"CREATING","ProvisionedThroughput":)"
      R"({"NumberOfDecreasesToday":0,"ReadCapacityUnits":0,"WriteCapacityUnits":0}}],)"
      R"("LocalSecondaryIndexes":[{"IndexArn":"arn:l","IndexName":"l","IndexSizeBytes":0,)"
      R"("ItemCount":0,"Projection":{"ProjectionType":"ALL"}}],"ItemCount":0,)"
      R"("OnDemandThroughput":{"MaxReadRequestUnits":3},"ProvisionedThroughput":)"
      R"({"NumberOfDecreasesToday":0,"ReadCapacityUnits":0,"WriteCapacityUnits":0},)"
      R"("SSEDescription":{"KMSMasterKeyArn":"arn:k","SSEType":"KMS","Status":"ENABLED"},)"
      R"("LatestStreamArn":"arn:s","LatestStreamLabel":"label","StreamSpecification":)"
      R"({"StreamEnabled":true,"StreamViewType":"KEYS_ONLY"},"TableArn":"","TableClassSummary":)"
      R"({"TableClass":"STANDARD"},"TableId":"","TableName":"","TableSizeBytes":0,"TableStatus":)"
      R"("DELETING","WarmThroughput":{"ReadUnitsPerSecond":12000,"Status":"ACTIVE",)"
      R"("WriteUnitsPerSecond":4000}}})");
}

TEST_F(TableMessages, list_tables) {
  api.on_list_tables = [](const ListTablesRequest& request) -> Result<ListTablesResponse> {
    EXPECT_EQ(request.limit, 2);
    EXPECT_EQ(request.exclusive_start_table_name, "abc");
    return ListTablesResponse{{"abd", "abe"}, "abe"};
  };
  EXPECT_EQ(send("ListTables", R"({"Limit":2,"ExclusiveStartTableName":"abc"})"),
            R"({"LastEvaluatedTableName":"abe","TableNames":["abd","abe"]})");
  api.on_list_tables = nullptr;
  EXPECT_EQ(send("ListTables", "{}"), R"({"TableNames":[]})");
  expect_validation(
      "ListTables", R"({"Limit":0,"ExclusiveStartTableName":";"})",
      "3 validation errors detected: " +
          violation("'0'", "limit", "Member must have value greater than or equal to 1") + "; " +
          violation("';'", "exclusiveStartTableName",
                    "Member must satisfy regular expression pattern: "
                    "[a-zA-Z0-9_.-]+") +
          "; " +
          violation("';'", "exclusiveStartTableName",
                    "Member must have length greater than or equal to 3"));
  expect_validation("ListTables", R"({"Limit":101})",
                    one("'101'", "limit", "Member must have value less than or equal to 100"));
}

TEST_F(TableMessages, update_table) {
  api.on_update_table = [](const UpdateTableRequest& request) -> Result<TableDescription> {
    EXPECT_EQ(request.billing_mode, BillingMode::PayPerRequest);
    EXPECT_EQ(request.attribute_definitions->size(), 1U);
    EXPECT_FALSE(request.provisioned_throughput);
    EXPECT_EQ(request.global_secondary_index_updates->size(), 3U);
    const auto& updates = *request.global_secondary_index_updates;
    EXPECT_EQ(updates[0].create->index_name, "new");
    EXPECT_FALSE(updates[0].update || updates[0].delete_index_name);
    EXPECT_EQ(updates[1].update->index_name, "old");
    EXPECT_EQ(updates[1].update->provisioned_throughput, (ProvisionedThroughput{1, 2}));
    EXPECT_EQ(updates[2].delete_index_name, "gone");
    return TableDescription();
  };
  send("UpdateTable",
       R"({"TableName":"tab","BillingMode":"PAY_PER_REQUEST","AttributeDefinitions":)"
       R"([{"AttributeName":"x","AttributeType":"B"}],"GlobalSecondaryIndexUpdates":[{"Create":)"
       R"({"IndexName":"new","KeySchema":[{"AttributeName":"x","KeyType":"HASH"}],"Projection":)"
       R"({"ProjectionType":"ALL"}}},{"Update":{"IndexName":"old","ProvisionedThroughput":)"
       R"({"ReadCapacityUnits":1,"WriteCapacityUnits":2}}},{"Delete":{"IndexName":"gone"}}]})");
  EXPECT_EQ(answer.status, 200);
  EXPECT_EQ(api.calls, 1);
}

TEST_F(TableMessages, names_of_tables) {
  for (std::string_view operation :
       {"CreateTable", "DescribeTable", "UpdateTable", "DeleteTable"}) {
    expect_validation(operation, "{}",
                      "The parameter 'TableName' is required but was not present in the request");
  }
  for (std::string_view operation :
       {"CreateTable", "DescribeTable", "UpdateTable", "DeleteTable"}) {
    expect_validation(
        operation, R"({"TableName":"ab","KeySchema":[]})",
        one("'ab'", "tableName", "Member must have length greater than or equal to 3"));
    expect_validation(operation, R"({"TableName":"a b"})",
                      one("'a b'", "tableName",
                          "Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+"));
  }
}

TEST_F(TableMessages, what_create_table_must_have) {
  expect_validation(
      "CreateTable", R"({"TableName":"tab"})",
      "2 validation errors detected: " + violation("null", "attributeDefinitions", kNotNull) +
          "; " + violation("null", "keySchema", kNotNull));
  expect_validation(
      "CreateTable",
      R"({"TableName":"tab","AttributeDefinitions":[{}],"KeySchema":[],"BillingMode":"FREE",)"
      R"("ProvisionedThroughput":{"WriteCapacityUnits":0}})",
      "6 validation errors detected: " +
          violation("null", "attributeDefinitions.1.member.attributeName", kNotNull) + "; " +
          violation("null", "attributeDefinitions.1.member.attributeType", kNotNull) + "; " +
          violation("'FREE'", "billingMode",
                    "Member must satisfy enum value set: [PROVISIONED, PAY_PER_REQUEST]") +
          "; " +
          violation("'0'", "provisionedThroughput.writeCapacityUnits",
                    "Member must have value greater than or equal to 1") +
          "; " + violation("null", "provisionedThroughput.readCapacityUnits", kNotNull) + "; " +
          violation("'[]'", "keySchema", "Member must have length greater than or equal to 1"));
}

TEST_F(TableMessages, words_in_lists_are_told_with_their_place) {
  expect_validation(
      "CreateTable",
      R"({"TableName":"tab","AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"INVALID"}],)"
      R"("KeySchema":[{"AttributeName":"pk","KeyType":"HASH"}]})",
      one("'INVALID'", "attributeDefinitions.1.member.attributeType",
          "Member must satisfy enum value set: [B, N, S]"));
  expect_validation(
      "CreateTable",
      R"({"TableName":"tab","AttributeDefinitions":[],"KeySchema":)"
      R"([{"AttributeName":"pk","KeyType":"HASH"},{"AttributeName":"sk","KeyType":"INVALID"}]})",
      one("'INVALID'", "keySchema.2.member.keyType",
          "Member must satisfy enum value set: [HASH, RANGE]"));
  expect_validation(
      "CreateTable",
      R"({"TableName":"tab","AttributeDefinitions":[],"KeySchema":[{"AttributeName":"a","KeyType":)"
      R"("HASH"},{"AttributeName":"b","KeyType":"RANGE"},{"AttributeName":"c","KeyType":"RANGE"}]})",
      one("'[KeySchemaElement(attributeName=a, keyType=HASH), KeySchemaElement(attributeName=b, "
          "keyType=RANGE), KeySchemaElement(attributeName=c, keyType=RANGE)]'",
          "keySchema", "Member must have length less than or equal to 2"));
}

TEST_F(TableMessages, what_indexes_must_have) {
  expect_validation(
      "CreateTable",
      R"({"TableName":"tab","AttributeDefinitions":[],"KeySchema":[{"AttributeName":"a",)"
      R"("KeyType":"HASH"}],"LocalSecondaryIndexes":[{}],"GlobalSecondaryIndexes":[{"IndexName":"h;",)"
      R"("KeySchema":[],"Projection":{"ProjectionType":"SOME","NonKeyAttributes":[]}}]})",
      "8 validation errors detected: " +
          violation("null", "localSecondaryIndexes.1.member.indexName", kNotNull) + "; " +
          violation("null", "localSecondaryIndexes.1.member.keySchema", kNotNull) + "; " +
          violation("null", "localSecondaryIndexes.1.member.projection", kNotNull) + "; " +
          violation("'h;'", "globalSecondaryIndexes.1.member.indexName",
                    "Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+") +
          "; " +
          violation("'h;'", "globalSecondaryIndexes.1.member.indexName",
                    "Member must have length greater than or equal to 3") +
          "; " +
          violation("'[]'", "globalSecondaryIndexes.1.member.keySchema",
                    "Member must have length greater than or equal to 1") +
          "; " +
          violation("'SOME'", "globalSecondaryIndexes.1.member.projection.projectionType",
                    "Member must satisfy enum value set: [ALL, INCLUDE, KEYS_ONLY]") +
          "; " +
          violation("'[]'", "globalSecondaryIndexes.1.member.projection.nonKeyAttributes",
                    "Member must have length greater than or equal to 1"));
  expect_validation("UpdateTable",
                    R"({"TableName":"tab","GlobalSecondaryIndexUpdates":[{"Delete":{}}]})",
                    one("null", "globalSecondaryIndexUpdates.1.member.delete.indexName", kNotNull));
}

TEST_F(TableMessages, tells_of_ten_violations_at_most) {
  std::string definitions = "{}";
  for (int i = 0; i < 100'000; ++i) definitions += ",{}";
  const std::string body = send("CreateTable", R"({"TableName":"tab","AttributeDefinitions":[)" +
                                                   definitions + R"(],"KeySchema":[]})");
  EXPECT_NE(body.find("10 validation errors detected: "), std::string::npos) << body.substr(0, 200);
  EXPECT_LT(body.size(), 2000U);
}

TEST_F(TableMessages, wrong_types) {
  const struct {
    std::string_view member;
    std::string_view message;
  } cases[] = {
      {R"("TableName":1)", "NUMBER_VALUE cannot be converted to String"},
      {R"("KeySchema":{})", "Start of structure or map found where not expected"},
      {R"("KeySchema":"x")", "Unexpected field type"},
      {R"("KeySchema":["x"])", "Unexpected value type in payload"},
      {R"("KeySchema":[[]])",
       "Unrecognized collection type class com.amazonaws.dynamodb.v20120810.KeySchemaElement"},
      {R"("ProvisionedThroughput":5)", "Unexpected field type"},
      {R"("ProvisionedThroughput":[])",
       "Unrecognized collection type class com.amazonaws.dynamodb.v20120810.ProvisionedThroughput"},
      {R"("ProvisionedThroughput":{"ReadCapacityUnits":"5"})",
       "STRING_VALUE cannot be converted to Long"},
      {R"("LocalSecondaryIndexes":[{"Projection":{"NonKeyAttributes":[1]}}])",
       "NUMBER_VALUE cannot be converted to String"},
      {R"("DeletionProtectionEnabled":1)", "NUMBER_VALUE cannot be converted to Boolean"},
  };
  for (const auto& test : cases) {
    expect_serialization("CreateTable", "{" + std::string(test.member) + "}", test.message);
  }
}

}  // namespace
}  // namespace partita
