#include "expression/lexer.h"

#include <string>

#include <gtest/gtest.h>

namespace partita {
namespace {

std::string texts(std::string_view expression) {
  std::string joined;
  for (const Token& token : tokenize(expression)) {
    joined.append(token.text(expression)).append("|");
  }
  return joined;
}

std::vector<TokenKind> kinds(std::string_view expression) {
  std::vector<TokenKind> kinds;
  for (const Token& token : tokenize(expression)) kinds.push_back(token.kind);
  return kinds;
}

TEST(Lexer, splits_without_needing_spaces) {
  EXPECT_EQ(texts("a.b[3]<=:v1 AND#n<>:v2"), "a|.|b|[|3|]|<=|:v1|AND|#n|<>|:v2|<EOF>|");
}

TEST(Lexer, keywords_in_any_case_are_not_identifiers_but_longer_words_are) {
  EXPECT_EQ(kinds("aNd"), (std::vector{TokenKind::And, TokenKind::End}));
  EXPECT_EQ(kinds("between"), (std::vector{TokenKind::Between, TokenKind::End}));
  EXPECT_EQ(kinds("android"), (std::vector{TokenKind::Identifier, TokenKind::End}));
  EXPECT_EQ(kinds("set_"), (std::vector{TokenKind::Identifier, TokenKind::End}));
}

TEST(Lexer, an_identifier_starts_with_a_letter) {
  EXPECT_EQ(texts("_123 9a"), "_|123|9|a|<EOF>|");
  EXPECT_EQ(kinds("_a"), (std::vector{TokenKind::Unknown, TokenKind::Identifier, TokenKind::End}));
}

TEST(Lexer, a_placeholder_may_start_with_anything_of_a_word) {
  EXPECT_EQ(kinds("#9 :_"),
            (std::vector{TokenKind::NamePlaceholder, TokenKind::ValuePlaceholder, TokenKind::End}));
  EXPECT_EQ(kinds("# :"), (std::vector{TokenKind::Unknown, TokenKind::Unknown, TokenKind::End}));
}

TEST(Lexer, an_index_has_no_leading_zero) { EXPECT_EQ(texts("007"), "0|0|7|<EOF>|"); }

TEST(Lexer, a_character_of_several_bytes_is_one_token) {
  EXPECT_EQ(texts("\xC3\xBC > a"), "\xC3\xBC|>|a|<EOF>|");
  EXPECT_EQ(texts("\xFF\xFE"), "\xFF|\xFE|<EOF>|");
}

TEST(Lexer, an_empty_text_has_an_end) { EXPECT_EQ(texts(""), "<EOF>|"); }

}  // namespace
}  // namespace partita
