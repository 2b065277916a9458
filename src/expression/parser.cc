#include "expression/parser.h"

#include <array>
#include <optional>
#include <string>

#include "expression/nested_parser.h"

namespace partita {
namespace {

using Action = UpdateAction::Kind;

std::optional<Action> section_of(TokenKind token) {
  switch (token) {
    case TokenKind::Set:
      return Action::Set;
    case TokenKind::Remove:
      return Action::Remove;
    case TokenKind::Add:
      return Action::Add;
    case TokenKind::Delete:
      return Action::Delete;
    default:
      return std::nullopt;
  }
}

// set action := path '=' set value;  remove action := path;  add, delete action := path ':v'
Result<void> read_action(ParseState& state, Action kind) {
  PARTITA_TRY(const NodeIndex path, state.read_path());
  NodeIndex value = 0;
  if (kind == Action::Set) {
    PARTITA_CHECK(state.tokens.expect(TokenKind::Equal));
    PARTITA_TRY(value, NestedParser(state, NestedParser::Goal::SetValue).parse());
  } else if (kind != Action::Remove) {
    PARTITA_TRY(value, state.read_value());
  }
  state.builder.add_action({kind, path, value});
  return {};
}

// update := ((SET | REMOVE | ADD | DELETE) action (',' action)*)+
Result<void> read_update(ParseState& state, std::string& repeated_section) {
  constexpr std::array<std::string_view, 4> names = {"SET", "REMOVE", "ADD", "DELETE"};
  std::array<bool, 4> seen{};
  do {
    const std::optional<Action> section = section_of(state.tokens.current().kind);
    if (!section) return state.tokens.syntax_error();
    state.tokens.take();
    do {
      PARTITA_CHECK(read_action(state, *section));
    } while (state.tokens.take_if(TokenKind::Comma));
    const auto number = static_cast<std::size_t>(*section);
    if (seen[number] && repeated_section.empty()) {
      repeated_section = "The \"" + std::string(names[number]) +
                         "\" section can only be used once in an update expression;";
    }
    seen[number] = true;
  } while (!state.tokens.at(TokenKind::End));
  return {};
}

// projection := path (',' path)*
Result<void> read_projection(ParseState& state) {
  do {
    PARTITA_CHECK(state.read_path());
  } while (state.tokens.take_if(TokenKind::Comma));
  PARTITA_CHECK(state.tokens.expect(TokenKind::End));
  return {};
}

}  // namespace

Result<Tree> parse_expression(ExpressionKind kind, std::string_view text) {
  if (text.empty()) return Error::validation("The expression can not be empty;");
  if (text.size() > kExpressionBytesMax) {
    return Error::validation(
        "Expression size has exceeded the maximum allowed size; expression size: " +
        std::to_string(text.size()));
  }
  ParseState state(kind, text);
  std::string repeated_section;
  switch (kind) {
    case ExpressionKind::Condition:
      PARTITA_CHECK(NestedParser(state, NestedParser::Goal::Condition).parse());
      break;
    case ExpressionKind::Projection:
      PARTITA_CHECK(read_projection(state));
      break;
    case ExpressionKind::Update:
      PARTITA_CHECK(read_update(state, repeated_section));
      break;
  }
  if (state.operators > kOperatorsMax) {  // the first too many ends the count
    return Error::validation("The expression contains too many operators; operator count: " +
                             std::to_string(kOperatorsMax + 1));
  }
  if (!state.problem.empty()) return Error::validation(std::move(state.problem));
  if (!repeated_section.empty()) return Error::validation(std::move(repeated_section));
  return state.builder.take();
}

}  // namespace partita
