#include "expression/lexer.h"

#include <algorithm>
#include <cstddef>

namespace partita {
namespace {

struct Keyword {
  std::string_view word;
  TokenKind kind;
};
constexpr Keyword kKeywords[] = {
    {"AND", TokenKind::And},         {"OR", TokenKind::Or},   {"NOT", TokenKind::Not},
    {"BETWEEN", TokenKind::Between}, {"IN", TokenKind::In},   {"SET", TokenKind::Set},
    {"REMOVE", TokenKind::Remove},   {"ADD", TokenKind::Add}, {"DELETE", TokenKind::Delete},
};

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }
bool continues_character(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

bool same_word(std::string_view text, std::string_view upper) {
  return std::equal(text.begin(), text.end(), upper.begin(), upper.end(),
                    [](char c, char u) { return is_letter(c) && (c & ~0x20) == u; });
}

TokenKind word_kind(std::string_view word) {
  for (const Keyword& keyword : kKeywords) {
    if (same_word(word, keyword.word)) return keyword.kind;
  }
  return TokenKind::Identifier;
}

TokenKind symbol_kind(char c) {
  switch (c) {
    case '=':
      return TokenKind::Equal;
    case '<':
      return TokenKind::Less;
    case '>':
      return TokenKind::Greater;
    case '+':
      return TokenKind::Plus;
    case '-':
      return TokenKind::Minus;
    case '(':
      return TokenKind::LeftParenthesis;
    case ')':
      return TokenKind::RightParenthesis;
    case '[':
      return TokenKind::LeftBracket;
    case ']':
      return TokenKind::RightBracket;
    case '.':
      return TokenKind::Dot;
    case ',':
      return TokenKind::Comma;
    default:
      return TokenKind::Unknown;
  }
}

template <typename Predicate>
std::size_t run_length(std::string_view text, Predicate belongs) {
  return static_cast<std::size_t>(std::find_if_not(text.begin(), text.end(), belongs) -
                                  text.begin());
}

struct Read {
  TokenKind kind;
  std::size_t length;
};

// The token that starts `rest`, which starts with no space.
Read read_token(std::string_view rest) {
  const char first = rest[0];
  const char second = rest.size() > 1 ? rest[1] : '\0';
  if (is_letter(first)) {
    const std::size_t length = run_length(rest, is_word_character);
    return {word_kind(rest.substr(0, length)), length};
  }
  if (is_digit(first)) {  // an index has no leading zeros: "01" is two tokens
    return {TokenKind::Index, first == '0' ? 1 : run_length(rest, is_digit)};
  }
  if (first == '#' || first == ':') {
    const std::size_t length = 1 + run_length(rest.substr(1), is_word_character);
    if (length == 1) return {TokenKind::Unknown, 1};
    return {first == '#' ? TokenKind::NamePlaceholder : TokenKind::ValuePlaceholder, length};
  }
  if (first == '<' && second == '>') return {TokenKind::NotEqual, 2};
  if (first == '<' && second == '=') return {TokenKind::LessOrEqual, 2};
  if (first == '>' && second == '=') return {TokenKind::GreaterOrEqual, 2};
  const TokenKind kind = symbol_kind(first);
  if (kind != TokenKind::Unknown) return {kind, 1};
  return {TokenKind::Unknown, 1 + run_length(rest.substr(1), continues_character)};
}

}  // namespace

std::vector<Token> tokenize(std::string_view expression) {
  std::vector<Token> tokens;
  std::size_t at = 0;
  while (at < expression.size()) {
    if (is_space(expression[at])) {
      ++at;
      continue;
    }
    const Read read = read_token(expression.substr(at));
    tokens.push_back(
        {read.kind, static_cast<std::uint32_t>(at), static_cast<std::uint32_t>(read.length)});
    at += read.length;
  }
  tokens.push_back({TokenKind::End, static_cast<std::uint32_t>(expression.size()), 0});
  return tokens;
}

}  // namespace partita
