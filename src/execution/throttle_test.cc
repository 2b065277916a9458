// The throttle by a clock that the test moves.
#include "execution/throttle.h"

#include <gtest/gtest.h>

namespace partita {
namespace {

using namespace std::chrono_literals;

constexpr std::uint64_t kHash = 1;

class ThrottleTest : public testing::Test {
 protected:
  ThrottleTest() {
    table.name = "Songs";
    table.arn = "arn:aws:dynamodb:us-east-1:000000000000:table/Songs";
    table.space = 10;
    table.created_at = now;
    IndexSchema index;
    index.name = "ByArtist";
    index.global = true;
    index.space = 11;
    table.global_indexes.push_back(index);
    provision(5, 5);
  }

  void provision(std::int64_t reads, std::int64_t writes) {
    table.billing_mode = BillingMode::Provisioned;
    table.throughput.read_capacity_units = reads;
    table.throughput.write_capacity_units = writes;
  }
  Throttle::Target target(std::uint64_t hash = kHash) { return {table, nullptr, hash}; }

  // One unit at a time at this moment, until one is refused.
  int units_until_refused(Access access = Access::Write, std::uint64_t hash = kHash) {
    int units = 0;
    while (units < 100'000 && throttle.admit(target(hash), access, now)) {
      throttle.charge(target(hash), access, 1, now);
      ++units;
    }
    return units;
  }
  // The reason why one more is refused.
  std::string reason(const Throttle::Target& of, Access access = Access::Write) {
    const auto refused = throttle.admit(of, access, now);
    return refused ? "" : refused.error().throttling_reasons().at(0).reason;
  }
  // Writes a lot to each of the keys for so many seconds; units that got through in the last one.
  std::vector<int> write_for(int seconds, const std::vector<std::uint64_t>& hashes) {
    std::vector<int> units;
    for (int second = 0; second < seconds; ++second) {
      now += 1s;
      units.assign(hashes.size(), 0);
      for (int round = 0; round < 1100; ++round) {
        for (std::size_t i = 0; i < hashes.size(); ++i) {
          if (!throttle.admit(target(hashes[i]), Access::Write, now)) continue;
          throttle.charge(target(hashes[i]), Access::Write, 1, now);
          ++units[i];
        }
      }
    }
    return units;
  }

