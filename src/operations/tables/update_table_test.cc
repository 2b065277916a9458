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
  EXPECT_EQ(refused(request),
            kInvalid +
                "Neither ReadCapacityUnits nor WriteCapacityUnits can be "
                "specified for index: global when BillingMode is PAY_PER_REQUEST");
  updates[0].delete_index_name = "global";
  EXPECT_EQ(refused(request), kInvalid +
                                  "Only one global secondary index action is allowed per "
                                  "GlobalSecondaryIndexUpdate object");
}

TEST_F(UpdateTable, adding_and_removing_indexes_is_refused_plainly) {
  create_with_index(false);
  UpdateTableRequest request = request_for("Music");
  request.global_secondary_index_updates.emplace(1);
  auto& update_of_index = request.global_secondary_index_updates->front();
  update_of_index.create = global_index("another", "a");
  EXPECT_NE(refused(request).find("not supported yet"), std::string::npos);
  update_of_index.create->index_name = "global";
  EXPECT_EQ(refused(request), "Attempting to create an index which already exists");
  update_of_index.create.reset();
  update_of_index.delete_index_name = "global";
  EXPECT_NE(refused(request).find("not supported yet"), std::string::npos);
  update_of_index.delete_index_name = "nothing";
  refused(request, ErrorCode::ResourceNotFound);
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
  EXPECT_EQ(update(request).sse_description->kms_master_key_arn, "arn:aws:kms:eu:1:key/k");
  EXPECT_EQ(refused(request), kInvalid +
                                  "Table is already encrypted with given KMSMasterKeyId. Use "
                                  "KMSMasterKeyId parameter if you want to change Master Key");
  request.sse_specification = SseSpecification{false, {}, {}};
  EXPECT_FALSE(update(request).sse_description);
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
      const OperationContext own{mine.catalog, mine.executor, mine.expressions, mine.random,
                                 mine.options, mine.now,      mine.memory,      ticket};
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
