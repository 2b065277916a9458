// RowRoom: memory for rows. Each thread keeps some of what it freed for the next row.
//
// malloc does the same, but only up to 1 KB (glibc); beyond that it searches, splits and joins free
// chunks, which made a tenth of what writing an item of 1 KB costs.
#pragma once

#include <cstddef>

namespace partita::memory {

class RowRoom {
 public:
  static void* take(std::size_t bytes);
  static void give_back(void* room, std::size_t bytes);  // as many as were taken
};

}  // namespace partita::memory
