#include "partita/model/key_distribution.h"

#include <algorithm>
#include <map>

namespace partita::model {
namespace {

constexpr double kHotShare = 0.5;
constexpr double kHotTimesMean = 20;

KeyDistribution::Verdict judge(const KeyDistribution& found) {
  using Verdict = KeyDistribution::Verdict;
  if (found.items == 0) return Verdict::Empty;
  if (found.partitions == 1 && found.items > 1) return Verdict::OnePartition;
  if (found.items > found.partitions &&
      (found.largest_share > kHotShare ||
       static_cast<double>(found.largest_items) > kHotTimesMean * found.mean)) {
    return Verdict::Hot;
  }
  return found.variance <= found.mean * found.mean / 4 ? Verdict::Even : Verdict::Uneven;
}

SortKeyRange probe(const std::vector<std::string>& sorted, double from, double to) {
  const auto at = [&](double share) {
    return std::min(static_cast<std::size_t>(share * static_cast<double>(sorted.size())),
                    sorted.size() - 1);
  };
  SortKeyRange range{.start = sorted[at(from)], .end = sorted[at(to)], .wanted_share = to - from};
  const auto first = std::lower_bound(sorted.begin(), sorted.end(), range.start);
  const auto last = std::upper_bound(sorted.begin(), sorted.end(), range.end);
  range.items = static_cast<std::size_t>(last - first);
  range.share = static_cast<double>(range.items) / static_cast<double>(sorted.size());
  return range;
}

// The attributes of a key with several are told apart by a byte that no text has.
bool append_key(const KeyParts& parts, const void* object, std::string& out) {
  for (std::size_t i = 0; i < parts.count; ++i) {
    const KeyTemplate& key = *parts.all[i].key;
    if (key.count > 0 && key.pieces[0].input == nullptr) return false;
    KeyText text;
    const KeyProblem problem = write_key(key, object, text);
    if (problem != KeyProblem::None && problem != KeyProblem::Empty) return false;
    if (i > 0) out.push_back('\0');
    out.append(text.view());
  }
  return true;
}

}  // namespace

std::string_view describe(KeyDistribution::Verdict verdict) {
  constexpr std::string_view words[] = {"empty", "even", "uneven", "hot", "one partition"};
  return words[static_cast<std::size_t>(verdict)];
}

KeyDistribution key_distribution(std::span<const std::string> partition_keys) {
  std::map<std::string_view, std::size_t> counts;
  for (const std::string& key : partition_keys) ++counts[key];
  KeyDistribution found;
  found.items = partition_keys.size();
  found.partitions = counts.size();
  if (found.items == 0) return found;

  const auto partitions = static_cast<double>(found.partitions);
  found.mean = static_cast<double>(found.items) / partitions;
  for (const auto& [key, count] : counts) {
    const double difference = static_cast<double>(count) - found.mean;
    found.variance += difference * difference / partitions;
    if (count > found.largest_items) {
      found.largest_items = count;
      found.largest = key;
    }
  }
  found.largest_share = static_cast<double>(found.largest_items) / static_cast<double>(found.items);
  found.variance_below_half_mean = found.variance < found.mean / 2;
  found.verdict = judge(found);
  return found;
}

SortKeyRanges sort_key_ranges(std::vector<std::string> sort_keys) {
  SortKeyRanges found;
  found.items = sort_keys.size();
  if (sort_keys.empty()) return found;
  std::sort(sort_keys.begin(), sort_keys.end());
  found.ranges = {probe(sort_keys, 0, 0.1), probe(sort_keys, 0.4, 0.6)};
  found.selective = true;
  for (const SortKeyRange& range : found.ranges) {
    // Both ends belong to a range, so few keys give one more than their share.
    const double allowed = 2 * range.wanted_share * static_cast<double>(found.items) + 1;
    found.selective = found.selective && static_cast<double>(range.items) <= allowed;
  }
  sort_keys.erase(std::unique(sort_keys.begin(), sort_keys.end()), sort_keys.end());
  found.distinct = sort_keys.size();
  return found;
}

void detail::append_keys(const AccessPattern& pattern, const void* object, KeysOfObjects& keys) {
  if (pattern.when != nullptr && !is_true(pattern.when(object))) return;
  std::string partition, sort;
  if (!append_key(pattern.partition, object, partition)) return;
  if (!append_key(pattern.sort, object, sort)) return;
  keys.partition.push_back(std::move(partition));
  if (pattern.sort.count != 0) keys.sort.push_back(std::move(sort));
}

}  // namespace partita::model
