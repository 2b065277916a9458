// Tokens of the expression language (docs/expressions.md).
#pragma once

#include <cstdint>
#include <string_view>

namespace partita {

enum class TokenKind : std::uint8_t {
  Identifier,
  NamePlaceholder,   // #n
  ValuePlaceholder,  // :v
  Index,             // 0, 17
  Equal,
  NotEqual,
  Less,
  LessOrEqual,
  Greater,
  GreaterOrEqual,
  Plus,
  Minus,
  LeftParenthesis,
  RightParenthesis,
  LeftBracket,
  RightBracket,
  Dot,
  Comma,
  And,
  Or,
  Not,
  Between,
  In,
  Set,
  Remove,
  Add,
  Delete,
  Unknown,  // a character that starts no token
  End,
};

struct Token {
  TokenKind kind;
  std::uint32_t start;
  std::uint32_t length;

  std::uint32_t end() const { return start + length; }
  std::string_view text(std::string_view expression) const {
    return kind == TokenKind::End ? "<EOF>" : expression.substr(start, length);
  }
};

}  // namespace partita
