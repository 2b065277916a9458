// How keys spread, so that a test can hold a design to account before there is traffic.
//
//   const auto keys = keys_of<order>(orders, "by_status");      // objects → keys of an index
//   EXPECT_EQ(key_distribution(keys.partition).verdict, KeyDistribution::Verdict::Even);
//   EXPECT_TRUE(sort_key_ranges(keys.sort).selective);
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "partita/model/entity_plan.h"

namespace partita::model {

// How items spread over partition keys.
struct KeyDistribution {
  enum class Verdict : std::uint8_t {
    Empty,         // there are no keys
    Even,          // counts differ little
    Uneven,        // some partitions have much more than others
    Hot,           // one partition has more than half, or twenty times the mean
    OnePartition,  // all items have the same key
  };
  std::size_t items = 0;
  std::size_t partitions = 0;
  double mean = 0;      // items in a partition
  double variance = 0;  // of the items in a partition
  std::size_t largest_items = 0;
  double largest_share = 0;  // of all items
  std::string largest{};     // the key that most items have
  // The rule of thumb "variance below half the mean". It is strict: a good hash into few buckets
  // fails it, so the verdict asks for a standard deviation below half the mean instead.
  bool variance_below_half_mean = false;
  Verdict verdict = Verdict::Empty;
};
std::string_view describe(KeyDistribution::Verdict verdict);

KeyDistribution key_distribution(std::span<const std::string> partition_keys);

// A range query that takes a share of all keys, and what it would find.
struct SortKeyRange {
  std::string start{};
  std::string end{};
  double wanted_share = 0;
  std::size_t items = 0;
  double share = 0;
};

struct SortKeyRanges {
  std::size_t items = 0;
  std::size_t distinct = 0;
  std::vector<SortKeyRange> ranges{};  // the first tenth, and the fifth in the middle
  // No range finds more than twice what it wants: queries can be narrowed by the sort key.
  bool selective = false;
};

SortKeyRanges sort_key_ranges(std::vector<std::string> sort_keys);

// The keys of objects under one access pattern ("": the primary key). Objects that are not in that
// index, or whose key cannot be made, are left out.
struct KeysOfObjects {
  std::vector<std::string> partition{};
  std::vector<std::string> sort{};
};

namespace detail {
void append_keys(const AccessPattern& pattern, const void* object, KeysOfObjects& keys);
}  // namespace detail

template <const auto& Entity, typename Objects>
KeysOfObjects keys_of(const Objects& objects, std::string_view pattern_name = {}) {
  KeysOfObjects keys;
  const AccessPattern* pattern = Entity.plan.find_pattern(pattern_name);
  if (pattern == nullptr) return keys;
  for (const auto& object : objects) detail::append_keys(*pattern, &object, keys);
  return keys;
}

}  // namespace partita::model
