#include "partita/model/batch.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "backend/test_backend.h"
#include "model/park_test.h"

namespace partita::model {
namespace {

using namespace park;

// Requests of which most is left unprocessed, as DynamoDB does under load.
class BusyWrite : public BatchWrite {
 public:
  BusyWrite(const Store& store, RetryPolicy policy, std::size_t takes)
      : BatchWrite(store, std::move(policy)) {
    send_request_ = [this, takes, send = send_request_](
                        const BatchWriteItemRequest& request) -> Result<BatchWriteItemResponse> {
      ++requests;
      const TableWrites& all = request.request_items[0];
      EXPECT_LE(all.requests.size(), 25u);
      const std::size_t now = std::min(takes, all.requests.size());
      BatchWriteItemResponse answer;
      if (now != 0) {
        const TableWrites some{all.table_name, all.requests.subspan(0, now)};
        PARTITA_TRY(answer, send({.request_items = {&some, 1}}));
      }
      if (now == all.requests.size()) return answer;
      UnprocessedWrites& left = answer.unprocessed_items.emplace_back();
      left.table_name = all.table_name;
      for (const WriteRequest& write : all.requests.subspan(now)) {
        left.requests.push_back({write.put_item.has_value(),
                                 Item(write.put_item ? *write.put_item : *write.delete_key)});
      }
      return answer;
    };
  }
  int requests = 0;
};

class BusyGet : public BatchGet {
 public:
  BusyGet(const Store& store, RetryPolicy policy, std::size_t takes)
      : BatchGet(store, std::move(policy)) {
    send_request_ = [takes, send = send_request_](
                        const BatchGetItemRequest& request) -> Result<BatchGetItemResponse> {
      KeysAndAttributes some = request.request_items[0];
      const auto all = some.keys;
      some.keys = all.subspan(0, std::min(takes, all.size()));
      PARTITA_TRY(BatchGetItemResponse answer, send({.request_items = {&some, 1}}));
      if (some.keys.size() == all.size()) return answer;
      UnprocessedKeys& left = answer.unprocessed_keys.emplace_back();
      left.table_name = some.table_name;
      for (const ItemView key : all.subspan(some.keys.size())) left.keys.append(key);
      return answer;
    };
  }
};

class BatchTest : public testing::Test {
 protected:
  BatchTest() { EXPECT_TRUE(table.create_if_missing()); }

  RetryPolicy patient() {
    RetryPolicy policy;
    policy.attempts = 40;
    policy.wait = [this](std::chrono::milliseconds pause) { pauses.push_back(pause); };
    return policy;
  }
  static Dinosaur numbered(int number) { return {.id = "d" + std::to_string(number)}; }

  std::vector<std::chrono::milliseconds> pauses;
  TestBackend database;
  Table<std::remove_cvref_t<decltype(table_definition)>> table = table_definition.in(*database);
  Repository<EntityOf<dinosaur>> dinosaurs = table.repository<dinosaur>();
};

TEST_F(BatchTest, many_items_are_written_and_read_although_requests_are_cut_short) {
  BusyWrite batch(table, patient(), 3);
  for (int i = 0; i < 60; ++i) batch.add(dinosaurs.put(numbered(i)));
  const auto written = batch.run();
  ASSERT_TRUE(written) << written.error().message();
  EXPECT_EQ(batch.left(), 0u);
  EXPECT_EQ(dinosaurs.scan().count().value(), 60);
  EXPECT_GT(pauses.size(), 10u);
  for (const auto pause : pauses) EXPECT_LE(pause, std::chrono::milliseconds(2000));

  BusyGet get(table, patient(), 3);
  for (int i = 55; i < 65; ++i) get.add(dinosaurs.get("d" + std::to_string(i)));
  get.add(dinosaurs.get("d55"));
  const auto found = get.run();
  ASSERT_TRUE(found) << found.error().message();
  EXPECT_EQ(found->at<dinosaur>(0)->value().id, "d55");
  EXPECT_EQ(*found->at<dinosaur>(9), std::nullopt);
  EXPECT_EQ(found->at<dinosaur>(10)->value().id, "d55");
  EXPECT_EQ(found->of<dinosaur>()->size(), 6u);

  BusyWrite removal(table, patient(), 7);
  for (int i = 0; i < 60; ++i) removal.add(dinosaurs.remove("d" + std::to_string(i)));
  ASSERT_TRUE(removal.run());
  EXPECT_EQ(dinosaurs.scan().count().value(), 0);
}

TEST_F(BatchTest, what_is_left_after_the_last_attempt_is_told) {
  BusyWrite batch(table, patient(), 0);
  batch.add(dinosaurs.put(numbered(1)));
  const auto written = batch.run();
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().message(),
            "1 items of a batch were left unprocessed after 40 attempts");
  EXPECT_EQ(batch.left(), 1u);
  EXPECT_EQ(batch.requests, 40);
}

TEST_F(BatchTest, of_several_writes_of_an_item_the_last_counts) {
  BatchWrite batch(table);
  for (int i = 0; i < 30; ++i) batch.add(dinosaurs.put({.id = "rex", .weight = i + 1}));
  batch.add(dinosaurs.put(numbered(1))).add(dinosaurs.remove("d1"));
  const auto written = batch.run();
  ASSERT_TRUE(written) << written.error().message();
  EXPECT_EQ(dinosaurs.get("rex").run().value()->weight, 30);
  EXPECT_EQ(dinosaurs.get("d1").run().value(), std::nullopt);
}

TEST_F(BatchTest, a_batch_refuses_what_it_cannot_check) {
  BatchWrite batch(table);
  batch.add(dinosaurs.create(numbered(1)));
  EXPECT_EQ(batch.run().error().message(),
            "a batch cannot check conditions: use put, or a transaction");
}

}  // namespace
}  // namespace partita::model
