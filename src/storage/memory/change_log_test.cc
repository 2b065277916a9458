// The change log's chunks: stretches outlive trims, forks do not write into each other's.
#include "storage/memory/change_log.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace partita::memory {
namespace {

std::vector<std::string> read(const ChangeLog& log, ChangePosition position = {}) {
  std::vector<std::string> records;
  while (const auto stretch = log.beyond(position)) {
    stretch->show(position, [&](const ChangeView& change) {
      records.emplace_back(change.record);
      return true;
    });
  }
  return records;
}

TEST(ChangeLog, records_of_one_version_are_numbered_from_zero) {
  ChangeLog log;
  for (Version version : {4, 4, 7, 7, 7, 9}) log.append(version, "r");
  std::vector<ChangePosition> seen;
  ChangePosition position;
  ASSERT_TRUE(log.beyond(position)->show(position, [&](const ChangeView& change) {
    seen.push_back({change.version, change.ordinal});
    return true;
  }));
  EXPECT_EQ(seen, (std::vector<ChangePosition>{{4, 0}, {4, 1}, {7, 0}, {7, 1}, {7, 2}, {9, 0}}));
  EXPECT_EQ(log.last(), (ChangePosition{9, 0}));
}

TEST(ChangeLog, stretch_stays_readable_when_the_log_is_trimmed_or_gone) {
  ChangePosition position;
  std::optional<ChangeStretch> stretch;
  {
    ChangeLog log;
    log.append(1, "first");
    log.append(2, "second");
    stretch = log.beyond(position);
    log.trim(10);
    EXPECT_TRUE(read(log).empty());
  }
  std::vector<std::string> records;
  stretch->show(position, [&](const ChangeView& change) {
    records.emplace_back(change.record);
    return true;
  });
  EXPECT_EQ(records, (std::vector<std::string>{"first", "second"}));
}

TEST(ChangeLog, forks_share_the_past_and_nothing_later) {
  ChangeLog log;
  log.append(1, "both");
  ChangeLog fork = log.fork();
  log.append(2, "here");
  fork.append(2, "there");
  fork.append(3, "there again");
  EXPECT_EQ(read(log), (std::vector<std::string>{"both", "here"}));
  EXPECT_EQ(read(fork), (std::vector<std::string>{"both", "there", "there again"}));
}

TEST(ChangeLog, trimming_cuts_inside_a_chunk_and_across_chunks) {
  ChangeLog log;
  const std::string record(300, 'x');
  for (Version version = 1; version <= 2000; ++version) log.append(version, record);
  for (Version before : {2, 3, 700, 1999}) {
    log.trim(before);
    EXPECT_EQ(read(log).size(), 2001 - before);
    EXPECT_EQ(read(log, {before, 0}).size(), 2000 - before);
  }
  log.trim(5000);
  EXPECT_TRUE(read(log).empty());
}

}  // namespace
}  // namespace partita::memory
