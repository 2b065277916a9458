#include "base/memory_reserve.h"

#include <new>

#include <gtest/gtest.h>

namespace partita {
namespace {

// What the new-handler does is tried by asking it as a failing allocation would.
TEST(MemoryReserve, lasts_for_some_failures_and_can_be_filled_again) {
  const std::new_handler before = std::get_new_handler();
  EXPECT_TRUE(MemoryReserve::fill());  // not installed: nothing to fill
  MemoryReserve::install();
  const std::new_handler handler = std::get_new_handler();
  EXPECT_THROW(handler(), std::bad_alloc);  // nothing is reserved yet
  for (int round = 0; round < 2; ++round) {
    ASSERT_TRUE(MemoryReserve::fill());
    int helped = 0;
    try {
      for (; helped < 1000; ++helped) handler();
    } catch (const std::bad_alloc&) {
    }
    EXPECT_EQ(helped, 64);
  }
  std::set_new_handler(before);
}

}  // namespace
}  // namespace partita
