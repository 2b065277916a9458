#include "expression/parse_state.h"

#include <charconv>

#include "expression/reserved_words.h"

namespace partita {
namespace {

constexpr std::uint32_t kListIndexMax = INT32_MAX;

TextRange range_of(const Token& token) { return {token.start, token.length}; }

}  // namespace

void ParseState::note_problem(std::uint32_t position, std::string_view what,
                              std::string_view which) {
  if (position >= problem_position) return;
  problem_position = position;
  problem = std::string(what) + std::string(which);
}

Result<void> ParseState::read_name_step() {
  const Token token = tokens.current();
  if (token.kind != TokenKind::Identifier && token.kind != TokenKind::NamePlaceholder) {
    return tokens.syntax_error();
  }
  tokens.take();
  if (token.kind == TokenKind::NamePlaceholder) {
    builder.add_step({Step::Kind::Placeholder, range_of(token), 0});
    return {};
  }
  if (is_reserved_word(tokens.text(token))) {
    note_problem(token.start,
                 "Attribute name is a reserved keyword; reserved keyword: ", tokens.text(token));
  }
  builder.add_step({Step::Kind::Name, range_of(token), 0});
  return {};
}

Result<void> ParseState::read_index_step() {
  PARTITA_TRY(const Token token, tokens.expect(TokenKind::Index));
  PARTITA_CHECK(tokens.expect(TokenKind::RightBracket));
  const std::string_view digits = tokens.text(token);
  std::uint32_t index = 0;
  const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), index);
  if (read.ec != std::errc() || index > kListIndexMax) {
    note_problem(token.start, "List index is not within the allowable range; index: ",
                 "[" + std::string(digits) + "]");
  }
  builder.add_step({Step::Kind::Index, {}, index});
  return {};
}

Result<NodeIndex> ParseState::read_path() {
  builder.begin_path();
  PARTITA_CHECK(read_name_step());
  for (;;) {
    if (tokens.take_if(TokenKind::Dot)) {
      PARTITA_CHECK(read_name_step());
    } else if (tokens.take_if(TokenKind::LeftBracket)) {
      PARTITA_CHECK(read_index_step());
    } else {
      return builder.end_path();
    }
  }
}

Result<NodeIndex> ParseState::read_value() {
  PARTITA_TRY(const Token token, tokens.expect(TokenKind::ValuePlaceholder));
  return builder.add_value(range_of(token));
}

}  // namespace partita
