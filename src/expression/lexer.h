// Lexer: expression text → tokens. It never fails; what it cannot read becomes an Unknown token,
// which no rule of the grammar takes.
#pragma once

#include <string_view>
#include <vector>

#include "expression/token.h"

namespace partita {

// The last token is End.
std::vector<Token> tokenize(std::string_view expression);

// What may follow the sigil of a placeholder and the first letter of an identifier.
inline bool is_word_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

}  // namespace partita
