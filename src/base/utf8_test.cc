#include "base/utf8.h"

#include <string>

#include <gtest/gtest.h>

namespace partita {
namespace {

// A second opinion, one code point at a time.
bool is_utf8_by_decoding(std::string_view text) {
  for (std::size_t i = 0; i < text.size();) {
    const auto byte = [&](std::size_t at) {
      return at < text.size() ? static_cast<unsigned char>(text[at]) : 0u;
    };
    const unsigned lead = byte(i);
    const std::size_t length = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
    if ((lead >= 0x80 && lead < 0xC0) || lead >= 0xF8) return false;
    unsigned point = length == 1 ? lead : lead & (0x7Fu >> length);
    for (std::size_t j = 1; j < length; ++j) {
      if ((byte(i + j) & 0xC0) != 0x80) return false;
      point = point << 6 | (byte(i + j) & 0x3F);
    }
    const unsigned lowest[] = {0, 0, 0x80, 0x800, 0x10000};
    if (point < lowest[length] || point > 0x10FFFF || (point >= 0xD800 && point < 0xE000)) {
      return false;
    }
    i += length;
  }
  return true;
}

TEST(Utf8, takes_ascii_of_any_length) {
  for (std::size_t length = 0; length < 100; ++length) {
    EXPECT_TRUE(is_utf8(std::string(length, 'x'))) << length;
  }
  EXPECT_TRUE(is_utf8(std::string_view("\0\x7F", 2)));
}

TEST(Utf8, takes_the_first_and_last_character_of_each_length) {
  for (const char* text : {"\xC2\x80", "\xDF\xBF", "\xE0\xA0\x80", "\xED\x9F\xBF", "\xEE\x80\x80",
                           "\xEF\xBF\xBF", "\xF0\x90\x80\x80", "\xF4\x8F\xBF\xBF"}) {
    EXPECT_TRUE(is_utf8(text)) << text;
  }
}

TEST(Utf8, refuses_overlong_forms_surrogates_and_points_past_the_last) {
  for (const char* text :
       {"\x80", "\xBF", "\xC0\x80", "\xC1\xBF", "\xE0\x9F\xBF", "\xED\xA0\x80", "\xED\xBF\xBF",
        "\xF0\x8F\xBF\xBF", "\xF4\x90\x80\x80", "\xF5\x80\x80\x80", "\xFF", "\xC2", "\xE1\x80",
        "\xF1\x80\x80", "\xC2\x41", "\xE1\x80\x41", "\xF1\x80\x80\x41"}) {
    EXPECT_FALSE(is_utf8(text)) << text;
  }
}

TEST(Utf8, finds_a_bad_byte_wherever_it_is) {
  for (std::size_t length = 1; length < 80; ++length) {
    for (std::size_t at = 0; at < length; ++at) {
      std::string text(length, 'a');
      text[at] = static_cast<char>(0xFF);
      EXPECT_FALSE(is_utf8(text)) << at << " of " << length;
    }
  }
}

TEST(Utf8, agrees_with_decoding_on_every_lead_and_second_byte) {
  for (int lead = 0; lead < 256; ++lead) {
    for (int second = 0; second < 256; ++second) {
      for (const char* tail : {"", "\x80", "\xBF\x80", "\x80\x80x", "a"}) {
        std::string text = "ascii before ";
        text += static_cast<char>(lead);
        text += static_cast<char>(second);
        text += tail;
        ASSERT_EQ(is_utf8(text), is_utf8_by_decoding(text)) << lead << ' ' << second << ' ' << tail;
      }
    }
  }
}

}  // namespace
}  // namespace partita
