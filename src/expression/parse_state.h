// ParseState: what the rules of the grammar share while one expression is read.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "partita/result.h"

#include "expression/ast.h"
#include "expression/token_cursor.h"

namespace partita {

struct ParseState {
  ParseState(ExpressionKind kind, std::string_view text) : tokens(text), builder(kind, text) {}

  // path := id ('.' id | '[' index ']')*
  Result<NodeIndex> read_path();
  // ':v'
  Result<NodeIndex> read_value();

  // Something wrong that is no matter of syntax. Of all there are, DynamoDB reports the one that
  // stands first in the text, and only if the syntax is right to the end.
  void note_problem(std::uint32_t position, std::string_view what, std::string_view which);

  TokenCursor tokens;
  TreeBuilder builder;
  unsigned operators = 0;
  std::string problem;
  std::uint32_t problem_position = UINT32_MAX;

 private:
  Result<void> read_name_step();
  Result<void> read_index_step();
};

}  // namespace partita
