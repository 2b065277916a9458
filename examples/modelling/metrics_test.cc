#include "metrics.h"

#include <algorithm>
#include <set>

#include "example_test.h"

namespace examples::metrics {
namespace {

class MetricsTest : public ExampleTest {
 protected:
  void SetUp() override { ASSERT_DONE(measure(metrics)); }
  Metrics metrics{*api};
};

TEST_F(MetricsTest, writes_of_a_day_go_to_several_partitions) {
  std::set<std::string> partitions;
  const auto scanned = api->scan({.table_name = "Metrics"});
  for (std::size_t i = 0; i < scanned->items.size(); ++i) {
    const std::string key(scanned->items[i].find("PK")->string());
    if (key.starts_with("METRIC#cpu#2024-01-15#SHARD#")) partitions.insert(key);
  }
  EXPECT_GT(partitions.size(), 4u) << "24 points over ten partitions";
  EXPECT_LE(partitions.size(), 10u);
}

TEST_F(MetricsTest, a_day_is_gathered_in_the_order_of_time) {
  ASSERT_DONE(metrics.write("cpu", time_of(34, 0), 99));  // the next day
  ASSERT_DONE(metrics.write("memory", time_of(10, 0), 99));
  const auto day = metrics.read_day("cpu", time_of(0, 0));
  ASSERT_TRUE(day) << day.error().message();
  ASSERT_EQ(day->size(), 24u);
  EXPECT_TRUE(std::is_sorted(day->begin(), day->end(), [](const Point& left, const Point& right) {
    return left.at < right.at;
  }));
  EXPECT_EQ(day->back().value, 11.5);
}

TEST_F(MetricsTest, part_of_a_day_is_read) {
  const auto found = metrics.read_between("cpu", time_of(10, 30), time_of(10, 40));
  ASSERT_TRUE(found) << found.error().message();
  ASSERT_EQ(found->size(), 3u);
  EXPECT_EQ((*found)[0].value, 3.0);
  EXPECT_EQ((*found)[2].value, 4.0);
}

TEST_F(MetricsTest, hours_are_added_up_where_they_are_stored) {
  const auto hours = metrics.rollups("cpu", time_of(10, 0), time_of(11, 59));
  ASSERT_TRUE(hours) << hours.error().message();
  ASSERT_EQ(hours->size(), 2u);
  EXPECT_EQ((*hours)[0].count, 12);
  EXPECT_EQ((*hours)[0].sum, 66);
  EXPECT_EQ((*hours)[1].sum, 210);
  EXPECT_EQ(metrics.count_up("cpu", time_of(11, 59), 5)->sum, 215);
}

TEST_F(MetricsTest, a_list_of_all_is_kept_in_several_partitions) {
  EXPECT_EQ(names(metrics.devices(), &Device::id), (Names{"a", "b", "c", "d", "e"}));
}

TEST(MetricsDesign, lint_finds_nothing) {
  Design design;
  design.add<point>().add<rollup>().add<device>();
  const LintReport report = lint(
      design,
      {{.name = "write", .entity = "point", .kind = AccessKind::Write, .per_second = 5000},
       {.name = "read_day",
        .entity = "point",
        .given = {"metric", "at"},
        .results = 0,
        .ordered = true},
       {.name = "count_up", .entity = "rollup", .kind = AccessKind::Write, .per_second = 100},
       {.name = "rollups", .entity = "rollup", .given = {"metric"}, .results = 24, .ordered = true},
       {.name = "devices", .entity = "device", .by = "all", .results = 0}});
  EXPECT_EQ(findings(report), Names{}) << report.text();
}

}  // namespace
}  // namespace examples::metrics
