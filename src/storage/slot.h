// Slots: the sub-spaces of one partition. Numbers are stored; never reuse one.
#pragma once

#include <cstdint>

namespace partita {

enum class Slot : std::uint8_t {
  Item = 0,
  Local1 = 1,
  Local2 = 2,
  Local3 = 3,
  Local4 = 4,
  Local5 = 5,
  History = 6,
  Progress = 7,  // how far followers of the change log have come; its partitions are not items'
};
inline constexpr std::uint8_t kSlotCount = 8;

}  // namespace partita
