#include "expression/binder.h"

#include <string>

#include "expression/operand_rules.h"

namespace partita {
namespace {

constexpr std::size_t kPathStepsMax = 32;

// "Invalid FilterExpression: " before what is wrong with it.
Error invalid(std::string_view parameter, const Error& error) {
  return Error::validation("Invalid " + std::string(parameter) + ": " + error.message());
}

template <typename T>
Result<T> named(std::string_view parameter, Result<T> result) {
  if (result.has_value()) [[likely]]
    return result;
  return invalid(parameter, result.error());
}

}  // namespace

Binder::Binder(ExpressionCache& cache, const ExpressionAttributes& attributes,
               std::pmr::memory_resource* memory)
    : cache_(cache), placeholders_(attributes, memory), memory_(memory) {}

// The maps of placeholders are looked at before the first expression.
Result<void> Binder::start() {
  if (started_) return {};
  started_ = true;
  return placeholders_.check();
}

Result<BoundTree> Binder::bind(ExpressionKind kind, std::string_view parameter,
                               std::string_view text) {
  PARTITA_CHECK(start());
  PARTITA_TRY(TreePointer tree, named(parameter, cache_.find_or_parse(kind, text)));
  return BoundTree(std::move(tree), memory_);
}

Result<Condition> Binder::condition(std::string_view parameter, std::string_view text) {
  PARTITA_TRY(BoundTree bound, bind(ExpressionKind::Condition, parameter, text));
  PARTITA_CHECK(named(parameter, bind_condition(bound)));
  return Condition(std::move(bound));
}

Result<KeyCondition> Binder::key_condition(std::string_view text) {
  constexpr std::string_view parameter = "KeyConditionExpression";
  PARTITA_TRY(BoundTree bound, bind(ExpressionKind::Condition, parameter, text));
  PARTITA_CHECK(named(parameter, bind_condition(bound)));
  TreePointer tree = bound.tree;
  Result<KeyCondition> condition = KeyCondition::from(std::move(bound), memory_);
  if (condition.has_value()) return condition;
  key_condition_error_ = std::move(condition).error();
  return KeyCondition::without_clauses(std::move(tree), memory_);
}

Result<ProjectionPaths> Binder::projection(std::string_view text) {
  constexpr std::string_view parameter = "ProjectionExpression";
  PARTITA_TRY(BoundTree bound, bind(ExpressionKind::Projection, parameter, text));
  PARTITA_CHECK(named(parameter, bind_names(bound)));
  PARTITA_TRY(PathSet paths, named(parameter, projected_paths(bound, memory_)));
  return ProjectionPaths(std::move(bound), std::move(paths));
}

Result<Update> Binder::update(std::string_view text) {
  constexpr std::string_view parameter = "UpdateExpression";
  PARTITA_TRY(BoundTree bound, bind(ExpressionKind::Update, parameter, text));
  PARTITA_CHECK(named(parameter, bind_names(bound)));
  PARTITA_CHECK(named(parameter, bind_values(bound)));
  PARTITA_TRY(PathSet targets, named(parameter, target_paths(bound, memory_)));
  PARTITA_CHECK(named(parameter, check_update_operands(bound)));
  return Update(std::move(bound), std::move(targets));
}

Result<void> Binder::finish() {
  PARTITA_CHECK(start());
  PARTITA_CHECK(placeholders_.check_all_used());
  if (key_condition_error_) return *std::move(key_condition_error_);
  return {};
}

// Names and values are bound and checked one condition after another, so the first condition with
// any of these errors is the one reported.
Result<void> Binder::bind_condition(BoundTree& bound) {
  const std::vector<Node>& nodes = bound.tree->nodes;
  NodeIndex first = 0;
  for (NodeIndex i = 0; i < nodes.size(); ++i) {
    const Node& node = nodes[i];
    if (node.kind == NodeKind::Path) {
      PARTITA_CHECK(bind_path(bound, node));
    } else if (node.kind == NodeKind::Value) {
      const std::string_view placeholder = bound.tree->text_of(bound.tree->values[node.first]);
      PARTITA_TRY(const ValueView value, placeholders_.value(placeholder));
      bound.values.push_back(value);
    } else if (node.is_condition) {
      PARTITA_CHECK(check_condition_operands(bound, first, i));
      first = i + 1;
    } else if (node.kind == NodeKind::And || node.kind == NodeKind::Or ||
               node.kind == NodeKind::Not) {
      first = i + 1;
    }
  }
  return {};
}

Result<void> Binder::bind_names(BoundTree& bound) {
  for (const Node& node : bound.tree->nodes) {
    if (node.kind == NodeKind::Path) PARTITA_CHECK(bind_path(bound, node));
  }
  return {};
}

Result<void> Binder::bind_values(BoundTree& bound) {
  for (const TextRange& range : bound.tree->values) {
    PARTITA_TRY(const ValueView value, placeholders_.value(bound.tree->text_of(range)));
    bound.values.push_back(value);
  }
  return {};
}

Result<void> Binder::bind_path(BoundTree& bound, const Node& node) {
  const Tree& tree = *bound.tree;
  for (const Step& step : std::span(tree.steps).subspan(node.first, node.count)) {
    switch (step.kind) {
      case Step::Kind::Name:
        bound.steps.push_back(PathStep(tree.text_of(step.text)));
        break;
      case Step::Kind::Index:
        bound.steps.push_back(PathStep(step.index));
        break;
      case Step::Kind::Placeholder: {
        PARTITA_TRY(const std::string_view name, placeholders_.name(tree.text_of(step.text)));
        bound.steps.push_back(PathStep(name));
      }
    }
  }
  if (node.count > kPathStepsMax) {
    return Error::validation("The document path has too many nesting levels; nesting levels: " +
                             std::to_string(node.count));
  }
  return {};
}

}  // namespace partita
