// What the tests of lint share: items and how rules are asked for.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "partita/model/lint.h"
#include "partita/model/model.h"

namespace partita::model::design {

using Moment = std::chrono::sys_time<std::chrono::milliseconds>;

inline Moment minute(int number) {
  return Moment(std::chrono::sys_days(std::chrono::year(2024) / 1 / 1)) +
         std::chrono::minutes(number);
}

// One kind of thing that can be keyed in many ways.
struct Thing {
  std::string id{};
  std::string owner{};
  std::string text{};
  std::int64_t number = 0;
  Moment created{};
  std::optional<std::string> featured{};
  friend bool operator==(const Thing&, const Thing&) = default;
};

// `count` things that differ in everything but their owner, of which there are ten.
inline std::vector<Thing> things(int count) {
  std::vector<Thing> all;
  for (int i = 0; i < count; ++i) {
    Thing thing;
    thing.id = "id" + std::to_string(i * 7919 % 1000);
    thing.owner = "owner" + std::to_string(i % 10);
    thing.text = "text" + std::to_string(i);
    thing.number = i * 37;
    thing.created = minute(i * 1000);
    if (i % 20 == 0) thing.featured = "yes";
    all.push_back(thing);
  }
  return all;
}

template <const auto& Entity, typename Objects>
Sample sample_of(const Objects& objects) {
  Sample sample;
  for (const auto& object : objects) {
    const auto added = sample.template add<Entity>(object);
    EXPECT_TRUE(added) << added.error().message();
  }
  return sample;
}

template <const auto&... Entities>
Design design_of() {
  Design design;
  (design.add<Entities>(), ...);
  return design;
}

inline void expect_found(const LintReport& report, LintRule rule, std::string_view where) {
  const LintFinding* finding = report.find(rule);
  ASSERT_NE(finding, nullptr) << report.text();
  EXPECT_EQ(finding->where, where) << report.text();
  EXPECT_FALSE(finding->problem.empty());
  EXPECT_FALSE(finding->remedy.empty());
}
inline void expect_only(const LintReport& report, LintRule rule, std::string_view where) {
  expect_found(report, rule, where);
  EXPECT_EQ(report.findings.size(), 1u) << report.text();
}
inline void expect_clean(const LintReport& report) { EXPECT_TRUE(report.clean()) << report.text(); }

}  // namespace partita::model::design