  TimePoint now = TimePoint(std::chrono::hours(500'000));
  TableSchema table;
  Throttle throttle;
};

TEST_F(ThrottleTest, what_is_provisioned_comes_back_every_second) {
  EXPECT_EQ(units_until_refused(), 5);
  now += 1s;
  EXPECT_EQ(units_until_refused(), 5);
  now += 200ms;
  EXPECT_EQ(units_until_refused(), 1);
}

TEST_F(ThrottleTest, the_refusal_says_what_was_exceeded) {
  units_until_refused();
  const auto refused = throttle.admit(target(), Access::Write, now);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code(), ErrorCode::ProvisionedThroughputExceeded);
  EXPECT_EQ(refused.error().message(),
            "The level of configured provisioned throughput for the table was exceeded. Consider "
            "increasing your provisioning level with the UpdateTable API.");
  ASSERT_EQ(refused.error().throttling_reasons().size(), 1u);
  EXPECT_EQ(refused.error().throttling_reasons()[0].reason,
            "TableWriteProvisionedThroughputExceeded");
  EXPECT_EQ(refused.error().throttling_reasons()[0].resource, table.arn);
  double requests = 0;
  for (const EngineFigure& figure : throttle.figures()) requests += figure.value;
  EXPECT_EQ(requests, 2);
}

TEST_F(ThrottleTest, reads_and_writes_are_metered_apart) {
  units_until_refused(Access::Write);
  EXPECT_EQ(units_until_refused(Access::Read), 5);
  EXPECT_EQ(reason(target(), Access::Read), "TableReadProvisionedThroughputExceeded");
}

TEST_F(ThrottleTest, five_minutes_of_unused_capacity_are_kept) {
  provision(2, 2);
  now += 1h;
  EXPECT_EQ(units_until_refused(), 600);
  now += 10s;
  EXPECT_EQ(units_until_refused(), 20);
}

TEST_F(ThrottleTest, a_large_request_leaves_a_debt) {
  throttle.charge(target(), Access::Write, 105, now);
  now += 19s;
  EXPECT_NE(reason(target()), "");
  now += 2s;
  EXPECT_EQ(reason(target()), "");
}

TEST_F(ThrottleTest, a_clock_that_is_set_back_gives_nothing) {
  EXPECT_EQ(units_until_refused(), 5);
  now -= 1h;
  EXPECT_EQ(units_until_refused(), 0);
  now += 1h + 1s;
  EXPECT_EQ(units_until_refused(), 5);
}

TEST_F(ThrottleTest, a_new_level_holds_at_once) {
  units_until_refused();
  provision(5, 50);
  now += 1s;
  EXPECT_EQ(units_until_refused(), 50);
}

TEST_F(ThrottleTest, an_index_that_cannot_follow_holds_writes_back) {
  IndexSchema& index = table.global_indexes[0];
  index.throughput.write_capacity_units = 1;
  Charge charge{1, {{&index, 1, kHash}}};
  ASSERT_TRUE(throttle.admit_indexes(table, charge, now));
  throttle.charge({table, &index, kHash}, Access::Write, 1, now);
  const auto refused = throttle.admit_indexes(table, charge, now);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code(), ErrorCode::ProvisionedThroughputExceeded);
  EXPECT_TRUE(refused.error().message().starts_with(
      "The level of configured provisioned throughput for one or more global secondary indexes"));
  EXPECT_EQ(refused.error().throttling_reasons()[0].reason,
            "IndexWriteProvisionedThroughputExceeded");
  EXPECT_EQ(refused.error().throttling_reasons()[0].resource, table.arn + "/index/ByArtist");
  EXPECT_TRUE(throttle.admit_indexes(table, Charge{1, {}}, now))
      << "a write that does not touch it";
}

TEST_F(ThrottleTest, a_table_on_demand_has_four_partitions_at_first) {
  table.billing_mode = BillingMode::PayPerRequest;
  for (std::uint64_t quarter = 0; quarter < 4; ++quarter) {
    const std::uint64_t hash = (quarter << 62) + 5;
    EXPECT_EQ(units_until_refused(Access::Write, hash), 1000);
    EXPECT_EQ(units_until_refused(Access::Read, hash), 3000);
  }
  const auto refused = throttle.admit(target(), Access::Write, now);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code(), ErrorCode::Throttling);
  EXPECT_TRUE(refused.error().message().starts_with(
      "Throughput exceeds the current capacity of your table or index."));
  EXPECT_EQ(refused.error().throttling_reasons()[0].reason, "TableWriteKeyRangeThroughputExceeded");
}

TEST_F(ThrottleTest, the_maximum_of_a_table_on_demand_is_kept) {
  table.billing_mode = BillingMode::PayPerRequest;
  table.on_demand_throughput =
      OnDemandThroughput{.max_read_request_units = 7, .max_write_request_units = std::nullopt};
  EXPECT_EQ(units_until_refused(Access::Read), 7);
  EXPECT_EQ(reason(target(), Access::Read), "TableReadMaxOnDemandThroughputExceeded");
  EXPECT_EQ(throttle.admit(target(), Access::Read, now).error().message(),
            "Throughput exceeds the maximum OnDemandThroughput configured on table or index");
  EXPECT_EQ(units_until_refused(Access::Write), 1000);
  now += 1h;
  EXPECT_EQ(units_until_refused(Access::Read), 7) << "no burst";
}

TEST_F(ThrottleTest, a_table_on_demand_stops_at_the_quota_of_its_account) {
  table.billing_mode = BillingMode::PayPerRequest;
  table.warm_throughput =
      WarmThroughput{.read_units_per_second = 12'000, .write_units_per_second = 64'000};
  int units = 0;
  for (std::uint64_t part = 0; part < 64; ++part) {
    units += units_until_refused(Access::Write, (part << 58) + 1);
  }
  EXPECT_EQ(units, 40'000);
  EXPECT_EQ(reason(target(~std::uint64_t{0})), "TableWriteAccountLimitExceeded");
}

TEST_F(ThrottleTest, a_partition_may_use_what_others_leave_up_to_its_limit) {
  provision(3000, 3000);  // four partitions, 750 each if they were equal
  EXPECT_EQ(units_until_refused(), 1000);
  EXPECT_EQ(reason(target()), "TableWriteKeyRangeThroughputExceeded");
  EXPECT_EQ(throttle.admit(target(), Access::Write, now).error().code(),
            ErrorCode::ProvisionedThroughputExceeded);
}

TEST_F(ThrottleTest, hot_partitions_split_between_their_keys) {
  table.billing_mode = BillingMode::PayPerRequest;
  const std::vector<std::uint64_t> neighbours{100, 200};
  const std::vector<int> first = write_for(1, neighbours);
  EXPECT_EQ(first[0] + first[1], 1000);
  EXPECT_EQ(write_for(90, neighbours), (std::vector<int>{1000, 1000}));
}

TEST_F(ThrottleTest, a_hot_key_alone_stays_at_the_limit_of_a_partition) {
  table.billing_mode = BillingMode::PayPerRequest;
  EXPECT_EQ(write_for(300, {100}), (std::vector<int>{1000}));
}

TEST_F(ThrottleTest, a_scan_is_limited_by_its_table_alone) {
  units_until_refused(Access::Read);
  EXPECT_EQ(reason({table}, Access::Read), "TableReadProvisionedThroughputExceeded");
}

}  // namespace
}  // namespace partita
