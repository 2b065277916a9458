#include "expression/parser.h"

#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace partita {
namespace {

constexpr auto kCondition = ExpressionKind::Condition;
constexpr auto kProjection = ExpressionKind::Projection;
constexpr auto kUpdate = ExpressionKind::Update;

std::string error(ExpressionKind kind, std::string_view text) {
  const auto tree = parse_expression(kind, text);
  return tree ? "no error" : tree.error().message();
}

std::string repeat(std::string_view text, int times) {
  std::string repeated;
  for (int i = 0; i < times; ++i) repeated.append(text);
  return repeated;
}

// The tree as text with every operator before its operands: (AND (= a :v) …).
std::string shape(const Tree& tree, NodeIndex index) {
  const Node& node = tree.nodes[index];
  std::string text;
  if (node.kind == NodeKind::Value) return std::string(tree.text_of(tree.values[node.first]));
  if (node.kind == NodeKind::Path) {
    for (std::uint32_t i = node.first; i < node.first + node.count; ++i) {
      const Step& step = tree.steps[i];
      if (step.kind == Step::Kind::Index) {
        text += "[" + std::to_string(step.index) + "]";
      } else {
        if (!text.empty()) text += ".";
        text += tree.text_of(step.text);
      }
    }
    return text;
  }
  text = "(" + std::string(operator_name(node.kind));
  for (NodeIndex operand : tree.operands_of(node)) text += " " + shape(tree, operand);
  return text + ")";
}

std::string shape(std::string_view text) {
  const auto tree = parse_expression(kCondition, text);
  return tree ? shape(*tree, tree->root()) : tree.error().message();
}

TEST(Parser, and_binds_tighter_than_or_and_not_tightest) {
  EXPECT_EQ(shape("a=b OR c=d AND NOT e=f"), "(OR (= a b) (AND (= c d) (NOT (= e f))))");
  EXPECT_EQ(shape("NOT a=b AND c=d"), "(AND (NOT (= a b)) (= c d))");
  EXPECT_EQ(shape("a=b AND c=d OR e=f"), "(OR (AND (= a b) (= c d)) (= e f))");
  EXPECT_EQ(shape("a=b AND (c=d OR e=f)"), "(AND (= a b) (OR (= c d) (= e f)))");
  EXPECT_EQ(shape("NOT NOT a=b"), "(NOT (NOT (= a b)))");
  EXPECT_EQ(shape("NOT (a=b OR c=d)"), "(NOT (OR (= a b) (= c d)))");
}

TEST(Parser, parentheses_hold_operands_as_well_as_conditions) {
  EXPECT_EQ(shape("(a) = (:b)"), "(= a :b)");
  EXPECT_EQ(shape("((a) = b)"), "(= a b)");
  EXPECT_EQ(shape("( ( size ( #n )) < #m.Maximum ) AND ( #t > :v )"),
            "(AND (< (size #n) #m.Maximum) (> #t :v))");
  EXPECT_EQ(shape("(contains(a, :b)) AND (c IN (:d, (e)))"), "(AND (contains a :b) (IN c :d e))");
  EXPECT_EQ(shape("(a)between(b.c[4].#d)and((:e))"), "The expression has redundant parentheses;");
  EXPECT_EQ(shape("(a)between(b.c[4].#d)and(:e)"), "(BETWEEN a b.c[4].#d :e)");
}

TEST(Parser, between_takes_the_first_and) {
  EXPECT_EQ(shape("a BETWEEN :b AND :c AND d = :e"), "(AND (BETWEEN a :b :c) (= d :e))");
}

TEST(Parser, syntax_errors_name_the_token_and_its_neighbours) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"INVALID SYNTAX HERE", "token: \"INVALID\", near: \"INVALID SYNTAX\""},
      {"ADD hits : incr", "token: \":\", near: \"hits : incr\""},
      {"set {0} = :v", "token: \"{\", near: \"set {0\""},
      {"SET _123 = :val1", "token: \"_\", near: \"SET _123\""},
      {"SET path = VALUE 1", "token: \"1\", near: \"VALUE 1\""},
      {"SET #as, #LambdaPowertoolsContext = :a",
       "token: \",\", near: \"#as, #LambdaPowertoolsContext\""},
      {"SET a = :b, #, c = :d", "token: \"#\", near: \", #,\""},
      {"SET", "token: \"<EOF>\", near: \"SET\""},
      {"SET a = ", "token: \"<EOF>\", near: \"= \""},
  };
  for (const auto& [text, where] : cases) {
    EXPECT_EQ(error(kUpdate, text), "Syntax error; " + where) << text;
  }
  EXPECT_EQ(error(kProjection, "!!! INVALID !!!"), "Syntax error; token: \"!\", near: \"!!\"");
  EXPECT_EQ(error(kCondition, "foo"), "Syntax error; token: \"<EOF>\", near: \"foo\"");
  EXPECT_EQ(error(kCondition, "tenantAgent:abc123-x = :v"),
            "Syntax error; token: \":abc123\", near: \"tenantAgent:abc123-\"");
  EXPECT_EQ(error(kCondition, "a = b = c"), "Syntax error; token: \"=\", near: \"b = c\"");
}

