#include "base/coding.h"

#include <gtest/gtest.h>

namespace partita {
namespace {

using namespace std::string_literals;

TEST(Coding, integers_have_these_bytes) {
  std::string out;
  append_u32(out, 0x01020304);
  EXPECT_EQ(out, "\x04\x03\x02\x01");
  out.clear();
  append_big_endian_u32(out, 0x01020304);
  EXPECT_EQ(out, "\x01\x02\x03\x04");
  out.clear();
  append_u64(out, 0x0102030405060708);
  EXPECT_EQ(out, "\x08\x07\x06\x05\x04\x03\x02\x01");
  out.clear();
  append_big_endian_u64(out, 0x0102030405060708);
  EXPECT_EQ(out, "\x01\x02\x03\x04\x05\x06\x07\x08");
}

TEST(Coding, varints_grow_at_their_boundaries_and_come_back) {
  const std::pair<std::uint32_t, std::string> forms[] = {
      {0, "\0"s},           {0x7F, "\x7F"},           {0x80, "\x80\x01"},
      {0x3FFF, "\xFF\x7F"}, {0x4000, "\x80\x80\x01"}, {0xFFFFFFFF, "\xFF\xFF\xFF\xFF\x0F"},
  };
  for (const auto& [value, bytes] : forms) {
    std::string out;
    append_varint32(out, value);
    EXPECT_EQ(out, bytes);
    EXPECT_EQ(varint32_bytes(value), bytes.size());
    ByteReader reader(bytes);
    std::uint32_t read = 1;
    EXPECT_TRUE(reader.read_varint32(read));
    EXPECT_EQ(read, value);
    EXPECT_TRUE(reader.at_end());
  }
}

TEST(ByteReader, refuses_varints_that_are_cut_off_too_long_or_too_large) {
  for (const std::string& bytes : {""s, "\x80"s, "\x80\x80\x80\x80"s, "\x80\0"s, "\xFF\x80\0"s,
                                   "\xFF\xFF\xFF\xFF\x10"s, "\xFF\xFF\xFF\xFF\xFF\x01"s}) {
    ByteReader reader(bytes);
    std::uint32_t value = 77;
    EXPECT_FALSE(reader.read_varint32(value));
    EXPECT_EQ(value, 77u);
    EXPECT_EQ(reader.remaining(), bytes.size());
  }
}

TEST(ByteReader, a_failed_read_moves_nothing) {
  ByteReader reader(
      "\x05"
      "abc");
  std::string_view bytes = "before";
  std::uint64_t number = 1;
  EXPECT_FALSE(reader.read_length_prefixed(bytes));
  EXPECT_FALSE(reader.read_u64(number));
  EXPECT_FALSE(reader.read_big_endian_u64(number));
  EXPECT_FALSE(reader.read_bytes(5, bytes));
  EXPECT_EQ(reader.remaining(), 4u);
  EXPECT_EQ(number, 1u);
  EXPECT_TRUE(reader.read_bytes(4, bytes));
  EXPECT_TRUE(reader.at_end());
}

}  // namespace
}  // namespace partita
