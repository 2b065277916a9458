#include "base/unicode_words.h"

#include <gtest/gtest.h>

namespace partita {
namespace {

TEST(UnicodeWords, letters_digits_and_spaces_of_every_script) {
  for (const char* text : {"", "a", "Zz09", "a b", "ключ", "café", "表", "\u00A0", "\u3000",
                           "\u0664", "\u00BD", "\U00020000", "\u0370", "\U00010280"}) {
    EXPECT_TRUE(has_only_words(text, "")) << text;
  }
}

TEST(UnicodeWords, nothing_else) {
  for (const char* text :
       {"#",      "a,b",        "100%",   "(x)",    "~",      "\t",        "\n",     "\x7F",
        "[",      "@",          "`",      "{",      "/",      ":",         "\u00D7", "\u20AC",
        "\u0301", "\U0001F511", "\u00AB", "\u200B", "\uE000", "\U0010FFFF"}) {
    EXPECT_FALSE(has_only_words(text, "")) << text;
  }
}

TEST(UnicodeWords, others_are_allowed_too) {
  EXPECT_TRUE(has_only_words("a+b-c=d.e_f:g/h@i", "+-=._:/@"));
  EXPECT_FALSE(has_only_words("a+b*c", "+"));
}

TEST(UnicodeWords, what_is_not_utf8_is_no_word) {
  EXPECT_FALSE(has_only_words("\xC3", ""));
  EXPECT_FALSE(has_only_words("a\xE8\xA1", ""));
  EXPECT_FALSE(has_only_words("\xC0\x80", ""));
}

}  // namespace
}  // namespace partita
