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
};

}  // namespace partita
