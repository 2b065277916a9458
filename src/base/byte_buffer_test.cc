#include "base/byte_buffer.h"

#include <string>

#include <gtest/gtest.h>

namespace partita {
namespace {

// Counts what is asked of it.
class CountingMemory final : public std::pmr::memory_resource {
 public:
  int allocations = 0;
  std::size_t bytes_held = 0;

 private:
  void* do_allocate(std::size_t bytes, std::size_t alignment) override {
    ++allocations;
    bytes_held += bytes;
    return std::pmr::new_delete_resource()->allocate(bytes, alignment);
  }
  void do_deallocate(void* at, std::size_t bytes, std::size_t alignment) override {
    bytes_held -= bytes;
    std::pmr::new_delete_resource()->deallocate(at, bytes, alignment);
  }
  bool do_is_equal(const memory_resource& other) const noexcept override { return this == &other; }
};

TEST(ByteBuffer, keeps_what_was_written_while_it_grows) {
  CountingMemory memory;
  {
    ByteBuffer buffer(&memory);
    std::string expected;
    for (int i = 0; i < 2000; ++i) {
      const std::string piece(static_cast<std::size_t>(i % 7), static_cast<char>('a' + i % 26));
      buffer.append(piece);
      buffer.push_back('.');
      expected += piece + '.';
    }
    EXPECT_EQ(buffer.view(), expected);
    buffer.truncate(3);
    EXPECT_EQ(buffer.view(), expected.substr(0, 3));
  }
  EXPECT_EQ(memory.bytes_held, 0u);
}

TEST(ByteBuffer, allocates_nothing_while_it_has_room) {
  CountingMemory memory;
  ByteBuffer buffer(&memory);
  buffer.reserve(1000);
  for (int round = 0; round < 10; ++round) {
    buffer.clear();
    buffer.append(std::string_view());
    *buffer.extend(1000) = 'x';
  }
  EXPECT_EQ(memory.allocations, 1);
}

TEST(ByteBuffer, moves_with_its_bytes) {
  ByteBuffer buffer(std::pmr::get_default_resource());
  buffer.append("abc");
  const ByteBuffer moved = std::move(buffer);
  EXPECT_EQ(moved.view(), "abc");
}

}  // namespace
}  // namespace partita
