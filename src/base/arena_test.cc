#include "base/arena.h"

#include <gtest/gtest.h>

namespace partita {
namespace {

TEST(Arena, starts_over_in_the_same_buffer) {
  Arena arena;
  void* const first = arena.memory()->allocate(100, 8);
  static_cast<void>(arena.memory()->allocate(1 << 20, 8));  // spills
  arena.release();
  EXPECT_EQ(arena.memory()->allocate(100, 8), first);
}

}  // namespace
}  // namespace partita
