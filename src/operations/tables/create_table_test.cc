#include <set>

#include "operations/tables/tables_fixture.h"

namespace partita {
namespace {

class CreateTable : public TablesTest {
 protected:
  // Keys "pk" and "sk" and definitions for a few more attributes.
  static CreateTableRequest with_definitions(std::initializer_list<const char*> more) {
    CreateTableRequest request = on_demand("Music");
    request.attribute_definitions.push_back({"sk", ScalarType::N});
    request.key_schema.push_back({"sk", KeyType::Range});
    for (const char* name : more) request.attribute_definitions.push_back({name, ScalarType::S});
    return request;
  }
};

TEST_F(CreateTable, answers_creating_and_describe_says_active_right_after) {
  const TableDescription answer = create(provisioned("Music"));
  EXPECT_EQ(answer.table_status, TableStatus::Creating);
  EXPECT_EQ(answer.table_name, "Music");
  EXPECT_EQ(answer.table_arn, "arn:aws:dynamodb:us-east-1:314159265358:table/Music");
  EXPECT_EQ(answer.creation_date_time, 1'700'000'000.123);
  EXPECT_EQ(answer.provisioned_throughput.read_capacity_units, 5);
  EXPECT_EQ(answer.provisioned_throughput.write_capacity_units, 6);
  EXPECT_EQ(answer.item_count, 0);
  EXPECT_EQ(answer.table_id.size(), 36u);
  EXPECT_FALSE(answer.billing_mode_summary);

  const TableDescription described = describe_named("Music");
  EXPECT_EQ(described.table_status, TableStatus::Active);
  EXPECT_EQ(described.table_id, answer.table_id);
  EXPECT_EQ(described.key_schema, (std::vector<KeySchemaElement>{{"pk", KeyType::Hash}}));
  EXPECT_EQ(described.attribute_definitions,
            (std::vector<AttributeDefinition>{{"pk", ScalarType::S}}));
  EXPECT_EQ(described.warm_throughput->read_units_per_second, 5);
}

TEST_F(CreateTable, an_on_demand_table_has_no_capacity_and_a_billing_mode_summary) {
  const TableDescription answer = create(on_demand("Music"));
  EXPECT_EQ(answer.billing_mode_summary->billing_mode, BillingMode::PayPerRequest);
  EXPECT_FALSE(answer.billing_mode_summary->last_update_to_pay_per_request);
  EXPECT_EQ(answer.provisioned_throughput.read_capacity_units, 0);
  const TableDescription described = describe_named("Music");
  EXPECT_EQ(described.billing_mode_summary->last_update_to_pay_per_request, 1'700'000'000.123);
  EXPECT_EQ(described.warm_throughput->read_units_per_second, 12'000);
  EXPECT_EQ(described.warm_throughput->write_units_per_second, 4'000);
}

TEST_F(CreateTable, the_answer_waits_for_the_commit) {
  create(provisioned("Music"));
  EXPECT_EQ(ticket_.version, catalog_->latest());
  EXPECT_GT(ticket_.version, 0u);
  ticket_ = {};
  refused(provisioned("Music"), ErrorCode::ResourceInUse);
  EXPECT_EQ(ticket_.version, catalog_->latest()) << "the failure tells of a table";
}

TEST_F(CreateTable, indexes_are_stored_and_described) {
  CreateTableRequest request = with_definitions({"a", "b"});
  request.local_secondary_indexes = {local_index("local", "a")};
  request.global_secondary_indexes = {global_index("global", "b")};
  GlobalSecondaryIndex& global = request.global_secondary_indexes->front();
  global.projection = {ProjectionType::Include, {"colour"}, true};
  EXPECT_EQ(create(request).global_secondary_indexes[0].index_status, IndexStatus::Creating);

  const TableDescription described = describe_named("Music");
  ASSERT_EQ(described.local_secondary_indexes.size(), 1u);
  EXPECT_EQ(described.local_secondary_indexes[0].index_name, "local");
  EXPECT_EQ(described.local_secondary_indexes[0].key_schema, local_index("l", "a").key_schema);
  EXPECT_EQ(described.local_secondary_indexes[0].index_arn,
            "arn:aws:dynamodb:us-east-1:314159265358:table/Music/index/local");
  ASSERT_EQ(described.global_secondary_indexes.size(), 1u);
  EXPECT_EQ(described.global_secondary_indexes[0].index_status, IndexStatus::Active);
  EXPECT_EQ(described.global_secondary_indexes[0].projection.type, ProjectionType::Include);
  EXPECT_EQ(described.global_secondary_indexes[0].projection.non_key_attributes,
            std::vector<std::string>{"colour"});
}

TEST_F(CreateTable, settings_are_stored_and_described) {
  CreateTableRequest request = on_demand("Music");
  request.stream_specification = StreamSpecification{true, StreamViewType::NewImage};
  request.sse_specification = SseSpecification{true, {}, {}};
  request.table_class = TableClass::StandardInfrequentAccess;
  request.deletion_protection_enabled = true;
  request.on_demand_throughput = OnDemandThroughput{100, {}};
  request.warm_throughput = WarmThroughput{13'000, {}};
  request.tags = std::vector<Tag>{{.key = "team", .value = "blue"}};
  create(request);
  reopen();
  const TableDescription described = describe_named("Music");
  EXPECT_EQ(described.stream_specification->stream_view_type, StreamViewType::NewImage);
  EXPECT_EQ(described.latest_stream_label, "2023-11-14T22:13:20.123");
  EXPECT_EQ(described.latest_stream_arn,
            "arn:aws:dynamodb:us-east-1:314159265358:table/Music/stream/2023-11-14T22:13:20.123");
  EXPECT_EQ(described.sse_description->status, "ENABLED");
  EXPECT_TRUE(described.sse_description->kms_master_key_arn.starts_with(
      "arn:aws:kms:us-east-1:314159265358:key/"));
  EXPECT_EQ(described.table_class_summary->table_class, TableClass::StandardInfrequentAccess);
  EXPECT_TRUE(described.deletion_protection_enabled);
  EXPECT_EQ(described.on_demand_throughput->max_read_request_units, 100);
  EXPECT_EQ(described.warm_throughput->read_units_per_second, 13'000);
  EXPECT_EQ(described.warm_throughput->write_units_per_second, 4'000);
  EXPECT_EQ(catalog_->find_any("Music", now_)->tags[0].value, "blue");
}

TEST_F(CreateTable, the_name_may_be_given_as_an_arn) {
  CreateTableRequest request = provisioned("arn:aws:dynamodb:us-east-1:314159265358:table/Music");
  EXPECT_EQ(create(request).table_name, "Music");
}

TEST_F(CreateTable, an_existing_table_is_in_use_but_only_a_valid_request_is_told_so) {
  create(provisioned("Music"));
  EXPECT_EQ(refused(provisioned("Music"), ErrorCode::ResourceInUse), "Table already exists: Music");
  CreateTableRequest invalid = provisioned("Music");
  invalid.key_schema[0].type = KeyType::Range;
  EXPECT_EQ(refused(invalid),
            "Invalid KeySchema: The first KeySchemaElement is not a HASH key type");
}

// ---- Single members ----

TEST_F(CreateTable, names_are_checked_as_dynamodb_does) {
  EXPECT_EQ(refused(provisioned("ab")),
            "1 validation error detected: Value 'ab' at 'tableName' failed to satisfy constraint: "
            "Member must have length greater than or equal to 3");
  EXPECT_EQ(refused(provisioned("a;")),
            "2 validation errors detected: Value 'a;' at 'tableName' failed to satisfy constraint: "
            "Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+; Value 'a;' at "
            "'tableName' failed to satisfy constraint: Member must have length greater than or "
            "equal to 3");
  EXPECT_NE(refused(provisioned("")).find("'tableName'"), std::string::npos);
  EXPECT_NE(refused(provisioned(std::string(256, 'a'))).find("less than or equal to 255"),
            std::string::npos);
}

TEST_F(CreateTable, key_schemas_have_one_or_two_elements) {
  CreateTableRequest request = provisioned("Music");
  request.key_schema.clear();
  EXPECT_EQ(refused(request),
            "1 validation error detected: Value '[]' at 'keySchema' failed to satisfy constraint: "
            "Member must have length greater than or equal to 1");
  request.key_schema = {{"pk", KeyType::Hash}, {"sk", KeyType::Range}, {"x", KeyType::Range}};
  EXPECT_EQ(
      refused(request),
      "1 validation error detected: Value '[KeySchemaElement(attributeName=pk, keyType=HASH), "
      "KeySchemaElement(attributeName=sk, keyType=RANGE), KeySchemaElement(attributeName=x, "
      "keyType=RANGE)]' at 'keySchema' failed to satisfy constraint: Member must have length "
      "less than or equal to 2");
}

TEST_F(CreateTable, capacities_and_attribute_names_have_bounds) {
  CreateTableRequest request = provisioned("Music");
  request.provisioned_throughput = ProvisionedThroughput{0, -1};
  EXPECT_EQ(
      refused(request),
      "2 validation errors detected: Value '-1' at 'provisionedThroughput.writeCapacityUnits' "
      "failed to satisfy constraint: Member must have value greater than or equal to 1; Value "
      "'0' at 'provisionedThroughput.readCapacityUnits' failed to satisfy constraint: Member "
      "must have value greater than or equal to 1");
  request.provisioned_throughput = ProvisionedThroughput{1'000'000'000'001, 1};
  EXPECT_EQ(refused(request), "Given value 1000000000001 for ReadCapacityUnits is out of bounds");
  request = provisioned("Music");
  request.key_schema[0].name = request.attribute_definitions[0].name = std::string(256, 'k');
  EXPECT_NE(refused(request).find("at 'attributeDefinitions.1.member.attributeName'"),
            std::string::npos);
}

// ---- Billing ----

TEST_F(CreateTable, capacity_and_billing_mode_must_agree) {
  CreateTableRequest request = provisioned("Music");
  request.billing_mode = BillingMode::PayPerRequest;
  EXPECT_EQ(refused(request), kInvalid +
                                  "Neither ReadCapacityUnits nor WriteCapacityUnits can be "
                                  "specified when BillingMode is PAY_PER_REQUEST");
  request = provisioned("Music");
  request.provisioned_throughput.reset();
  request.attribute_definitions.clear();  // the capacity is missed first
  const std::string missing = kInvalid +
                              "ReadCapacityUnits and WriteCapacityUnits must both be specified "
                              "when BillingMode is PROVISIONED";
  EXPECT_EQ(refused(request), missing);
  request.billing_mode = BillingMode::Provisioned;
  EXPECT_EQ(refused(request), missing);
}

TEST_F(CreateTable, an_index_follows_the_tables_billing_mode) {
  CreateTableRequest request = with_definitions({"a"});
  request.global_secondary_indexes = {global_index("global", "a")};
  request.global_secondary_indexes->front().provisioned_throughput = ProvisionedThroughput{1, 1};
  EXPECT_EQ(refused(request), kInvalid +
                                  "ProvisionedThroughput should not be specified for index: global "
                                  "when BillingMode is PAY_PER_REQUEST");
  request.billing_mode = BillingMode::Provisioned;
  request.provisioned_throughput = ProvisionedThroughput{1, 1};
  request.global_secondary_indexes->front().provisioned_throughput.reset();
  EXPECT_EQ(refused(request),
            kInvalid + "ProvisionedThroughput is not specified for index: global");
}

TEST_F(CreateTable, on_demand_and_warm_throughput_have_their_ranges) {
  CreateTableRequest request = provisioned("Music");
  request.on_demand_throughput = OnDemandThroughput{{}, 10};
  EXPECT_EQ(refused(request), kInvalid +
                                  "MaxWriteRequestUnits for OnDemandThroughput cannot be specified "
                                  "when table BillingMode is PROVISIONED.");
  request = on_demand("Music");
  request.on_demand_throughput = OnDemandThroughput{-1, {}};
  EXPECT_EQ(refused(request), kInvalid +
                                  "Requested MaxReadRequestUnits for OnDemandThroughput for table "
                                  "is outside of valid range");
  request = on_demand("Music");
  request.warm_throughput = WarmThroughput{11'999, {}};
  EXPECT_EQ(refused(request),
            kInvalid +
                "Requested ReadUnitsPerSecond for WarmThroughput for table is "
                "lower than initial throughput for OnDemand. See: "
                "https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/"
                "on-demand-capacity-mode.html#on-demand-capacity-mode-initial");
  request = provisioned("Music");
  request.warm_throughput = WarmThroughput{{}, 5};
  EXPECT_EQ(refused(request), kInvalid +
                                  "Requested WriteUnitsPerSecond for WarmThroughput for table is "
                                  "lower than WriteCapacityUnits of ProvisionedThroughput");
  request = on_demand("Music");
  request.on_demand_throughput = OnDemandThroughput{};
  EXPECT_FALSE(create(request).on_demand_throughput) << "no member is no ceiling";
}

// ---- Keys ----

TEST_F(CreateTable, key_attributes_are_defined_exactly) {
  CreateTableRequest request = provisioned("Music");
  request.key_schema.push_back({"pk", KeyType::Range});
  EXPECT_EQ(refused(request), "Invalid KeySchema: Some index key attribute have no definition");
  request = provisioned("Music");
  request.key_schema[0].name = "other";
  EXPECT_EQ(refused(request),
            kInvalid +
                "Some index key attributes are not defined in "
                "AttributeDefinitions. Keys: [other], AttributeDefinitions: [pk]");
  request = provisioned("Music");
  request.attribute_definitions.push_back({"extra", ScalarType::N});
  EXPECT_EQ(refused(request), kInvalid +
                                  "Number of attributes in KeySchema does not exactly match number "
                                  "of attributes defined in AttributeDefinitions");
  request.attribute_definitions = {{"pk", ScalarType::S}, {"pk", ScalarType::N}};
  EXPECT_EQ(refused(request), "Attribute Name is duplicated: pk");
}

TEST_F(CreateTable, key_elements_are_hash_then_range_of_another_name) {
  CreateTableRequest request = with_definitions({});
  request.key_schema = {{"pk", KeyType::Hash}, {"pk", KeyType::Range}};
  EXPECT_EQ(refused(request),
            "Both the Hash Key and the Range Key element in the KeySchema have the same name");
  request.key_schema = {{"sk", KeyType::Range}, {"pk", KeyType::Hash}};
  EXPECT_EQ(refused(request),
            "Invalid KeySchema: The first KeySchemaElement is not a HASH key type");
  request.key_schema = {{"pk", KeyType::Hash}, {"sk", KeyType::Hash}};
  EXPECT_EQ(refused(request),
            "Invalid KeySchema: The second KeySchemaElement is not a RANGE key type");
}

// ---- Indexes ----

TEST_F(CreateTable, local_indexes_share_the_tables_hash_key_and_need_sort_keys) {
  CreateTableRequest request = on_demand("Music");
  request.attribute_definitions.push_back({"a", ScalarType::S});
  request.local_secondary_indexes = {local_index("local", "a")};
  EXPECT_EQ(refused(request), kInvalid +
                                  "Table KeySchema does not have a range key, which is required "
                                  "when specifying a LocalSecondaryIndex");
  request = with_definitions({"a"});
  request.local_secondary_indexes = {local_index("local", "a")};
  auto& key = request.local_secondary_indexes->front().key_schema;
  key.pop_back();
  EXPECT_EQ(refused(request),
            kInvalid + "Index KeySchema does not have a range key for index: local");
  key = {{"a", KeyType::Hash}, {"sk", KeyType::Range}};
  EXPECT_EQ(refused(request),
            kInvalid +
                "Index KeySchema does not have the same leading hash key as table "
                "KeySchema for index: local. index hash key: a, table hash key: "
                "pk");
  key = {{"pk", KeyType::Hash}, {"b", KeyType::Range}};
  EXPECT_EQ(refused(request),
            kInvalid +
                "Some index key attributes are not defined in AttributeDefinitions. Keys: [pk, b], "
                "AttributeDefinitions: [pk, sk, a]");
}

TEST_F(CreateTable, a_local_index_may_repeat_the_tables_sort_key) {
  CreateTableRequest request = with_definitions({});
  request.local_secondary_indexes = {local_index("local", "sk")};
  create(request);
}

TEST_F(CreateTable, there_are_limits_to_the_number_of_indexes) {
  CreateTableRequest request = with_definitions({});
  request.local_secondary_indexes.emplace();
  EXPECT_EQ(refused(request), kInvalid + "List of LocalSecondaryIndexes is empty");
  for (int i = 0; i < 6; ++i) {
    request.local_secondary_indexes->push_back(local_index("local" + std::to_string(i), "sk"));
  }
  EXPECT_EQ(refused(request),
            kInvalid + "Number of LocalSecondaryIndexes exceeds per-table limit of 5");
  request.local_secondary_indexes->pop_back();
  request.global_secondary_indexes.emplace();
  EXPECT_EQ(refused(request), kInvalid + "List of GlobalSecondaryIndexes is empty");
  for (int i = 0; i < 21; ++i) {
    request.global_secondary_indexes->push_back(global_index("global" + std::to_string(i), "sk"));
  }
  EXPECT_EQ(refused(request),
            kInvalid + "GlobalSecondaryIndex count exceeds the per-table limit of 20");
  request.global_secondary_indexes->pop_back();
  create(request);
}

TEST_F(CreateTable, index_names_are_unique_over_both_kinds) {
  CreateTableRequest request = with_definitions({"a"});
  request.local_secondary_indexes = {local_index("same", "a")};
  request.global_secondary_indexes = {global_index("same", "a")};
  EXPECT_EQ(refused(request), kInvalid + "Duplicate index name: same");
  request.global_secondary_indexes->front().index_name = "h;";
  EXPECT_TRUE(refused(request).starts_with(
      "2 validation errors detected: Value 'h;' at 'globalSecondaryIndexes.1.member.indexName'"));
}

TEST_F(CreateTable, global_keys_are_up_to_four_hash_then_up_to_four_range) {
  CreateTableRequest request = with_definitions({"a", "b", "c", "d", "e", "f", "g", "h"});
  GlobalSecondaryIndex index = global_index("global", "a");
  const auto with_key = [&](std::vector<KeySchemaElement> key) {
    index.key_schema = std::move(key);
    request.global_secondary_indexes = {index};
    return request;
  };
  const KeyType hash = KeyType::Hash, range = KeyType::Range;
  EXPECT_EQ(refused(with_key({{"a", range}})),
            "Invalid KeySchema: The first KeySchemaElement is not a HASH key type");
  EXPECT_EQ(refused(with_key({{"a", hash}, {"a", range}})),
            "The KeySchema contains multiple key attributes with the same name");
  EXPECT_EQ(
      refused(with_key({{"a", hash}, {"b", range}, {"c", hash}})),
      kInvalid + "All HASH key attributes must precede RANGE key attributes in the KeySchema");
  EXPECT_EQ(refused(with_key({{"a", hash}, {"b", hash}, {"c", hash}, {"d", hash}, {"e", hash}})),
            kInvalid + "The KeySchema exceeds the maximum allowed number of HASH key attributes");
  EXPECT_EQ(
      refused(with_key(
          {{"a", hash}, {"b", range}, {"c", range}, {"d", range}, {"e", range}, {"f", range}})),
      kInvalid + "The KeySchema exceeds the maximum allowed number of RANGE key attributes");
  create(with_key({{"a", hash},
                   {"b", hash},
                   {"c", hash},
                   {"d", hash},
                   {"e", range},
                   {"f", range},
                   {"g", range},
                   {"h", range}}));
  EXPECT_EQ(describe_named("Music").global_secondary_indexes[0].key_schema.size(), 8u);
}

TEST_F(CreateTable, unused_definitions_are_told_before_projections) {
  CreateTableRequest request = with_definitions({"a", "b"});
  request.global_secondary_indexes = {global_index("global", "a")};
  request.global_secondary_indexes->front().projection = {};
  EXPECT_EQ(
      refused(request),
      kInvalid +
          "Some AttributeDefinitions are not used. AttributeDefinitions: [pk, sk, a, b], keys "
          "used: [pk, sk, a]");
  request.attribute_definitions.pop_back();
  EXPECT_EQ(refused(request), kInvalid + "Unknown ProjectionType: null");
}

TEST_F(CreateTable, projections_list_attributes_only_to_include_them) {
  CreateTableRequest request = with_definitions({});
  request.global_secondary_indexes = {global_index("global", "sk")};
  Projection& projection = request.global_secondary_indexes->front().projection;
  projection = {ProjectionType::All, {"x"}, true};
  EXPECT_EQ(refused(request),
            kInvalid + "ProjectionType is ALL, but NonKeyAttributes is specified");
  projection = {ProjectionType::KeysOnly, {"x"}, true};
  EXPECT_EQ(refused(request),
            kInvalid + "ProjectionType is KEYS_ONLY, but NonKeyAttributes is specified");
  projection = {ProjectionType::Include, {}, false};
  EXPECT_EQ(refused(request),
            kInvalid + "ProjectionType is INCLUDE, but NonKeyAttributes is not specified");
  projection = {ProjectionType::Include, {"x", "x"}, true};
  EXPECT_EQ(refused(request), kInvalid + "Duplicate element in NonKeyAttributes: x");
  projection = {ProjectionType::Include, {}, true};
  EXPECT_EQ(
      refused(request),
      "1 validation error detected: Value '[]' at 'globalSecondaryIndexes.1.member.projection."
      "nonKeyAttributes' failed to satisfy constraint: Member must have length greater than or "
      "equal to 1");
  for (int i = 0; i < 21; ++i) projection.non_key_attributes.push_back("n" + std::to_string(i));
  EXPECT_NE(refused(request).find("Member must have length less than or equal to 20"),
            std::string::npos);
}

TEST_F(CreateTable, projected_attributes_are_limited_over_all_indexes) {
  CreateTableRequest request = with_definitions({});
  request.global_secondary_indexes.emplace();
  for (int i = 0; i < 6; ++i) {
    GlobalSecondaryIndex index = global_index("global" + std::to_string(i), "sk");
    index.projection = {ProjectionType::Include, {}, true};
    for (int n = 0; n < 20; ++n) {
      index.projection.non_key_attributes.push_back("n" + std::to_string(n));
    }
    request.global_secondary_indexes->push_back(index);
  }
  EXPECT_EQ(refused(request),
            kInvalid + "Number of NonKeyAttributes of all indexes exceeds the limit of 100");
  request.global_secondary_indexes->pop_back();
  create(request);
}

// ---- Settings ----

TEST_F(CreateTable, a_stream_has_a_view_type_exactly_when_enabled) {
  CreateTableRequest request = on_demand("Music");
  request.stream_specification = StreamSpecification{true, {}};
  EXPECT_EQ(refused(request),
            kInvalid + "Table is being created with a stream enabled, UpdateViewType is required");
  request.stream_specification = StreamSpecification{false, StreamViewType::NewImage};
  EXPECT_EQ(refused(request), kInvalid +
                                  "Table is being created with a stream disabled, UpdateViewType "
                                  "should not be specified");
  request.stream_specification = StreamSpecification{false, {}};
  EXPECT_FALSE(create(request).stream_specification);
}

TEST_F(CreateTable, encryption_asks_for_a_kms_key_or_nothing) {
  CreateTableRequest request = on_demand("Music");
  request.sse_specification = SseSpecification{false, "KMS", {}};
  EXPECT_EQ(refused(request), kInvalid + "SSEType can not be specified if Enabled is false");
  request.sse_specification = SseSpecification{false, {}, "key"};
  EXPECT_EQ(refused(request), kInvalid + "KMSMasterKeyId can not be specified if Enabled is false");
  request.sse_specification = SseSpecification{true, "AES256", {}};
  EXPECT_EQ(refused(request), kInvalid + "SSEType AES256 is not supported");
  request.sse_specification = SseSpecification{true, {}, "key"};
  EXPECT_EQ(refused(request), kInvalid + "SSEType KMS is required if KMSMasterKeyId is specified");
  request.sse_specification = SseSpecification{};
  EXPECT_FALSE(create(request).sse_description);
  request.table_name = "Films";
  request.sse_specification = SseSpecification{{}, "KMS", "alias/mine"};
  EXPECT_EQ(create(request).sse_description->kms_master_key_arn,
            "arn:aws:kms:us-east-1:314159265358:alias/mine");
}

TEST_F(CreateTable, tags_are_checked) {
  CreateTableRequest request = on_demand("Music");
  request.tags = std::vector<Tag>{{.key = "aws:x", .value = "1"}};
  EXPECT_EQ(refused(request), "Tag Key cannot be prefixed with aws:, Key: aws:x");
  request.tags = std::vector<Tag>{{.key = "k", .value = "1"}, {.key = "k", .value = "2"}};
  EXPECT_EQ(refused(request), "Duplicate Tag Keys provided as input: Duplicate Tag Key found k");
  request.tags = std::vector<Tag>{{.key = "", .value = "1"}};
  EXPECT_EQ(refused(request), "The Tag Key provided is invalid, Key: ");
  request.tags.emplace();
  for (int i = 0; i < 51; ++i) request.tags->push_back({"k" + std::to_string(i), ""});
  EXPECT_EQ(refused(request),
            "Number of Tags exceed the current limit for the provided ResourceArn");
  request.tags->pop_back();
  create(request);
}

}  // namespace
}  // namespace partita
