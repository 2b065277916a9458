// PartitionMonitor: which partition keys are accessed most, in bounded memory.
//
//   PartitionMonitor monitor;
//   table.watch(monitor);                               // all that is done by way of the table
//   monitor.note("STATUS#open");                        // or by hand
//   for (const auto& hot : monitor.hot_keys(1000)) …    // and monitor.suggestions(1000)
//
// It keeps at most `keys_max` counters (the Space-Saving sketch of Metwally, Agrawal and El
// Abbadi): a key with more than accesses()/keys_max accesses is always among them, and each count
// says by how much it may be too high. May be used by several threads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "partita/item.h"

namespace partita::model {

struct BusyKey {
  std::string key{};
  std::uint64_t at_most = 0;   // accesses
  std::uint64_t at_least = 0;  // accesses that are certain
  double share = 0;            // at_least, of all accesses
};

class PartitionMonitor {
 public:
  explicit PartitionMonitor(std::size_t keys_max = 1000);

  void note(std::string_view partition_key, std::uint64_t accesses = 1);
  // The key is this attribute of the item; an item without it is not in that index.
  void note(ItemView item, std::string_view partition_attribute);

  std::uint64_t accesses() const;
  // Busiest first.
  std::vector<BusyKey> busiest(std::size_t keys) const;
  // Those that certainly had more accesses than this.
  std::vector<BusyKey> hot_keys(std::uint64_t accesses_max = 100) const;
  // One sentence for each hot key: what to do about it.
  std::vector<std::string> suggestions(std::uint64_t accesses_max = 100) const;

 private:
  struct Counter {
    const std::string* key;  // in the map below
    std::uint64_t count;
    std::uint64_t error;
  };
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const {
      return std::hash<std::string_view>{}(text);
    }
  };
  std::size_t& place_of(const Counter& counter);
  void sink(std::size_t at);
  void replace_least(std::string_view key, std::uint64_t accesses);

  const std::size_t keys_max_;
  mutable std::mutex mutex_;
  std::uint64_t accesses_ = 0;
  std::vector<Counter> heap_;                                                   // least first
  std::unordered_map<std::string, std::size_t, Hash, std::equal_to<>> places_;  // in the heap
};

// "STATUS#open is hot: …"
std::string suggest_for_hot_key(std::string_view partition_key);

}  // namespace partita::model