TEST(Parser, refuses_conditions_that_are_none) {
  for (std::string_view text : {"things are not gonna be ok",
                                "a > 4",
                                "attribute_exists(Pictures-RearView)",
                                "attribute_exists(\"Pictures.RearView\")",
                                "attribute_exists(Pictures..RearView)",
                                "attribute_exists(Pi#ctures.RearView)",
                                "attribute_exists(asdf[a])",
                                "a in b, c",
                                "a > between",
                                "a in b",
                                "a in (b,c,)",
                                "a in ()",
                                "(a)between(b.(c.d))and(c)",
                                "(a)between(b.c.d)and((c)",
                                "#$.b > a",
                                "a > :things.stuff",
                                "b[:a] > a",
                                "b[#_] > a",
                                "\xC3\xBC > a",
                                "(a)between(b.c[4.5].#d)and(:a)",
                                "size(a).b > a",
                                "(size(a)).b > a",
                                "size(a)[0] > a",
                                "(size(a))[0] > a",
                                "a",
                                "(a)",
                                ":a",
                                "f()",
                                "a = b AND",
                                "NOT",
                                "a = NOT b",
                                "a = (b = c)",
                                "(a AND b) = c",
                                "a = b c = d",
                                "a[01] = b",
                                ")",
                                "a = b)",
                                "a + b = c",
                                " "}) {
    EXPECT_TRUE(error(kCondition, text).starts_with("Syntax error; ")) << text;
  }
}

TEST(Parser, refuses_updates_that_are_none) {
  for (std::string_view text : {"whatever",
                                "set a",
                                "add a",
                                "delete a",
                                "set a=set",
                                "remove a = b",
                                "add a = b",
                                "delete a = b",
                                "delete a b",
                                "delete a if_not_exist(b)",
                                "add abort b",
                                "add a if_not_exist(b)",
                                "remove a b",
                                "set a b",
                                "set :a = b",
                                "add :a b",
                                "delete :a b",
                                "remove :a",
                                "set a = b / c",
                                "set a = b * c",
                                "set a[1] = \"eight\"",
                                "set a[1] = 1",
                                "SET a = if_not_exist(a, 100)",
                                "SET if_not_exist(a, b) = a",
                                "set (a = (b + c))",
                                "set a = (b.c).d + e",
                                "set a = (b.c)[0] + e",
                                "set a = b + c + d",
                                "set a = b + (c + d)",
                                "set a = if_not_exists(a, b + c)",
                                "set a = b,",
                                "set a = b, remove c",
                                "set a = not b"}) {
    EXPECT_TRUE(error(kUpdate, text).starts_with("Syntax error; ")) << text;
  }
  for (std::string_view text :
       {"set a[1] = b", "set a.b = b", "SET a = if_not_exists(a, b) + b",
        "SET a = if_not_exists(a, if_not_exists(a, b))", "set a = (b + c)", "set a = ((b.c.d)+(e))",
        "  set   b=:v1  ", "sEt a = :a reMOVE b ADD c :c delete d :d"}) {
    EXPECT_EQ(error(kUpdate, text), "no error") << text;
  }
}

TEST(Parser, refuses_projections_that_are_none) {
  for (std::string_view text :
       {"a,", ",a", "a,,b", "a b", "a.", "a[", "a[b]", ":a", "(a)", "a=b"}) {
    EXPECT_TRUE(error(kProjection, text).starts_with("Syntax error; ")) << text;
  }
}

TEST(Parser, redundant_parentheses_are_met_before_later_errors) {
  for (std::string_view text :
       {"a=a and a > ((views))", "(a)between(((b.c)).d)and(c)", "a > whatever((:things), ((a)))",
        "a=a AND ((a=a AND a=a)) AND a=a", "a=a OR ((a=a OR a=a)) OR a=a", "((a=b))", "((size(a)))",
        "a=a AND ((a=a AND (a=a AND a=a)))", "a=a OR ((a=a OR (a=a OR a=a)))", "((a)) = b !"}) {
    EXPECT_EQ(error(kCondition, text), "The expression has redundant parentheses;") << text;
  }
  EXPECT_EQ(error(kUpdate, "set a = ((b + c))"), "The expression has redundant parentheses;");
  EXPECT_EQ(error(kCondition, "((a=b) OR (c=d))"), "no error");
}

