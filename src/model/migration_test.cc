#include "partita/model/migration.h"

#include <gtest/gtest.h>

#include "partita/model/model.h"

#include "backend/test_backend.h"
#include "model/park_test.h"

namespace partita::model {
namespace {

using namespace park;

class MigrationTest : public testing::Test {
 protected:
  MigrationTest() {
    EXPECT_TRUE(table.create_if_missing());
    table.set_clock([this] { return now; });
    for (int i = 0; i < 25; ++i) {
      Dinosaur d{.id = "d" + std::to_string(i), .weight = i + 1};
      EXPECT_TRUE(dinosaurs.create(d).run());
    }
  }
  static bool grow(Dinosaur& d) {
    if (d.weight % 2 == 0) return false;
    d.weight *= 100;
    return true;
  }
  std::int64_t grown() {
    return dinosaurs.scan().filter(field<&Dinosaur::weight> >= 100).count().value();
  }

  std::chrono::system_clock::time_point now = day(0);
  TestBackend database;
  Table<std::remove_cvref_t<decltype(table_definition)>> table = table_definition.in(*database);
  Repository<EntityOf<dinosaur>> dinosaurs = table.repository<dinosaur>();
};

TEST_F(MigrationTest, a_dry_run_tells_and_writes_nothing) {
  Migration<dinosaur> migration(table, "grow", grow);
  const auto report = migration.dry_run();
  ASSERT_TRUE(report) << report.error().message();
  EXPECT_EQ(report->examined, 25);
  EXPECT_EQ(report->changed, 13);
  ASSERT_EQ(report->samples.size(), 5u);
  EXPECT_EQ(report->samples[0].first.weight * 100, report->samples[0].second.weight);
  EXPECT_EQ(grown(), 0);
}

TEST_F(MigrationTest, it_changes_items_and_their_index_keys_once) {
  Migration<dinosaur> migration(table, "grow", grow);
  const auto report = migration.apply();
  ASSERT_TRUE(report) << report.error().message();
  EXPECT_EQ(report->changed, 13);
  EXPECT_TRUE(report->finished);
  EXPECT_EQ(grown(), 13);
  EXPECT_EQ(dinosaurs.query<"by_diet">(Diet::herbivore).from(100).count().value(), 13);
  Migration<dinosaur> again(table, "grow", grow);
  EXPECT_EQ(again.apply()->changed, 13) << "what it did, not more";
  EXPECT_EQ(grown(), 13);
}

TEST_F(MigrationTest, broken_off_it_goes_on_where_it_was) {
  MigrationOptions options;
  options.page_items = 10;
  options.go_on = [](std::int64_t) { return false; };
  Migration<dinosaur> first(table, "grow", grow, options);
  const auto part = first.apply();
  ASSERT_TRUE(part) << part.error().message();
  EXPECT_EQ(part->examined, 10);
  EXPECT_FALSE(part->finished);
  Migration<dinosaur> second(table, "grow", grow);
  const auto rest = second.apply();
  ASSERT_TRUE(rest) << rest.error().message();
  EXPECT_EQ(rest->examined, 25);
  EXPECT_EQ(rest->changed, 13);
  EXPECT_EQ(grown(), 13);
}

TEST_F(MigrationTest, several_run_in_their_order) {
  bool go_on = false;
  MigrationOptions options;
  options.page_items = 10;
  options.go_on = [&](std::int64_t) { return go_on; };
  Migration<dinosaur> first(table, "grow", grow, options);
  Migration<dinosaur> second(table, "shrink", [](Dinosaur& d) {
    if (d.weight < 100) return false;
    d.weight /= 10;
    return true;
  });
  Migrations all;
  all.add(first).add(second);
  const auto planned = all.dry_run();
  ASSERT_TRUE(planned) << planned.error().message();
  ASSERT_EQ(planned->size(), 2u);
  EXPECT_EQ(planned->at(0).name, "grow");
  EXPECT_EQ(planned->at(0).changed, 13);
  EXPECT_EQ(planned->at(1).changed, 0);
  EXPECT_EQ(all.apply()->size(), 1u) << "the first was broken off";
  go_on = true;
  const auto done = all.apply();
  ASSERT_TRUE(done) << done.error().message();
  ASSERT_EQ(done->size(), 2u);
  EXPECT_EQ(done->at(1).name, "shrink");
  EXPECT_EQ(done->at(1).changed, 13);
  EXPECT_EQ(dinosaurs.get("d24").run()->value().weight, 250);
  EXPECT_TRUE(all.apply()->at(1).finished);
  EXPECT_EQ(dinosaurs.get("d24").run()->value().weight, 250) << "both were done before";
}

TEST_F(MigrationTest, only_one_runs_until_its_lease_is_over) {
  MigrationOptions options;
  options.page_items = 10;
  options.go_on = [&](std::int64_t examined) {
    if (examined > 10) return true;
    Migration<dinosaur> second(table, "grow", grow);
    EXPECT_EQ(second.apply().error().code(), MigrationLocked);
    now += std::chrono::seconds(61);  // the first is silent for so long
    EXPECT_TRUE(second.apply());
    return true;
  };
  Migration<dinosaur> first(table, "grow", grow, options);
  EXPECT_EQ(first.apply().error().code(), MigrationLocked) << "it was taken over";
  EXPECT_EQ(grown(), 13);
}

TEST_F(MigrationTest, a_write_in_between_is_not_lost) {
  bool interfered = false;
  Migration<dinosaur> migration(table, "grow", [&](Dinosaur& d) {
    if (d.id == "d4" && !std::exchange(interfered, true)) {
      EXPECT_TRUE(dinosaurs.update("d4").append<&Dinosaur::log>({"seen"}).run());
    }
    return grow(d);
  });
  ASSERT_TRUE(migration.apply());
  const Dinosaur d = dinosaurs.get("d4").run()->value();
  EXPECT_EQ(d.weight, 500);
  EXPECT_EQ(d.log, std::vector<std::string>{"seen"});
}

TEST_F(MigrationTest, explain_shows_requests_index_and_cost) {
  const auto query = explain(dinosaurs.query<"by_diet">(Diet::carnivore).from(5).limit(20));
  ASSERT_TRUE(query) << query.error().message();
  EXPECT_EQ(query->operation, "Query");
  EXPECT_EQ(query->index, "GSI1");
  ASSERT_EQ(query->requests.size(), 1u);
  EXPECT_NE(
      query->requests[0].find(R"("KeyConditionExpression":"#0 = :0 AND #1 BETWEEN :1 AND :2")"),
      std::string::npos)
      << query->text();
  EXPECT_NE(query->requests[0].find(R"({"S":"W#00000005"})"), std::string::npos);
  EXPECT_NE(query->requests[0].find(R"("Limit":20)"), std::string::npos) << query->text();
  EXPECT_EQ(query->read_units, 2.5);
  EXPECT_EQ(explain(dinosaurs.query<"timeline">())->requests.size(), 4u);
  const auto create = explain(dinosaurs.create({.id = "new", .expedition = "x"}));
  EXPECT_EQ(create->operation, "PutItem");
  EXPECT_EQ(create->write_units, 4) << "the table and three indexes";
  EXPECT_EQ(explain(dinosaurs.get("d1"))->read_units, 0.5);
  EXPECT_EQ(explain(dinosaurs.get("d1").consistent())->requests[0],
            R"({"TableName":"Park","Key":{"PK":{"S":"DINO#d1"},"SK":{"S":"METADATA"}},)"
            R"("ConsistentRead":true})");
  Transaction both(table);
  both.add(dinosaurs.create({.id = "new"})).add(dinosaurs.remove("d1"));
  const auto together = explain(both);
  EXPECT_EQ(together->operation, "TransactWriteItems");
  EXPECT_EQ(together->requests.size(), 2u);
  EXPECT_EQ(together->write_units, 8) << "three writes of the new item and one removal, doubled";
  EXPECT_EQ(*dinosaurs.get("new").run(), std::nullopt);
}

}  // namespace
}  // namespace partita::model
