#include "execution/stream_position.h"

#include <gtest/gtest.h>

namespace partita {
namespace {

TEST(StreamPosition, sequence_numbers_have_these_digits) {
  EXPECT_EQ(sequence_number({1, 0, 0}), "10000000000000000001000000");
  EXPECT_EQ(sequence_number({987654321, 3, 42}), "10000000000987654321300042");
}

TEST(StreamPosition, sequence_numbers_ascend_with_their_positions) {
  const StreamPosition positions[] = {{1, 0, 0},  {1, 0, 1}, {1, 0, 99}, {1, 1, 0},
                                      {1, 3, 99}, {2, 0, 0}, {99, 3, 0}, {100, 0, 0}};
  for (std::size_t i = 1; i < std::size(positions); ++i) {
    EXPECT_LT(positions[i - 1], positions[i]);
    EXPECT_LT(sequence_number(positions[i - 1]), sequence_number(positions[i]));
    EXPECT_EQ(position_of(sequence_number(positions[i])), positions[i]);
  }
}

TEST(StreamPosition, only_our_own_numbers_are_understood) {
  for (const char* text : {"", "1", "20000000000000000001000000", "1000000000000000000100000x",
                           "100000000000000000010000000", " 0000000000000000001000000"}) {
    EXPECT_FALSE(position_of(text).has_value()) << text;
  }
}

}  // namespace
}  // namespace partita
