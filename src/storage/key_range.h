// Which rows of a partition a range covers, and where a scan starts.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

#include "storage/slot.h"

namespace partita {

enum class Direction : std::uint8_t { Forward, Backward };

// Rows of one slot with lower <= sort < upper, in byte order; no upper means to the end. With
// `after`, only rows beyond that sort key in the direction of reading: a page goes on where the
// last one stopped, whether or not that row still exists.
struct KeyRange {
  Slot slot = Slot::Item;
  std::string lower = {};
  std::optional<std::string> upper = {};
  std::optional<std::string> after = {};
};

// Hashes from `first` to `last`, both included.
struct HashRange {
  std::uint64_t first = 0;
  std::uint64_t last = std::numeric_limits<std::uint64_t>::max();
};

// What a reader expects to consume, so that an engine can choose how far to read ahead.
struct ReadHint {
  std::uint32_t rows = 0;   // 0: unknown
  std::uint32_t bytes = 0;  // 0: unknown
};

}  // namespace partita
