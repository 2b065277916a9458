#include "partita/model/partition_monitor.h"

#include <algorithm>

#include "model/design/text_shape.h"

namespace partita::model {
namespace {

bool contains_any(std::string_view text, std::initializer_list<std::string_view> words) {
  return std::any_of(words.begin(), words.end(), [&](std::string_view word) {
    return text.find(word) != std::string_view::npos;
  });
}

// A part between separators that is a date, such as "2024-06-01" or "2024-06".
bool has_date(std::string_view key) {
  for (std::size_t at = 0; at + 7 <= key.size(); ++at) {
    const std::string_view rest = key.substr(at);
    if (starts_with_iso_date(rest)) return true;
    if (is_digits(rest.substr(0, 4)) && rest[4] == '-' && is_digits(rest.substr(5, 2))) return true;
  }
  return false;
}

}  // namespace

PartitionMonitor::PartitionMonitor(std::size_t keys_max)
    : keys_max_(std::max<std::size_t>(keys_max, 1)) {
  heap_.reserve(keys_max_);
}

std::size_t& PartitionMonitor::place_of(const Counter& counter) {
  return places_.find(*counter.key)->second;
}

// Moves a counter that has grown to where it belongs.
void PartitionMonitor::sink(std::size_t at) {
  while (true) {
    std::size_t least = at;
    for (const std::size_t child : {2 * at + 1, 2 * at + 2}) {
      if (child < heap_.size() && heap_[child].count < heap_[least].count) least = child;
    }
    if (least == at) return;
    std::swap(heap_[at], heap_[least]);
    std::swap(place_of(heap_[at]), place_of(heap_[least]));
    at = least;
  }
}

// A new key takes the counter of the least one, whose accesses it may have had.
void PartitionMonitor::replace_least(std::string_view key, std::uint64_t accesses) {
  Counter& least = heap_[0];
  auto node = places_.extract(*least.key);
  node.key() = key;
  const auto entry = places_.insert(std::move(node)).position;
  least = {&entry->first, least.count + accesses, least.count};
  sink(0);
}

void PartitionMonitor::note(std::string_view partition_key, std::uint64_t accesses) {
  const std::lock_guard lock(mutex_);
  accesses_ += accesses;
  if (const auto found = places_.find(partition_key); found != places_.end()) {
    heap_[found->second].count += accesses;
    sink(found->second);
  } else if (heap_.size() == keys_max_) {
    replace_least(partition_key, accesses);
  } else {
    const auto entry = places_.emplace(partition_key, heap_.size()).first;
    heap_.push_back({&entry->first, accesses, 0});
    std::size_t at = heap_.size() - 1;
    while (at > 0 && heap_[(at - 1) / 2].count > heap_[at].count) {
      const std::size_t parent = (at - 1) / 2;
      std::swap(heap_[at], heap_[parent]);
      std::swap(place_of(heap_[at]), place_of(heap_[parent]));
      at = parent;
    }
  }
}

void PartitionMonitor::note(ItemView item, std::string_view partition_attribute) {
  const auto value = item.find(partition_attribute);
  if (!value) return;
  if (value->is(ValueType::S)) note(value->string());
  if (value->is(ValueType::N)) note(value->number());
}

std::uint64_t PartitionMonitor::accesses() const {
  const std::lock_guard lock(mutex_);
  return accesses_;
}

std::vector<BusyKey> PartitionMonitor::busiest(std::size_t keys) const {
  std::vector<BusyKey> found;
  {
    const std::lock_guard lock(mutex_);
    for (const Counter& counter : heap_) {
      const std::uint64_t certain = counter.count - counter.error;
      found.push_back({*counter.key, counter.count, certain,
                       static_cast<double>(certain) / static_cast<double>(accesses_)});
    }
  }
  std::sort(found.begin(), found.end(), [](const BusyKey& left, const BusyKey& right) {
    return left.at_most != right.at_most ? left.at_most > right.at_most : left.key < right.key;
  });
  if (found.size() > keys) found.resize(keys);
  return found;
}

std::vector<BusyKey> PartitionMonitor::hot_keys(std::uint64_t accesses_max) const {
  std::vector<BusyKey> found = busiest(keys_max_);
  std::erase_if(found, [&](const BusyKey& key) { return key.at_least <= accesses_max; });
  return found;
}

std::vector<std::string> PartitionMonitor::suggestions(std::uint64_t accesses_max) const {
  std::vector<std::string> sentences;
  for (const BusyKey& hot : hot_keys(accesses_max)) {
    sentences.push_back(suggest_for_hot_key(hot.key));
  }
  return sentences;
}

std::string suggest_for_hot_key(std::string_view partition_key) {
  const std::string start = "'" + std::string(partition_key) + "' is hot: ";
  if (contains_any(partition_key, {"TIMELINE", "TIME", "DATE", "DAY"}) || has_date(partition_key)) {
    return start +
           "shard by time, with a shorter unit such as {at:hour}, or spread each period "
           "over buckets with {id|shard:10} and gather them when reading";
  }
  if (contains_any(partition_key, {"STATUS", "STATE", "TYPE", "KIND", "CATEGORY"})) {
    return start +
           "few values share all items; add a second grouping such as "
           "STATUS#{status}#{region}, or a sparse index of those that are asked for";
  }
  return start +
         "look at how its items are spread; a member with more values, or buckets with "
         "{id|shard:10}, divides the load";
}

}  // namespace partita::model
