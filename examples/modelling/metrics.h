// Metrics that arrive faster than one partition takes: the writes of a day are spread over ten
// partitions, and reads gather them in the order of time.
//
//   Access pattern     Index   Key
//   write              table   PK = METRIC#cpu#2024-01-15#SHARD#7, SK = TS#<time>#<id>
//   read_day           table   ten partitions of one day, merged by SK
//   read_between       table   the same, SK between two times of a day
//   count_up           table   PK = ROLLUP#cpu, SK = 2024-01-15T10: added to where it is stored
//   rollups            table   PK = ROLLUP#cpu, SK between two hours
//   devices            GSI1    GSI1PK = DEVICES#0 … #3: a list of all of one kind without one
//                              partition that takes every write
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "partita/model/model.h"

namespace examples::metrics {

using namespace partita::model;
using partita::Result;
using Moment = std::chrono::sys_time<std::chrono::milliseconds>;

struct Point {
  std::string metric{};
  Moment at{};
  std::string id{};
  double value = 0;
};
struct Rollup {
  std::string metric{};
  Moment hour{};
  std::int64_t count = 0;
  std::int64_t sum = 0;
};
struct Device {
  std::string id{};
  std::string place{};
};

inline constexpr auto metric_table =
    define_table<"Metrics">(key<"PK", "SK">, gsi<"GSI1", "GSI1PK", "GSI1SK">);

// Which of the ten partitions follows from the id, so that a point can be read back by its key.
inline constexpr auto point = define_entity<Point, "point">(
    metric_table, key<"METRIC#{metric}#{at:day}#SHARD#{id|shard:10}", "TS#{at}#{id}">,
    ulid<&Point::id>);

inline constexpr auto rollup =
    define_entity<Rollup, "rollup">(metric_table, key<"ROLLUP#{metric}", "{hour:hour}">);

inline constexpr auto device =
    define_entity<Device, "device">(metric_table, key<"DEVICE#{id}", "DEVICE#{id}">,
                                    indexed<"all", "GSI1", "DEVICES#{id|shard:4}", "DEVICE#{id}">);

class Metrics {
 public:
  explicit Metrics(partita::Api& api) : table_(metric_table.in(api)) {}
  Metrics(const Metrics&) = delete;

  Result<void> create_table() { return table_.create_if_missing(); }

  Result<Point> write(std::string metric, Moment at, double value) {
    return points_.create({.metric = std::move(metric), .at = at, .value = value}).run();
  }
  Result<std::vector<Point>> read_day(std::string_view metric, Moment day) {
    return points_.query(metric, day).all();
  }
  // Both on the same day.
  Result<std::vector<Point>> read_between(std::string_view metric, Moment first, Moment last) {
    return points_.query(metric, first).between(first, last).all();
  }

  Result<Rollup> count_up(std::string_view metric, Moment at, std::int64_t value) {
    return rollups_.upsert(std::string(metric), std::chrono::floor<std::chrono::hours>(at))
        .add<&Rollup::count>(1)
        .add<&Rollup::sum>(value)
        .returning_new();
  }
  Result<std::vector<Rollup>> rollups(std::string_view metric, Moment first, Moment last) {
    return rollups_.query(metric).between(first, last).all();
  }

  Result<Device> add_device(Device added) { return devices_.create(std::move(added)).run(); }
  Result<std::vector<Device>> devices() { return devices_.query<"all">().all(); }

 private:
  TableOf<metric_table> table_;
  RepositoryOf<point> points_ = table_.repository<point>();
  RepositoryOf<rollup> rollups_ = table_.repository<rollup>();
  RepositoryOf<device> devices_ = table_.repository<device>();
};

inline Moment time_of(int hour, int minute) {
  return Moment(std::chrono::sys_days(std::chrono::year(2024) / 1 / 15)) +
         std::chrono::hours(hour) + std::chrono::minutes(minute);
}

// A measure every five minutes from ten to noon.
inline Result<void> measure(Metrics& metrics) {
  PARTITA_CHECK(metrics.create_table());
  for (int i = 0; i < 24; ++i) {
    const Moment at = time_of(10, 5 * i);
    PARTITA_CHECK(metrics.write("cpu", at, 0.5 * i));
    PARTITA_CHECK(metrics.count_up("cpu", at, i));
  }
  for (const char* id : {"a", "b", "c", "d", "e"}) {
    PARTITA_CHECK(metrics.add_device({id, "hall"}));
  }
  return {};
}

}  // namespace examples::metrics
