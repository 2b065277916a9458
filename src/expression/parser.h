// Parser: expression text → tree.
//
// Everything that the text alone decides is checked here, in DynamoDB's order: length, syntax and
// redundant parentheses where they are met, the number of operators, then reserved words, list
// indexes and misused functions by their place in the text, then repeated update sections. Errors
// are DynamoDB's messages without the "Invalid ConditionExpression: " that the binder puts first.
//
// Nesting is kept on a heap-allocated stack, so no text can overflow the thread's.
#pragma once

#include <cstddef>
#include <string_view>

#include "partita/result.h"

#include "expression/ast.h"

namespace partita {

inline constexpr std::size_t kExpressionBytesMax = 4096;
inline constexpr unsigned kOperatorsMax = 300;

Result<Tree> parse_expression(ExpressionKind kind, std::string_view text);

}  // namespace partita
