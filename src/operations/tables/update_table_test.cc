#include <thread>

#include "operations/tables/tables_fixture.h"

namespace partita {
namespace {

class UpdateTable : public TablesTest {
 protected:
  static UpdateTableRequest request_for(std::string name) {
    UpdateTableRequest request;
    request.table_name = std::move(name);
    return request;
  }
  static UpdateTableRequest capacity(std::int64_t read, std::int64_t write) {
    UpdateTableRequest request = request_for("Music");
    request.provisioned_throughput = ProvisionedThroughput{read, write};
    return request;
  }
  static GlobalSecondaryIndexUpdate index_capacity(std::string name, std::int64_t units) {
    GlobalSecondaryIndexUpdate update;
    update.update = GlobalSecondaryIndexThroughputUpdate{};
    update.update->index_name = std::move(name);
    update.update->provisioned_throughput = ProvisionedThroughput{units, units};
    return update;
  }
  void create_with_index(bool provisioned_mode) {
    CreateTableRequest request = provisioned_mode ? provisioned("Music") : on_demand("Music");
    request.attribute_definitions.push_back({"a", ScalarType::S});
    request.global_secondary_indexes = {global_index("global", "a")};
    if (provisioned_mode) {
      request.global_secondary_indexes->front().provisioned_throughput =
          ProvisionedThroughput{2, 2};
    }
    create(request);
  }
};

TEST_F(UpdateTable, something_must_change) {
  create(provisioned("Music"));
  UpdateTableRequest request = request_for("Music");
  const std::string nothing =
      "At least one of ProvisionedThroughput, BillingMode, UpdateStreamEnabled, "
      "GlobalSecondaryIndexUpdates, SSESpecification, ReplicaUpdates, MultiAccountReplicaReady, "
      "ReplicaTransitRoleArn, MultiRegionConsistency, DeletionProtectionEnabled, "
      "OnDemandThroughput, WarmThroughput or TableClass is required";
  EXPECT_EQ(refused(request), nothing);
  request.table_name = "Nothing";
  EXPECT_EQ(refused(request), nothing) << "before the table is looked for";
  request.provisioned_throughput = ProvisionedThroughput{1, 1};
  EXPECT_EQ(refused(request, ErrorCode::ResourceNotFound),
            "Requested resource not found: Table: Nothing not found");
}

TEST_F(UpdateTable, capacity_changes_and_the_answer_still_shows_the_old_one) {
  create(provisioned("Music"));
  pass(1000);
  const TableDescription answer = update(capacity(10, 12));
  EXPECT_EQ(answer.table_status, TableStatus::Updating);
  EXPECT_EQ(answer.provisioned_throughput.read_capacity_units, 5);
  EXPECT_EQ(answer.provisioned_throughput.write_capacity_units, 6);
  EXPECT_EQ(answer.provisioned_throughput.last_increase, 1'700'000'001.123);
  EXPECT_EQ(ticket_.version, catalog_->latest());
  reopen();
  const TableDescription described = describe_named("Music");
  EXPECT_EQ(described.table_status, TableStatus::Active);
  EXPECT_EQ(described.provisioned_throughput.read_capacity_units, 10);
  EXPECT_EQ(described.provisioned_throughput.write_capacity_units, 12);
  EXPECT_EQ(described.provisioned_throughput.number_of_decreases_today, 0);
}

TEST_F(UpdateTable, decreases_are_counted_by_the_day) {
  create(provisioned("Music"));
  update(capacity(4, 6));
  update(capacity(3, 6));
  EXPECT_EQ(describe_named("Music").provisioned_throughput.number_of_decreases_today, 2);
  pass(24 * 3600 * 1000);
  EXPECT_EQ(describe_named("Music").provisioned_throughput.number_of_decreases_today, 0);
  update(capacity(2, 6));
  EXPECT_EQ(describe_named("Music").provisioned_throughput.number_of_decreases_today, 1);
}

TEST_F(UpdateTable, after_four_decreases_of_a_day_an_hour_must_pass) {
  CreateTableRequest table = provisioned("Music");  // at 22:13:20 on a Tuesday
  table.provisioned_throughput = ProvisionedThroughput{20, 20};
  create(table);
  for (int units = 19; units > 15; --units) update(capacity(units, 20));
  const std::string early = refused(capacity(15, 30), ErrorCode::LimitExceeded);
  EXPECT_EQ(early,
            "Subscriber limit exceeded: Provisioned throughput decreases are limited within a "
            "given UTC day. After the first 4 decreases, each subsequent decrease in the same UTC "
            "day can be performed at most once every 3600 seconds. Number of decreases today: 4. "
            "Last decrease at Tuesday, November 14, 2023 at 10:13:20 PM Coordinated Universal "
            "Time. Next decrease can be made at Tuesday, November 14, 2023 at 11:13:20 PM "
            "Coordinated Universal Time.");
  update(capacity(16, 30));  // more is always possible
  pass(3600 * 1000 - 1);
  refused(capacity(15, 30), ErrorCode::LimitExceeded);
  pass(1);
  EXPECT_EQ(update(capacity(15, 30)).provisioned_throughput.number_of_decreases_today, 4);
  EXPECT_EQ(describe_named("Music").provisioned_throughput.number_of_decreases_today, 5);
  EXPECT_NE(refused(capacity(14, 30), ErrorCode::LimitExceeded)
                .find("made at Wednesday, November 15, 2023 at 12:00:00 AM Coordinated"),
            std::string::npos);
  pass(2800 * 1000);  // the next day
  update(capacity(14, 30));
  EXPECT_EQ(describe_named("Music").provisioned_throughput.number_of_decreases_today, 1);
}

TEST_F(UpdateTable, the_same_capacity_again_is_an_error) {
  create(provisioned("Music"));
  const std::string unchanged =
      "The provisioned throughput for the table will not change. The requested value equals the "
      "current value. Current ReadCapacityUnits provisioned for the table: 5. Requested "
      "ReadCapacityUnits: 5. Current WriteCapacityUnits provisioned for the table: 6. Requested "
      "WriteCapacityUnits: 6. Refer to the Amazon DynamoDB Developer Guide for current limits and "
      "how to request higher limits.";
  UpdateTableRequest request = capacity(5, 6);
  EXPECT_EQ(refused(request), unchanged);
  request.billing_mode = BillingMode::Provisioned;
  EXPECT_EQ(refused(request), unchanged);
}

TEST_F(UpdateTable, capacity_must_be_sound_and_of_a_provisioned_table) {
  create(on_demand("Music"));
  const std::string neither = kInvalid +
                              "Neither ReadCapacityUnits nor WriteCapacityUnits can be specified "
                              "when BillingMode is PAY_PER_REQUEST";
  EXPECT_EQ(refused(capacity(1, 1)), neither);
  UpdateTableRequest both = capacity(1, 1);
  both.billing_mode = BillingMode::PayPerRequest;
  EXPECT_EQ(refused(both), neither);
  EXPECT_EQ(refused(capacity(0, 5)),
            "1 validation error detected: Value '0' at 'provisionedThroughput.readCapacityUnits' "
            "failed to satisfy constraint: Member must have value greater than or equal to 1");
  EXPECT_EQ(refused(capacity(1, 1'000'000'000'001)),
            "Given value 1000000000001 for WriteCapacityUnits is out of bounds");
  UpdateTableRequest without = request_for("Music");
  without.billing_mode = BillingMode::Provisioned;
  EXPECT_EQ(refused(without),
            kInvalid + "ProvisionedThroughput must be specified when BillingMode is PROVISIONED");
}

TEST_F(UpdateTable, billing_mode_goes_on_demand_and_back) {
  create_with_index(true);
  UpdateTableRequest request = request_for("Music");
  request.billing_mode = BillingMode::PayPerRequest;
  const TableDescription answer = update(request);
  EXPECT_EQ(answer.table_status, TableStatus::Updating);
  EXPECT_EQ(answer.billing_mode_summary->billing_mode, BillingMode::PayPerRequest);
  EXPECT_EQ(answer.global_secondary_indexes[0].index_status, IndexStatus::Updating);
  const TableDescription on_demand_now = describe_named("Music");
  EXPECT_EQ(on_demand_now.provisioned_throughput.read_capacity_units, 0);
  EXPECT_EQ(on_demand_now.global_secondary_indexes[0].provisioned_throughput.read_capacity_units,
            0);
  update(request);  // once more changes nothing and is no error

  UpdateTableRequest back = capacity(3, 3);
  back.billing_mode = BillingMode::Provisioned;
  EXPECT_EQ(refused(back), kInvalid + "ProvisionedThroughput must be specified for index: global");
  back.global_secondary_index_updates = {index_capacity("global", 4)};
  EXPECT_EQ(update(back).provisioned_throughput.read_capacity_units, 3);
  const TableDescription described = describe_named("Music");
  EXPECT_EQ(described.billing_mode_summary->billing_mode, BillingMode::Provisioned);
  EXPECT_EQ(described.provisioned_throughput.read_capacity_units, 3);
  EXPECT_EQ(described.global_secondary_indexes[0].provisioned_throughput.read_capacity_units, 4);
}

TEST_F(UpdateTable, index_capacity_changes_alone) {
  create_with_index(true);
  UpdateTableRequest request = request_for("Music");
  request.global_secondary_index_updates = {index_capacity("global", 7)};
  const TableDescription answer = update(request);
  EXPECT_EQ(answer.global_secondary_indexes[0].index_status, IndexStatus::Updating);
  EXPECT_EQ(answer.global_secondary_indexes[0].provisioned_throughput.read_capacity_units, 2);
  EXPECT_EQ(describe_named("Music")
                .global_secondary_indexes[0]
                .provisioned_throughput.read_capacity_units,
            7);
  EXPECT_EQ(refused(request).substr(0, 60),
            "The provisioned throughput for the index global will not cha");
  request.global_secondary_index_updates = {index_capacity("nothing", 7)};
  refused(request, ErrorCode::ResourceNotFound);
}

TEST_F(UpdateTable, index_updates_have_their_own_rules) {
  create_with_index(false);
  UpdateTableRequest request = request_for("Music");
  request.global_secondary_index_updates.emplace();
  request.deletion_protection_enabled = true;
  EXPECT_EQ(refused(request), kInvalid + "List of GlobalSecondaryIndexUpdates is empty");
  request.deletion_protection_enabled.reset();
  request.global_secondary_index_updates->emplace_back();
  EXPECT_EQ(refused(request), kInvalid +
                                  "One of GlobalSecondaryIndexUpdate.Update, "
                                  "GlobalSecondaryIndexUpdate.Create, "
                                  "GlobalSecondaryIndexUpdate.Delete must not be null");
  auto& updates = *request.global_secondary_index_updates;
  updates = {index_capacity("global", 1), index_capacity("global", 2)};
  EXPECT_EQ(refused(request), kInvalid +
                                  "Only one global secondary index update per index is allowed "
                                  "simultaneously. Index: global");
  updates = {index_capacity("global", 1)};
  EXPECT_EQ(refused(request), kInvalid +
                                  "The only Updates for index: global when TableThroughputMode is "
                                  "PAY_PER_REQUEST can be to OnDemandThroughput, WarmThroughput");
  updates[0].delete_index_name = "global";
  EXPECT_EQ(refused(request), kInvalid +
                                  "Only one global secondary index action is allowed per "
                                  "GlobalSecondaryIndexUpdate object");
}

UpdateTableRequest creation(GlobalSecondaryIndex index, AttributeDefinition definition) {
  UpdateTableRequest request;
  request.table_name = "Music";
  request.attribute_definitions = {std::move(definition)};
  request.global_secondary_index_updates.emplace(1).front().create = std::move(index);
  return request;
}

UpdateTableRequest deletion(std::string index) {
  UpdateTableRequest request;
  request.table_name = "Music";
  request.global_secondary_index_updates.emplace(1).front().delete_index_name = std::move(index);
  return request;
}

TEST_F(UpdateTable, a_new_index_is_creating_and_keeps_the_table_updating) {
  create(on_demand("Music"));
  const auto answer = update(creation(global_index("another", "a"), {"a", ScalarType::N}));
  EXPECT_EQ(answer.table_status, TableStatus::Updating);
  ASSERT_EQ(answer.global_secondary_indexes.size(), 1u);
  EXPECT_EQ(answer.global_secondary_indexes[0].index_status, IndexStatus::Creating);
  EXPECT_EQ(answer.global_secondary_indexes[0].backfilling, false);
  EXPECT_EQ(answer.attribute_definitions.size(), 2u);
  EXPECT_EQ(
      refused(creation(global_index("more", "a"), {"a", ScalarType::N}), ErrorCode::ResourceInUse),
      "Attempt to change a resource which is still in use: Table is being updated: Music");
}

TEST_F(UpdateTable, one_index_comes_or_goes_at_a_time) {
  create_with_index(false);
  const std::string limit =
      "Subscriber limit exceeded: Only 1 online index can be created or deleted simultaneously per "
      "table";
  UpdateTableRequest both = creation(global_index("another", "a"), {"a", ScalarType::S});
  both.global_secondary_index_updates->emplace_back().delete_index_name = "global";
  EXPECT_EQ(refused(both, ErrorCode::LimitExceeded), limit);

  // While an index fills, the table can be changed, but no other index may come or go.
  const TablePointer table = catalog_->find_any("Music", now_);
  TableSchema filling = *table;
  filling.global_indexes[0].phase = IndexPhase::Filling;
  filling.global_indexes[0].backfilling = true;
  ASSERT_TRUE(catalog_->update(table, filling, now_));
  const auto described = describe_named("Music");
  EXPECT_EQ(described.table_status, TableStatus::Active);
  EXPECT_EQ(described.global_secondary_indexes[0].index_status, IndexStatus::Creating);
  EXPECT_EQ(described.global_secondary_indexes[0].backfilling, true);
  EXPECT_EQ(refused(creation(global_index("another", "a"), {"a", ScalarType::S}),
                    ErrorCode::LimitExceeded),
            limit);
  EXPECT_EQ(refused(creation(global_index("global", "a"), {"a", ScalarType::S}),
                    ErrorCode::ResourceInUse),
            "Attempt to change a resource which is still in use: Index is being created.  Table: "
            "Music Index: global");
  const auto answer = update(deletion("global"));
  EXPECT_EQ(answer.global_secondary_indexes[0].index_status, IndexStatus::Deleting);
  EXPECT_EQ(answer.table_status, TableStatus::Updating);
}

TEST_F(UpdateTable, a_new_index_must_be_sound) {
  create_with_index(false);
  const auto index = global_index("another", "a");
  EXPECT_EQ(refused(creation(global_index("global", "x"), {"y", ScalarType::S})),
            "Attempting to create an index which already exists");
  UpdateTableRequest request = creation(index, {"b", ScalarType::S});
  EXPECT_EQ(refused(request), kInvalid +
                                  "Some index key attributes are not defined in "
                                  "AttributeDefinitions. Keys: [a], AttributeDefinitions: [b]");
  request.attribute_definitions.reset();
  EXPECT_EQ(refused(request),
            kInvalid + "AttributeDefinitions is not specified for index: another");
  EXPECT_EQ(refused(creation(global_index("another", "pk"), {"pk", ScalarType::N})),
            kInvalid +
                "Attributes cannot be redefined. Please check that your attribute has the same "
                "type as previously defined. Existing schema: Schema:[SchemaElement: "
                "key{pk:S:HASH}] New schema: Schema:[SchemaElement: key{pk:N:HASH}]");
  auto with_capacity = index;
  with_capacity.provisioned_throughput = ProvisionedThroughput{1, 1};
  EXPECT_EQ(refused(creation(with_capacity, {"a", ScalarType::S})),
            kInvalid +
                "Neither ReadCapacityUnits nor WriteCapacityUnits can be specified for index: "
                "another when BillingMode is PAY_PER_REQUEST");
  request = creation(index, {"a", ScalarType::S});
  request.warm_throughput = WarmThroughput{20'000, 20'000};
  EXPECT_EQ(
      refused(request),
      kInvalid + "Create global secondary index cannot be specified when updating WarmThroughput");
  refused(deletion("nothing"), ErrorCode::ResourceNotFound);
}

TEST_F(UpdateTable, the_21st_index_is_one_too_many) {
  CreateTableRequest request = on_demand("Music");
  request.attribute_definitions.push_back({"a", ScalarType::S});
  auto& indexes = request.global_secondary_indexes.emplace();
  for (int i = 0; i < 20; ++i) indexes.push_back(global_index("index" + std::to_string(i), "a"));
  create(request);
  EXPECT_EQ(refused(creation(global_index("another", "a"), {"a", ScalarType::S}),
                    ErrorCode::LimitExceeded),
            "Subscriber limit exceeded: GlobalSecondaryIndex count exceeds the per-table limit of "
            "20");
}

TEST_F(UpdateTable, most_changes_come_alone) {
  create(provisioned("Music"));
  UpdateTableRequest request = capacity(9, 9);
  request.stream_specification = StreamSpecification{true, StreamViewType::KeysOnly};
  EXPECT_EQ(refused(request),
            kInvalid + "You cannot modify stream status while updating table IOPS");
  request.on_demand_throughput = OnDemandThroughput{5, 5};
  EXPECT_EQ(refused(request), kInvalid +
                                  "OnDemandThroughput can only be combined with BillingMode in an "
                                  "UpdateTable request");
  request.warm_throughput = WarmThroughput{50, 50};
  EXPECT_EQ(refused(request),
            kInvalid + "WarmThroughput must be the only operation in the request");
  request.deletion_protection_enabled = true;
  EXPECT_EQ(refused(request),
            kInvalid + "DeletionProtection modification must be the only operation in the request");
  request.table_class = TableClass::Standard;
  EXPECT_EQ(refused(request),
            kInvalid + "TableClass modification must be the only operation in the request");
  request.sse_specification = SseSpecification{true, {}, {}};
  EXPECT_EQ(
      refused(request),
      kInvalid + "Server-Side Encryption modification must be the only operation in the request");
}

TEST_F(UpdateTable, ceilings_merge_and_minus_one_lifts_them) {
  create(on_demand("Music"));
  UpdateTableRequest request = request_for("Music");
  request.on_demand_throughput = OnDemandThroughput{100, {}};
  EXPECT_EQ(update(request).table_status, TableStatus::Active);
  request.on_demand_throughput = OnDemandThroughput{{}, 50};
  update(request);
  EXPECT_EQ(describe_named("Music").on_demand_throughput->max_read_request_units, 100);
  EXPECT_EQ(describe_named("Music").on_demand_throughput->max_write_request_units, 50);
  request.on_demand_throughput = OnDemandThroughput{-1, -1};
  update(request);
  EXPECT_FALSE(describe_named("Music").on_demand_throughput);
  request.on_demand_throughput = OnDemandThroughput{0, {}};
  EXPECT_EQ(refused(request), kInvalid +
                                  "Requested MaxReadRequestUnits for OnDemandThroughput for table "
                                  "is outside of valid range");
  create(provisioned("Films"));
  request.table_name = "Films";
  EXPECT_EQ(refused(request), kInvalid +
                                  "MaxReadRequestUnits for OnDemandThroughput cannot be specified "
                                  "when the table BillingMode is PROVISIONED");
}

TEST_F(UpdateTable, warm_throughput_remembers_the_highest_capacity) {
  CreateTableRequest table = provisioned("Music");
  table.provisioned_throughput = ProvisionedThroughput{3, 3};
  create(table);
  const auto expect_warm = [&](std::int64_t read, std::int64_t write) {
    const auto warm = describe_named("Music").warm_throughput;
    EXPECT_EQ(warm->read_units_per_second, read);
    EXPECT_EQ(warm->write_units_per_second, write);
  };
  expect_warm(3, 3);
  update(capacity(1, 1));
  expect_warm(3, 3);
  update(capacity(2, 5));
  expect_warm(3, 5);
  UpdateTableRequest mode;
  mode.table_name = "Music";
  mode.billing_mode = BillingMode::PayPerRequest;
  update(mode);
  expect_warm(12'000, 4'000);
  UpdateTableRequest back = capacity(1, 1);
  back.billing_mode = BillingMode::Provisioned;
  update(back);
  reopen();
  expect_warm(12'000, 4'000);
}

TEST_F(UpdateTable, an_index_of_an_on_demand_table_has_no_capacity_to_change) {
  CreateTableRequest table = on_demand("Music");
  table.attribute_definitions.push_back({"a", ScalarType::S});
  table.global_secondary_indexes = {global_index("global", "a")};
  create(table);
  UpdateTableRequest request;
  request.table_name = "Music";
  auto& index = request.global_secondary_index_updates.emplace().emplace_back().update.emplace();
  index.index_name = "global";
  const std::string only = kInvalid +
                           "The only Updates for index: global when TableThroughputMode is "
                           "PAY_PER_REQUEST can be to OnDemandThroughput, WarmThroughput";
  EXPECT_EQ(refused(request), only);
  index.provisioned_throughput = ProvisionedThroughput{1, 1};
  EXPECT_EQ(refused(request), only);
  index.provisioned_throughput.reset();
  index.on_demand_throughput = OnDemandThroughput{};
  EXPECT_EQ(refused(request), only);
  index.warm_throughput = WarmThroughput{};
  request.table_name = "Nothing";  // told before the table is looked for
  EXPECT_EQ(refused(request), kInvalid +
                                  "WarmThroughput must have at least one of ReadUnitsPerSecond or "
                                  "WriteUnitsPerSecond specified for index: global");
}

TEST_F(UpdateTable, an_empty_warm_throughput_is_none) {
  create(on_demand("Music"));
  UpdateTableRequest request;
  request.table_name = "Music";
  request.warm_throughput = WarmThroughput{};
  request.deletion_protection_enabled = true;
  EXPECT_TRUE(update(request).deletion_protection_enabled);
}

TEST_F(UpdateTable, warm_throughput_only_rises) {
  create(on_demand("Music"));
  UpdateTableRequest request = request_for("Music");
  request.warm_throughput = WarmThroughput{13'000, {}};
  update(request);
  EXPECT_EQ(describe_named("Music").warm_throughput->read_units_per_second, 13'000);
  request.warm_throughput = WarmThroughput{12'999, {}};
  EXPECT_EQ(refused(request), kInvalid +
                                  "Requested ReadUnitsPerSecond for WarmThroughput for table is "
                                  "lower than current WarmThroughput, decreasing WarmThroughput is "
                                  "not supported");
}

TEST_F(UpdateTable, a_stream_is_enabled_once_and_disabled_once) {
  create(on_demand("Music"));
  UpdateTableRequest request = request_for("Music");
  request.stream_specification = StreamSpecification{false, {}};
  EXPECT_EQ(refused(request), "Table has no stream to disable: TableName: Music");
  request.stream_specification = StreamSpecification{true, {}};
  EXPECT_EQ(refused(request),
            kInvalid + "If stream is being enabled then UpdateViewType is required");
  request.stream_specification = StreamSpecification{true, StreamViewType::OldImage};
  const std::string first = update(request).latest_stream_arn;
  EXPECT_EQ(refused(request), "Table already has an enabled stream: TableName: Music");
  request.stream_specification = StreamSpecification{false, {}};
  update(request);
  EXPECT_FALSE(describe_named("Music").stream_specification);
  EXPECT_EQ(describe_named("Music").latest_stream_arn, first) << "the latest stream is remembered";
  pass(1);
  request.stream_specification = StreamSpecification{true, StreamViewType::OldImage};
  EXPECT_NE(update(request).latest_stream_arn, first);
}

TEST_F(UpdateTable, encryption_changes_key_and_goes_back_to_the_default) {
  create(on_demand("Music"));
  UpdateTableRequest request = request_for("Music");
  request.sse_specification = SseSpecification{false, {}, {}};
  EXPECT_EQ(refused(request), kInvalid + "Table is already encrypted by default");
  request.sse_specification = SseSpecification{true, "KMS", "arn:aws:kms:eu:1:key/k"};
  const TableDescription enabling = update(request);
  EXPECT_EQ(enabling.table_status, TableStatus::Active);
  EXPECT_EQ(enabling.sse_description->status, "UPDATING");
  EXPECT_EQ(enabling.sse_description->kms_master_key_arn, "") << "none is in use yet";
  EXPECT_EQ(describe_named("Music").sse_description->status, "ENABLED");
  EXPECT_EQ(describe_named("Music").sse_description->kms_master_key_arn, "arn:aws:kms:eu:1:key/k");
  EXPECT_EQ(refused(request), kInvalid +
                                  "Table is already encrypted with given KMSMasterKeyId. Use "
                                  "KMSMasterKeyId parameter if you want to change Master Key");
  request.sse_specification = SseSpecification{false, {}, {}};
  const TableDescription disabling = update(request);
  EXPECT_EQ(disabling.sse_description->status, "UPDATING");
  EXPECT_EQ(disabling.sse_description->kms_master_key_arn, "arn:aws:kms:eu:1:key/k");
  EXPECT_FALSE(describe_named("Music").sse_description);
}

TEST_F(UpdateTable, only_deletion_protection_may_change_while_updating) {
  delay_by(50);
  create(provisioned("Music"));
  const std::string in_use = "Attempt to change a resource which is still in use: Table is being ";
  EXPECT_EQ(refused(capacity(7, 7), ErrorCode::ResourceInUse), in_use + "created: Music");
  pass(50);
  update(capacity(7, 7));
  EXPECT_EQ(describe_named("Music").table_status, TableStatus::Updating);
  EXPECT_EQ(refused(capacity(8, 8), ErrorCode::ResourceInUse), in_use + "updated: Music");
  UpdateTableRequest protect = request_for("Music");
  protect.deletion_protection_enabled = true;
  EXPECT_EQ(update(protect).table_status, TableStatus::Updating);
  pass(50);
  EXPECT_EQ(describe_named("Music").table_status, TableStatus::Active);
  EXPECT_TRUE(describe_named("Music").deletion_protection_enabled);
}

TEST_F(UpdateTable, concurrent_updates_of_different_settings_all_hold) {
  create(on_demand("Music"));
  constexpr int kThreads = 8;
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) {
    threads.emplace_back([this, i] {
      DurabilityTicket ticket;
      OperationContext mine = context();
      const OperationContext own{mine.catalog,     mine.executor, mine.streams,
                                 mine.expressions, mine.random,   mine.options,
                                 mine.now,         mine.memory,   ticket};
      UpdateTableRequest request = request_for("Music");
      if (i % 2 == 0) {
        request.deletion_protection_enabled = true;
      } else {
        request.on_demand_throughput = OnDemandThroughput{100, 200};
      }
      for (int round = 0; round < 50; ++round) {
        const auto answer = update_table(own, request);
        EXPECT_TRUE(answer) << answer.error().message();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_TRUE(describe_named("Music").deletion_protection_enabled);
  EXPECT_EQ(describe_named("Music").on_demand_throughput->max_write_request_units, 200);
}

}  // namespace
}  // namespace partita