TEST(Parser, the_problem_that_stands_first_is_reported) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"a=b and whatever((:things)) > a", "Invalid function name; function: whatever"},
      {"attRIbute_exIsts((views), #a)", "Invalid function name; function: attRIbute_exIsts"},
      {"a=b and attribute_exists((views), (#a)) > b", "attribute_exists"},
      {"begins_with(things, a) > b", "begins_with"},
      {"size(contains(a, b)) > a", "contains"},
      {"size(things)", "size"},
      {"NOT size(things)", "size"},
      {"(size(things)) AND a = b", "size"},
      {"a between b and attribute_exists(things)", "attribute_exists"},
      {"a in (b, attribute_exists(things))", "attribute_exists"},
      {"attribute_exists(views, #a)",
       "Attribute name is a reserved keyword; reserved keyword: views"},
      {":a < abOrT", "Attribute name is a reserved keyword; reserved keyword: abOrT"},
      {"a.b.Status = :a", "Attribute name is a reserved keyword; reserved keyword: Status"},
      {"if_not_exists(a, b) = :a",
       "The function is not allowed in a condition expression; function: if_not_exists"},
      {"a[2147483648] = :a", "List index is not within the allowable range; index: [2147483648]"},
      {"a[99999999999999999999] = :a",
       "List index is not within the allowable range; index: [99999999999999999999]"},
  };
  for (const auto& [text, message] : cases) {
    const bool whole = message.find(' ') != std::string::npos;
    EXPECT_EQ(error(kCondition, text),
              (whole ? ""
                     : "The function is not allowed to be used this way in an expression; "
                       "function: ") +
                  message)
        << text;
  }
  EXPECT_EQ(error(kCondition, "a[2147483647] = :a"), "no error");
}

TEST(Parser, syntax_is_checked_to_the_end_before_anything_else) {
  EXPECT_TRUE(error(kCondition, "status = :a AND unknown(b) AND").starts_with("Syntax error"));
}

TEST(Parser, update_sections_come_once) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"set a = #c set c = :d", "SET"},
      {"remove #d set a = b remove e", "REMOVE"},
      {"add #d :e set a = b add e :f", "ADD"},
      {"delete #d :e set a = b delete #e :f", "DELETE"},
  };
  for (const auto& [text, section] : cases) {
    EXPECT_EQ(error(kUpdate, text),
              "The \"" + section + "\" section can only be used once in an update expression;");
  }
  EXPECT_EQ(error(kUpdate, " set #c = :c set abOrt = :d "),
            "Attribute name is a reserved keyword; reserved keyword: abOrt");
  EXPECT_EQ(error(kUpdate, "set #c = if_not_exist(:c) set c = d"),
            "Invalid function name; function: if_not_exist");
}

TEST(Parser, update_functions_have_their_places) {
  EXPECT_EQ(error(kUpdate, "SET a = size(b)"),
            "The function is not allowed in an update expression; function: size");
  EXPECT_EQ(error(kUpdate, "SET a = LIST_APPEND(a, :b)"),
            "Invalid function name; function: LIST_APPEND");
  EXPECT_EQ(error(kUpdate, "SET a = list_append(list_append(:a, :b), :c)"),
            "The function is not allowed to be used this way in an expression; function: "
            "list_append");
  EXPECT_EQ(error(kUpdate, "SET a = list_append(if_not_exists(a, :b), :c)"), "no error");
}

TEST(Parser, limits_the_text_to_4096_bytes) {
  const std::string name(kExpressionBytesMax - 5, 'a');
  EXPECT_EQ(error(kCondition, name + " = :v"), "no error");
  EXPECT_EQ(error(kCondition, name + "a = :v"),
            "Expression size has exceeded the maximum allowed size; expression size: 4097");
  EXPECT_EQ(error(kCondition, std::string(5000, '!')),
            "Expression size has exceeded the maximum allowed size; expression size: 5000");
  EXPECT_EQ(error(kUpdate, ""), "The expression can not be empty;");
}

TEST(Parser, limits_operators_to_300) {
  EXPECT_EQ(error(kCondition, repeat("NOT ", 299) + "a=b"), "no error");
  EXPECT_EQ(error(kCondition, repeat("NOT ", 300) + "a=b"),
            "The expression contains too many operators; operator count: 301");
  EXPECT_EQ(error(kCondition, repeat("a=b OR ", 150) + "contains(a,b)"), "no error");
  EXPECT_EQ(error(kCondition, repeat("a=b OR ", 150) + "a=b"),
            "The expression contains too many operators; operator count: 301");
}

TEST(Parser, deep_nesting_is_an_ordinary_error) {
  EXPECT_EQ(error(kCondition, std::string(4096, '(')),
            "Syntax error; token: \"<EOF>\", near: \"(\"");
  EXPECT_EQ(error(kCondition, repeat("size(", 819)), "Syntax error; token: \"<EOF>\", near: \"(\"");
  EXPECT_EQ(error(kUpdate, "SET a = " + std::string(4000, '(')),
            "Syntax error; token: \"<EOF>\", near: \"(\"");
  EXPECT_EQ(error(kCondition, std::string(2000, '(') + "a=b" + std::string(2000, ')')),
            "The expression has redundant parentheses;");
  EXPECT_EQ(error(kCondition, repeat("NOT(", 500) + "a=b" + std::string(500, ')')),
            "The expression contains too many operators; operator count: 301");
  EXPECT_EQ(error(kCondition, repeat("size(", 600) + "a" + std::string(600, ')') + " > b"),
            "no error");
}

}  // namespace
}  // namespace partita
