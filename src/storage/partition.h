// Partitions and rows by name: where something lies, not how to reach it.
#pragma once

#include <cstdint>

#include "partita/value.h"

#include "storage/slot.h"

namespace partita {

// Given inside commit, in the order in which commits become visible; 0 means "no such row".
using Version = std::uint64_t;

using SpaceId = std::uint32_t;  // never used again after drop

// One table or global index, and one partition key value.
struct Partition {
  SpaceId space = 0;
  std::uint64_t hash = 0;
  Bytes key;
};

struct RowKey {
  Slot slot = Slot::Item;
  Bytes sort;
};

}  // namespace partita
