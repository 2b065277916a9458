// The tree of an expression: one compact, immutable form for all kinds.
//
// Nodes stand in one vector, children before their parents and operands in the order of the text,
// and name each other by index. Names and placeholders are ranges of `text`. Nothing in a tree
// belongs to one request, so requests share it; BoundTree (bound_tree.h) adds what theirs are.
//
// Legacy parameters become the same trees through TreeBuilder, without text in between: their names
// are added to the pool, their values are numbered and handed to the bound tree directly.
#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace partita {

enum class ExpressionKind : std::uint8_t { Condition, Projection, Update };

enum class NodeKind : std::uint8_t {
  Path,
  Value,
  // Comparisons
  Equal,
  NotEqual,
  Less,
  LessOrEqual,
  Greater,
  GreaterOrEqual,
  Between,
  In,
  // Logic
  And,
  Or,
  Not,
  // Arithmetic of SET
  Plus,
  Minus,
  // Functions
  AttributeExists,
  AttributeNotExists,
  AttributeType,
  BeginsWith,
  Contains,
  Size,
  IfNotExists,
  ListAppend,
};

inline bool is_function(NodeKind kind) { return kind >= NodeKind::AttributeExists; }

// "=", "BETWEEN", "begins_with": as messages name the operator or function.
std::string_view operator_name(NodeKind kind);

using NodeIndex = std::uint32_t;

struct Node {
  NodeKind kind;
  bool is_condition;    // a comparison, or a function that stands as a condition
  std::uint16_t count;  // of steps (Path) or operands
  std::uint32_t first;  // step (Path), number of the value (Value), or place in Tree::operands
};

struct TextRange {
  std::uint32_t start;
  std::uint32_t length;
};

struct Step {
  enum class Kind : std::uint8_t { Name, Placeholder, Index };
  Kind kind;
  TextRange text;  // of the name or placeholder
  std::uint32_t index;
};

struct UpdateAction {
  enum class Kind : std::uint8_t { Set, Remove, Add, Delete };
  Kind kind;
  NodeIndex path;
  NodeIndex value;  // not of Remove
};

struct Tree {
  ExpressionKind kind = ExpressionKind::Condition;
  bool is_expression = true;  // false: of legacy parameters, whose errors are worded differently
  std::string text;
  std::vector<Node> nodes;  // a condition's root is the last one
  std::vector<NodeIndex> operands;
  std::vector<Step> steps;            // of the paths, in the order of the nodes
  std::vector<TextRange> values;      // placeholders, in the order of the nodes
  std::vector<UpdateAction> actions;  // in the order of the text

  NodeIndex root() const { return static_cast<NodeIndex>(nodes.size() - 1); }
  // Of an operator or function.
  std::span<const NodeIndex> operands_of(const Node& node) const {
    assert(node.kind > NodeKind::Value);
    return std::span(operands).subspan(node.first, node.count);
  }
  std::string_view text_of(TextRange range) const {
    return std::string_view(text).substr(range.start, range.length);
  }
  std::size_t memory_bytes() const;
};

// Adds nodes to a tree; children come first.
class TreeBuilder {
 public:
  TreeBuilder(ExpressionKind kind, std::string_view text) {
    tree_.kind = kind;
    tree_.text = text;
  }

  // For a tree that no text was parsed into.
  static TreeBuilder of_legacy_parameters(ExpressionKind kind) {
    TreeBuilder builder(kind, {});
    builder.tree_.is_expression = false;
    return builder;
  }
  // A path of one name, which is added to the pool.
  NodeIndex add_attribute(std::string_view name);
  // A value that has a number and no placeholder.
  NodeIndex add_numbered_value() { return add_value({0, 0}); }

  // A path is begun, gets its steps, and is ended.
  void begin_path() { path_start_ = tree_.steps.size(); }
  void add_step(Step step) { tree_.steps.push_back(step); }
  NodeIndex end_path();

  NodeIndex add_value(TextRange placeholder);
  NodeIndex add_operator(NodeKind kind, std::span<const NodeIndex> operands, bool is_condition);
  void stand_as_condition(NodeIndex function) { tree_.nodes[function].is_condition = true; }
  void add_action(UpdateAction action) { tree_.actions.push_back(action); }

  const Tree& tree() const { return tree_; }
  Tree take() { return std::move(tree_); }

 private:
  NodeIndex add(Node node);

  Tree tree_;
  std::size_t path_start_ = 0;
};

}  // namespace partita
