#include "expression/nested_parser.h"

#include <optional>
#include <span>
#include <string_view>

namespace partita {
namespace {

std::optional<NodeKind> function_named(std::string_view name) {
  for (auto kind = NodeKind::AttributeExists; kind <= NodeKind::ListAppend;
       kind = static_cast<NodeKind>(static_cast<int>(kind) + 1)) {
    if (operator_name(kind) == name) return kind;
  }
  return std::nullopt;
}

bool is_update_function(NodeKind kind) {
  return kind == NodeKind::IfNotExists || kind == NodeKind::ListAppend;
}

std::optional<NodeKind> comparator(TokenKind token) {
  switch (token) {
    case TokenKind::Equal:
      return NodeKind::Equal;
    case TokenKind::NotEqual:
      return NodeKind::NotEqual;
    case TokenKind::Less:
      return NodeKind::Less;
    case TokenKind::LessOrEqual:
      return NodeKind::LessOrEqual;
    case TokenKind::Greater:
      return NodeKind::Greater;
    case TokenKind::GreaterOrEqual:
      return NodeKind::GreaterOrEqual;
    default:
      return std::nullopt;
  }
}

std::optional<NodeKind> arithmetic(TokenKind token) {
  if (token == TokenKind::Plus) return NodeKind::Plus;
  if (token == TokenKind::Minus) return NodeKind::Minus;
  return std::nullopt;
}

}  // namespace

Result<NodeIndex> NestedParser::parse() {
  for (;;) {
    PARTITA_CHECK(read_operand());
    Next next = Next::LookAgain;
    while (next == Next::LookAgain) {
      PARTITA_TRY(next, go_on());
    }
    if (next == Next::Done) return thing_.node;
  }
}

// Reads what opens constructs, up to and with the first path or value.
Result<void> NestedParser::read_operand() {
  TokenCursor& tokens = state_.tokens;
  for (;;) {
    switch (tokens.current().kind) {
      case TokenKind::LeftParenthesis:
        tokens.take();
        push(Open::Group, NodeKind::Path);
        continue;
      case TokenKind::Not:
        if (goal_ != Goal::Condition || wants_operand()) return tokens.syntax_error();
        tokens.take();
        ++state_.operators;
        push(Open::Not, NodeKind::Not);
        continue;
      case TokenKind::Identifier:
        if (tokens.next_is(TokenKind::LeftParenthesis)) {
          open_call();
          continue;
        }
        break;
      default:
        break;
    }
    const bool is_value = tokens.at(TokenKind::ValuePlaceholder);
    PARTITA_TRY(const NodeIndex node, is_value ? state_.read_value() : state_.read_path());
    thing_ = {node, Form::Operand, false, NodeKind::Path, 0};
    return {};
  }
}

void NestedParser::open_call() {
  const Token name_token = state_.tokens.take();
  state_.tokens.take();  // '('
  const std::string_view name = state_.tokens.text(name_token);
  const std::optional<NodeKind> function = function_named(name);
  const bool in_update = goal_ == Goal::SetValue;
  if (!function) {
    state_.note_problem(name_token.start, "Invalid function name; function: ", name);
  } else if (is_update_function(*function) != in_update) {
    state_.note_problem(name_token.start,
                        in_update
                            ? "The function is not allowed in an update expression; function: "
                            : "The function is not allowed in a condition expression; function: ",
                        name);
  }
  push(Open::Call, function.value_or(NodeKind::Size), name_token.start);
}

// ---- After an operand, a function or a condition: what the next token makes of it.

Result<NestedParser::Next> NestedParser::go_on() {
  if (wants_operand()) return end_operand();
  if (thing_.form != Form::Complete) return go_on_after_operand();
  return go_on_after_condition();
}

Result<NestedParser::Next> NestedParser::go_on_after_operand() {
  if (open_infix()) {
    if (frames_.back().open == Open::In) {
      PARTITA_CHECK(state_.tokens.expect(TokenKind::LeftParenthesis));
    }
    return Next::ReadOperand;
  }
  const bool in_group = !frames_.empty() && frames_.back().open == Open::Group;
  if (in_group && state_.tokens.at(TokenKind::RightParenthesis)) return close_group();
  if (goal_ == Goal::SetValue) {
    if (!frames_.empty()) return state_.tokens.syntax_error();
    return Next::Done;
  }
  if (thing_.form == Form::Operand) return state_.tokens.syntax_error();
  stand_as_condition();
  return go_on_after_condition();
}

Result<NestedParser::Next> NestedParser::go_on_after_condition() {
  TokenCursor& tokens = state_.tokens;
  const Open open = frames_.empty() ? Open::Group : frames_.back().open;
  const bool logical = goal_ == Goal::Condition;
  if (open == Open::Not || open == Open::And) {  // bind tighter than anything that can follow
    keep_as_operand();
    reduce(Form::Complete);
    return Next::LookAgain;
  }
  if (logical && tokens.at(TokenKind::And)) {
    tokens.take();
    push(Open::And, NodeKind::And);
    keep_as_operand();
    ++state_.operators;
    return Next::ReadOperand;
  }
  if (open == Open::Or) {
    keep_as_operand();
    reduce(Form::Complete);
    return Next::LookAgain;
  }
  if (logical && tokens.at(TokenKind::Or)) {
    tokens.take();
    push(Open::Or, NodeKind::Or);
    keep_as_operand();
    ++state_.operators;
    return Next::ReadOperand;
  }
  if (!frames_.empty()) {
    if (!tokens.at(TokenKind::RightParenthesis)) return tokens.syntax_error();
    return close_group();
  }
  if (logical && !tokens.at(TokenKind::End)) return tokens.syntax_error();
  return Next::Done;
}

// The innermost frame holds operands: this was one of them.
Result<NestedParser::Next> NestedParser::end_operand() {
  TokenCursor& tokens = state_.tokens;
  switch (frames_.back().open) {
    case Open::Group:
      if (!tokens.at(TokenKind::RightParenthesis)) return tokens.syntax_error();
      return close_group();
    case Open::BetweenLower:
      PARTITA_CHECK(tokens.expect(TokenKind::And));
      keep_as_operand();
      frames_.back().open = Open::BetweenUpper;
      return Next::ReadOperand;
    case Open::Call:
    case Open::In:
      return end_listed_operand();
    default:  // the last operand of an operator
      keep_as_operand();
      reduce(Form::Complete);
      return Next::LookAgain;
  }
}

Result<NestedParser::Next> NestedParser::end_listed_operand() {
  TokenCursor& tokens = state_.tokens;
  const bool goes_on = tokens.at(TokenKind::Comma);
  if (!goes_on && !tokens.at(TokenKind::RightParenthesis)) return tokens.syntax_error();
  tokens.take();
  keep_as_operand();
  if (goes_on) return Next::ReadOperand;
  reduce(frames_.back().open == Open::Call ? Form::Function : Form::Complete);
  return Next::LookAgain;
}

Result<NestedParser::Next> NestedParser::close_group() {
  state_.tokens.take();
  frames_.pop_back();
  if (thing_.parenthesised) return Error::validation("The expression has redundant parentheses;");
  thing_.parenthesised = true;
  return Next::LookAgain;
}

// Is the next token an operator between operands? Then what was read is its first one.
bool NestedParser::open_infix() {
  const TokenKind token = state_.tokens.current().kind;
  if (goal_ == Goal::SetValue) {
    const std::optional<NodeKind> kind = arithmetic(token);
    if (!kind) return false;
    push(Open::Infix, *kind);
  } else if (const std::optional<NodeKind> kind = comparator(token)) {
    push(Open::Infix, *kind);
  } else if (token == TokenKind::Between) {
    push(Open::BetweenLower, NodeKind::Between);
  } else if (token == TokenKind::In) {
    push(Open::In, NodeKind::In);
  } else {
    return false;
  }
  state_.tokens.take();
  ++state_.operators;
  keep_as_operand();
  return true;
}

// ---- Frames

void NestedParser::push(Open open, NodeKind kind, std::uint32_t position) {
  const bool logical = open == Open::Not || open == Open::And || open == Open::Or;
  const bool holds_operand = open == Open::Group ? wants_operand() : !logical;
  frames_.push_back(
      {open, holds_operand, kind, static_cast<std::uint32_t>(operands_.size()), position});
}

// Makes what was read an operand of the innermost frame. There a function must be one that yields a
// value, if the frame wants values.
void NestedParser::keep_as_operand() {
  if (thing_.form == Form::Function && frames_.back().holds_operand) {
    const bool allowed = goal_ == Goal::Condition ? thing_.function == NodeKind::Size
                                                  : thing_.function != NodeKind::ListAppend ||
                                                        frames_.back().open != Open::Call;
    if (!allowed) note_misuse();
  }
  operands_.push_back(thing_.node);
}

void NestedParser::stand_as_condition() {
  if (thing_.function == NodeKind::Size) note_misuse();
  state_.builder.stand_as_condition(thing_.node);
  thing_.form = Form::Complete;
}

void NestedParser::note_misuse() {
  state_.note_problem(
      thing_.position,
      "The function is not allowed to be used this way in an expression; function: ",
      operator_name(thing_.function));
}

// The innermost frame and its operands become a node.
void NestedParser::reduce(Form form) {
  const Frame frame = frames_.back();
  frames_.pop_back();
  const bool is_comparison = frame.kind >= NodeKind::Equal && frame.kind <= NodeKind::In;
  const auto own = std::span<const NodeIndex>(operands_).subspan(frame.first_operand);
  const NodeIndex node = state_.builder.add_operator(frame.kind, own, is_comparison);
  operands_.resize(frame.first_operand);
  thing_ = {node, form, false, frame.kind, frame.position};
}

}  // namespace partita
