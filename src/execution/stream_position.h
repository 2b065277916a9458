// StreamPosition: a place in a stream, and the sequence number that names it.
//
//   sequence number := "1" version:19 digits lane:1 digit ordinal:5 digits
//
// Records ascend by it within a shard, and those of an item within the stream: an item keeps its
// lane, and its versions ascend.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "storage/engine.h"

namespace partita {

// The record of this place, or the first one after it.
struct StreamPosition {
  Version version = 0;
  Lane lane = 0;
  std::uint32_t ordinal = 0;
  friend auto operator<=>(const StreamPosition&, const StreamPosition&) = default;

  StreamPosition beyond() const { return {version, lane, ordinal + 1}; }
};

std::string sequence_number(StreamPosition position);
// Nothing for a number that we did not give.
std::optional<StreamPosition> position_of(std::string_view sequence_number);

}  // namespace partita
