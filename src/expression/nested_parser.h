// NestedParser: the parts of the grammar that nest, conditions and the values of SET.
//
//   condition := operand comparator operand | operand BETWEEN operand AND operand
//              | operand IN '(' operand (',' operand)* ')' | function
//              | '(' condition ')' | NOT condition | condition AND condition | condition OR
//              condition
//   set value := operand | arithmetic
//   arithmetic := operand ('+' | '-') operand | '(' arithmetic ')'
//   operand   := path | ':v' | function | '(' operand ')'
//   function  := identifier '(' operand (',' operand)* ')'
//
// What a '(' opens is only known when something follows what it holds, so both readings are kept
// open until then. Open constructs are frames on a vector: depth costs memory, never stack.
#pragma once

#include <cstdint>
#include <vector>

#include "partita/result.h"

#include "expression/parse_state.h"

namespace partita {

class NestedParser {
 public:
  enum class Goal : std::uint8_t { Condition, SetValue };
  NestedParser(ParseState& state, Goal goal) : state_(state), goal_(goal) {}

  // A condition reaches to the end of the text; the value of a SET to what does not belong to it.
  Result<NodeIndex> parse();

 private:
  enum class Open : std::uint8_t {
    Group,
    Call,
    In,
    Infix,
    BetweenLower,
    BetweenUpper,
    Not,
    And,
    Or
  };
  struct Frame {
    Open open;
    bool holds_operand;  // nothing but an operand can stand directly in it
    NodeKind kind;
    std::uint32_t first_operand;  // in operands_
    std::uint32_t position;       // of a function's name
  };

  // What has been read last. A function is an operand and a condition until something decides.
  enum class Form : std::uint8_t { Operand, Function, Complete };
  struct Thing {
    NodeIndex node;
    Form form;
    bool parenthesised;
    NodeKind function;
    std::uint32_t position;
  };

  enum class Next : std::uint8_t { ReadOperand, LookAgain, Done };

  bool wants_operand() const { return !frames_.empty() && frames_.back().holds_operand; }
  Result<void> read_operand();
  void open_call();

  Result<Next> go_on();
  Result<Next> go_on_after_operand();
  Result<Next> go_on_after_condition();
  Result<Next> end_operand();
  Result<Next> end_listed_operand();
  Result<Next> close_group();
  bool open_infix();

  void push(Open open, NodeKind kind, std::uint32_t position = 0);
  void keep_as_operand();
  void stand_as_condition();
  void reduce(Form form);
  void note_misuse();

  ParseState& state_;
  Goal goal_;
  Thing thing_{};
  std::vector<Frame> frames_;
  std::vector<NodeIndex> operands_;  // of the open frames
};

}  // namespace partita
