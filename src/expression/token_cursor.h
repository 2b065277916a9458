// TokenCursor: the parser's place in the tokens of an expression, and what it says when it is
// stuck.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "partita/result.h"

#include "expression/lexer.h"

namespace partita {

class TokenCursor {
 public:
  explicit TokenCursor(std::string_view expression)
      : expression_(expression), tokens_(tokenize(expression)) {}

  const Token& current() const { return tokens_[at_]; }
  bool at(TokenKind kind) const { return current().kind == kind; }
  bool next_is(TokenKind kind) const {
    return at_ + 1 < tokens_.size() && tokens_[at_ + 1].kind == kind;
  }
  std::string_view text(const Token& token) const { return token.text(expression_); }

  Token take() {
    const Token token = current();
    if (token.kind != TokenKind::End) ++at_;
    return token;
  }
  bool take_if(TokenKind kind) {
    if (!at(kind)) return false;
    take();
    return true;
  }
  Result<Token> expect(TokenKind kind) {
    if (!at(kind)) return syntax_error();
    return take();
  }

  // Names the current token and shows the text from the token before it to the token after it.
  Error syntax_error() const {
    const std::size_t from = at_ == 0 ? 0 : tokens_[at_ - 1].start;
    const std::size_t to = at_ + 1 < tokens_.size() ? tokens_[at_ + 1].end() : current().end();
    return Error::validation("Syntax error; token: \"" + std::string(text(current())) +
                             "\", near: \"" + std::string(expression_.substr(from, to - from)) +
                             "\"");
  }

 private:
  std::string_view expression_;
  std::vector<Token> tokens_;
  std::size_t at_ = 0;
};

}  // namespace partita
