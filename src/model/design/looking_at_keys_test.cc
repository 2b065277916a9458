#include <random>
#include <thread>

#include <gtest/gtest.h>

#include "partita/database.h"
#include "partita/model/key_distribution.h"
#include "partita/model/partition_monitor.h"
#include "partita/model/sample.h"

#include "model/park_test.h"

namespace partita::model {
namespace {

using namespace park;
using Verdict = KeyDistribution::Verdict;

std::vector<std::string> repeated(std::initializer_list<std::pair<std::string, int>> counts) {
  std::vector<std::string> keys;
  for (const auto& [key, count] : counts)
    keys.insert(keys.end(), static_cast<std::size_t>(count), key);
  return keys;
}

TEST(KeyDistribution, counts_partitions_mean_and_variance) {
  const auto found = key_distribution(repeated({{"a", 2}, {"b", 4}, {"c", 6}}));
  EXPECT_EQ(found.items, 12u);
  EXPECT_EQ(found.partitions, 3u);
  EXPECT_DOUBLE_EQ(found.mean, 4);
  EXPECT_DOUBLE_EQ(found.variance, 8.0 / 3);
  EXPECT_EQ(found.largest, "c");
  EXPECT_DOUBLE_EQ(found.largest_share, 0.5);
  EXPECT_FALSE(found.variance_below_half_mean);
  EXPECT_EQ(found.verdict, Verdict::Even);
}

TEST(KeyDistribution, verdicts) {
  EXPECT_EQ(key_distribution({}).verdict, Verdict::Empty);
  EXPECT_EQ(key_distribution(repeated({{"a", 1}})).verdict, Verdict::Even);
  EXPECT_EQ(key_distribution(repeated({{"a", 1}, {"b", 1}, {"c", 1}})).verdict, Verdict::Even);
  EXPECT_TRUE(key_distribution(repeated({{"a", 5}, {"b", 5}})).variance_below_half_mean);
  EXPECT_EQ(key_distribution(repeated({{"ORDERS", 9}})).verdict, Verdict::OnePartition);
  EXPECT_EQ(key_distribution(repeated({{"a", 90}, {"b", 5}, {"c", 5}})).verdict, Verdict::Hot);
  EXPECT_EQ(key_distribution(repeated({{"a", 9}, {"b", 2}, {"c", 8}, {"d", 1}})).verdict,
            Verdict::Uneven);
}

std::vector<Dinosaur> herd(int count) {
  std::vector<Dinosaur> all;
  for (int i = 0; i < count; ++i) {
    Dinosaur each;
    each.id = "d" + std::to_string(i);
    each.diet = i % 2 == 0 ? Diet::herbivore : Diet::carnivore;
    each.discovered = day(i % 300);
    each.on_display = i % 10 == 0;
    each.found = {"US", "Montana"};
    if (i % 4 == 0) each.expedition = "sahara";
    all.push_back(each);
  }
  return all;
}

TEST(KeyDistribution, keys_of_objects_under_an_access_pattern) {
  const auto dinosaurs = herd(1000);
  EXPECT_EQ(key_distribution(keys_of<dinosaur>(dinosaurs).partition).partitions, 1000u);
  const auto by_diet = keys_of<dinosaur>(dinosaurs, "by_diet");
  EXPECT_EQ(by_diet.partition[1], "DIET#carnivore");
  EXPECT_EQ(by_diet.sort[1], "W#00000001#d1");
  EXPECT_EQ(key_distribution(by_diet.partition).verdict, Verdict::Even);
  EXPECT_EQ(keys_of<dinosaur>(dinosaurs, "on_display").partition.size(), 100u) << "it is sparse";
  EXPECT_EQ(keys_of<dinosaur>(dinosaurs, "by_expedition").partition.size(), 250u);
  EXPECT_TRUE(keys_of<dinosaur>(dinosaurs, "nothing").partition.empty());
}

TEST(KeyDistribution, buckets_are_even_though_they_are_random) {
  const auto timeline = key_distribution(keys_of<dinosaur>(herd(1000), "timeline").partition);
  EXPECT_EQ(timeline.partitions, 4u);
  EXPECT_EQ(timeline.verdict, Verdict::Even);
  EXPECT_LT(timeline.largest_share, 0.35);
}

TEST(SortKeyRanges, times_are_selective_and_a_constant_is_not) {
  const auto times = sort_key_ranges(keys_of<dinosaur>(herd(300), "timeline").sort);
  EXPECT_TRUE(times.selective);
  EXPECT_EQ(times.distinct, 300u);
  ASSERT_EQ(times.ranges.size(), 2u);
  EXPECT_EQ(times.ranges[0].items, 31u) << "both ends are in the range";
  EXPECT_EQ(times.ranges[1].items, 61u);

  const auto constant = sort_key_ranges(keys_of<dinosaur>(herd(300)).sort);
  EXPECT_FALSE(constant.selective);
  EXPECT_EQ(constant.distinct, 1u);
  EXPECT_DOUBLE_EQ(constant.ranges[0].share, 1);
  EXPECT_FALSE(sort_key_ranges({}).selective);
}

TEST(PartitionMonitor, finds_hot_keys_and_says_what_to_do) {
  PartitionMonitor monitor;
  monitor.note("STATUS#open", 500);
  monitor.note("TIMELINE#2024-06", 300);
  monitor.note("USER#1", 200);
  monitor.note("USER#2", 100);
  EXPECT_EQ(monitor.accesses(), 1100u);
  const auto hot = monitor.hot_keys(100);
  ASSERT_EQ(hot.size(), 3u) << "exactly 100 is not above 100";
  EXPECT_EQ(hot[0].key, "STATUS#open");
  EXPECT_EQ(hot[0].at_least, 500u);
  EXPECT_EQ(hot[0].at_most, 500u);
  const auto sentences = monitor.suggestions(100);
  EXPECT_NE(sentences[0].find("second grouping"), std::string::npos) << sentences[0];
  EXPECT_NE(sentences[1].find("shard by time"), std::string::npos) << sentences[1];
  EXPECT_NE(sentences[2].find("how its items are spread"), std::string::npos) << sentences[2];
}

TEST(PartitionMonitor, stays_small_and_keeps_what_is_frequent) {
  constexpr std::size_t kKeys = 50;
  PartitionMonitor monitor(kKeys);
  std::mt19937 random(7);
  std::uint64_t hot_accesses = 0;
  for (int i = 0; i < 20000; ++i) {
    if (random() % 10 == 0) {
      monitor.note("HOT");
      ++hot_accesses;
    } else {
      monitor.note("USER#" + std::to_string(random() % 5000));
    }
  }
  EXPECT_EQ(monitor.busiest(1000).size(), kKeys);
  const BusyKey first = monitor.busiest(1)[0];
  EXPECT_EQ(first.key, "HOT");
  EXPECT_GE(first.at_most, hot_accesses);
  EXPECT_LE(first.at_least, hot_accesses);
  for (const BusyKey& key : monitor.busiest(kKeys)) {
    EXPECT_LE(key.at_most - key.at_least, monitor.accesses() / kKeys) << "the sketch's promise";
  }
  EXPECT_EQ(monitor.hot_keys(1000).size(), 1u) << "what is not certain is not called hot";
}

TEST(PartitionMonitor, counts_items_by_their_key_attribute_from_many_threads) {
  PartitionMonitor monitor(4);
  const Item item{{"PK", Value::string("A")}, {"GSI1PK", Value::number(7)}};
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < 100; ++i) monitor.note(item, "PK");
      monitor.note(item, "GSI1PK");
      monitor.note(item, "GSI2PK");
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(monitor.accesses(), 404u);
  EXPECT_EQ(monitor.busiest(1)[0].at_least, 400u);
}

TEST(Sample, is_read_from_a_table) {
  const auto database = Database::in_memory();
  auto table = table_definition.in(*database, "Park-test");
  ASSERT_TRUE(table.create_if_missing());
  auto dinosaurs = table.repository<dinosaur>();
  for (const Dinosaur& each : herd(30)) ASSERT_TRUE(dinosaurs.put(each).run());
  Sample sample;
  ASSERT_TRUE(sample.add_from(table, 20));
  EXPECT_EQ(sample.entries().size(), 20u);
  EXPECT_EQ(sample.entries()[0].table, "Park");
  ASSERT_TRUE(sample.add_from(table, 100));
  EXPECT_EQ(sample.entries().size(), 50u);
}

}  // namespace
}  // namespace partita::model
