#include "base/text_buffer.h"

#include <string>

#include <gtest/gtest.h>

namespace partita {
namespace {

TEST(TextBuffer, keeps_its_text_when_it_grows) {
  TextBuffer buffer;
  std::string expected;
  for (int i = 0; i < 5000; ++i) {
    const std::string piece(static_cast<std::size_t>(i % 97), static_cast<char>('a' + i % 26));
    buffer.append(piece);
    expected += piece;
  }
  EXPECT_EQ(buffer.view(), expected);
}

// An answer with one large item must not be moved to twice its size for its closing braces.
TEST(TextBuffer, has_room_for_small_pieces_behind_a_large_one) {
  TextBuffer buffer;
  buffer.append(std::string(100'000, 'x'));
  const std::size_t capacity = buffer.capacity();
  buffer.append("\"}}}");
  EXPECT_EQ(buffer.capacity(), capacity);
  EXPECT_LT(capacity, 110'000u);
}

}  // namespace
}  // namespace partita
