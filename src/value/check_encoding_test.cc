#include <gtest/gtest.h>

#include "value/item_encoding.h"
#include "value/random_values.h"

namespace partita {
namespace {

using namespace std::string_literals;

bool is_value(const std::string& bytes) { return check_value(bytes).has_value(); }
bool is_item(const std::string& bytes) { return check_item(bytes).has_value(); }

TEST(CheckValue, refuses_bytes_that_are_incomplete_or_too_many) {
  for (const std::string& bytes :
       {""s, "\0"s, "\x0C"s, "\xFF"s, "\x01"s,
        "\x01\x02"s
        "a",
        "\x01\x01"s
        "ab",
        "\x02"s, "\x02\0"s, "\x05\x05"s, "\x07"s, "\x07\0\0\0\0\0\0\0"s, "\x08\x01\0\0\0\0\0\0\0"s,
        "\x08\xFF\xFF\xFF\xFF\x01\0\0\0\x06"s, "\x08\x01\0\0\0\xFF\xFF\xFF\xFF\x06"s}) {
    EXPECT_FALSE(is_value(bytes));
  }
}

TEST(CheckValue, refuses_other_spellings_of_a_value) {
  EXPECT_FALSE(
      is_value("\x01\x81\0"s
               "a"));                                     // a longer varint
  EXPECT_FALSE(is_value("\x02\x05\x13\x82\x0B\x01\0"s));  // a trailing zero pair
  EXPECT_FALSE(is_value("\x02\x05\x13\x82\x0B\0\0"s));    // bytes after the number
  EXPECT_FALSE(is_value("\x01\x01\xFF"s));                // not UTF-8
  EXPECT_TRUE(is_value("\x03\x01\xFF"s));                 // which a binary need not be
  EXPECT_FALSE(is_value("\x09\0\0\0\0\0\0\0\0"s));        // an empty set
  EXPECT_FALSE(
      is_value("\x09\x04\0\0\0\x02\0\0\0\x01"s
               "b\x01"
               "a"));  // out of order
  EXPECT_FALSE(
      is_value("\x09\x04\0\0\0\x02\0\0\0\x01"s
               "a\x01"
               "a"));  // twice
  EXPECT_TRUE(
      is_value("\x09\x04\0\0\0\x02\0\0\0\x01"s
               "a\x01"
               "b"));
  EXPECT_FALSE(
      is_value("\x07\x06\0\0\0\x02\0\0\0\x01"s
               "b\x06\x01"
               "a\x06"));
  EXPECT_FALSE(
      is_value("\x07\x06\0\0\0\x02\0\0\0\x01"s
               "a\x06\x01"
               "a\x06"));
  EXPECT_FALSE(
      is_value("\x07\x06\0\0\0\x01\0\0\0\x01"s
               "a\x06\x01"
               "b\x06"));  // one uncounted
}

std::string nested_lists(unsigned levels) {
  std::string bytes = "\x06";
  for (; levels > 0; --levels) {
    const Value list = Value::list({Value(ValueView(bytes))});
    bytes = list.view().bytes();
  }
  return bytes;
}

TEST(CheckValue, refuses_a_32nd_level_however_deep_it_goes_on) {
  EXPECT_TRUE(is_value(nested_lists(31)));
  EXPECT_FALSE(is_value(nested_lists(32)));
  EXPECT_FALSE(is_value(nested_lists(5000)));
}

TEST(CheckItem, refuses_another_format_a_wrong_size_and_a_wrong_count) {
  const std::string good((Item{{"a", Value::string("xyz")}}).view().bytes());
  ASSERT_TRUE(is_item(good));
  for (const std::size_t at : {0u, 1u, 4u, 5u, 8u}) {
    std::string bad = good;
    bad[at] = static_cast<char>(bad[at] ^ 0x02);
    EXPECT_FALSE(is_item(bad)) << at;
  }
  EXPECT_FALSE(is_item(good + '\x06'));
}

TEST(CheckItem, an_item_cut_short_is_no_item) {
  testing::DocumentSource source(1);
  ItemWriter writer;
  for (int round = 0; round < 50; ++round) {
    writer.clear();
    source.write_item(source.item(), writer);
    for (std::size_t length = 0; length < writer.bytes().size(); ++length) {
      ASSERT_FALSE(check_item(std::string(writer.bytes().substr(0, length))));
    }
  }
}

// Whatever one changed byte makes of an item: if it is accepted, it is canonical.
TEST(CheckItem, accepts_only_what_the_writer_would_write) {
  const unsigned seed = std::random_device{}();
  SCOPED_TRACE(seed);
  testing::DocumentSource source(seed);
  ItemWriter writer, rewriter;
  int accepted = 0;
  for (int round = 0; round < 2000; ++round) {
    writer.clear();
    source.write_item(source.item(), writer);
    std::string bytes(writer.bytes());
    bytes[source.below(bytes.size())] = static_cast<char>(source.below(256));
    const Result<ItemView> item = check_item(bytes);
    if (!item) continue;
    ++accepted;
    rewriter.clear();
    source.write_item(testing::document_of(*item), rewriter);
    ASSERT_EQ(rewriter.bytes(), bytes);
  }
  EXPECT_GT(accepted, 10);
}

}  // namespace
}  // namespace partita
