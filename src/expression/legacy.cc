#include "expression/legacy.h"

#include <utility>
#include <vector>

#include "expression/legacy_rules.h"

namespace partita {
namespace {

using Operator = ComparisonOperator;

// A tree in the making, and the values its nodes number.
class LegacyTree {
 public:
  LegacyTree(ExpressionKind kind, std::pmr::memory_resource* memory)
      : builder_(TreeBuilder::of_legacy_parameters(kind)), memory_(memory), values_(memory) {}

  NodeIndex attribute(std::string_view name) { return builder_.add_attribute(name); }
  NodeIndex value(ValueView value) {
    values_.push_back(value);
    return builder_.add_numbered_value();
  }
  NodeIndex operation(NodeKind kind, std::initializer_list<NodeIndex> operands) {
    return builder_.add_operator(kind, std::span(operands.begin(), operands.size()),
                                 kind != NodeKind::And && kind != NodeKind::Or);
  }
  NodeIndex condition(const AttributeCondition& condition);
  void action(const AttributeUpdate& update);

  // Joined pairwise, so that the tree is as shallow as can be: evaluation goes as deep as it does.
  NodeIndex join(std::span<const NodeIndex> conditions, NodeKind kind) {
    if (conditions.size() == 1) return conditions.front();
    const std::size_t half = conditions.size() / 2;
    const NodeIndex left = join(conditions.first(half), kind);
    const NodeIndex right = join(conditions.subspan(half), kind);
    return operation(kind, {left, right});
  }

  BoundTree bind() {
    BoundTree bound(std::make_shared<const Tree>(builder_.take()), memory_);
    for (const Step& step : bound.tree->steps) {
      bound.steps.push_back(PathStep(bound.tree->text_of(step.text)));
    }
    bound.values = std::move(values_);
    return bound;
  }

 private:
  TreeBuilder builder_;
  std::pmr::memory_resource* memory_;
  std::pmr::vector<ValueView> values_;
};

NodeKind node_kind(Operator op) {
  constexpr NodeKind kinds[] = {NodeKind::Equal,           NodeKind::NotEqual,
                                NodeKind::LessOrEqual,     NodeKind::Less,
                                NodeKind::GreaterOrEqual,  NodeKind::Greater,
                                NodeKind::AttributeExists, NodeKind::AttributeNotExists,
                                NodeKind::Contains,        NodeKind::Contains,
                                NodeKind::BeginsWith,      NodeKind::In,
                                NodeKind::Between};
  return kinds[static_cast<std::size_t>(op)];
}

// Unlike NE, NOT_CONTAINS is false where there is no attribute (recorded by Alternator's tests).
NodeIndex LegacyTree::condition(const AttributeCondition& condition) {
  std::vector<NodeIndex> operands{attribute(condition.attribute)};
  for (const ValueView listed : condition.values) operands.push_back(value(listed));
  const NodeIndex compared =
      builder_.add_operator(node_kind(condition.comparison_operator), operands, true);
  if (condition.comparison_operator != Operator::NotContains) return compared;
  const NodeIndex lacks = operation(NodeKind::Not, {compared});
  const NodeIndex exists = operation(NodeKind::AttributeExists, {attribute(condition.attribute)});
  return operation(NodeKind::And, {exists, lacks});
}

void LegacyTree::action(const AttributeUpdate& update) {
  using Kind = UpdateAction::Kind;
  const NodeIndex path = attribute(update.attribute);
  if (!update.value) {
    builder_.add_action({Kind::Remove, path, 0});
    return;
  }
  const Kind kind = update.action == AttributeAction::Put   ? Kind::Set
                    : update.action == AttributeAction::Add ? Kind::Add
                                                            : Kind::Delete;
  builder_.add_action({kind, path, value(*update.value)});
}

Result<std::optional<Condition>> bind_joined(std::span<const AttributeCondition> conditions,
                                             std::optional<ConditionalOperator> joined_by,
                                             std::pmr::memory_resource* memory) {
  if (conditions.empty()) return std::optional<Condition>();
  LegacyTree tree(ExpressionKind::Condition, memory);
  std::vector<NodeIndex> nodes;
  nodes.reserve(conditions.size());
  for (const AttributeCondition& condition : conditions) nodes.push_back(tree.condition(condition));
  tree.join(nodes, joined_by == ConditionalOperator::Or ? NodeKind::Or : NodeKind::And);
  return std::optional<Condition>(Condition(tree.bind()));
}

KeyOperator key_operator(Operator op) {
  switch (op) {
    case Operator::Eq:
      return KeyOperator::Equal;
    case Operator::Le:
      return KeyOperator::LessOrEqual;
    case Operator::Lt:
      return KeyOperator::Less;
    case Operator::Ge:
      return KeyOperator::GreaterOrEqual;
    case Operator::Gt:
      return KeyOperator::Greater;
    case Operator::BeginsWith:
      return KeyOperator::BeginsWith;
    case Operator::Between:
      return KeyOperator::Between;
    default:
      return KeyOperator::NotIndexable;
  }
}

}  // namespace

Result<std::optional<Condition>> bind_filter(const AttributeConditions& conditions,
                                             std::optional<ConditionalOperator> joined_by,
                                             std::pmr::memory_resource* memory) {
  if (!conditions) return std::optional<Condition>();
  for (const AttributeCondition& condition : *conditions) {
    PARTITA_CHECK(check_condition(condition));
  }
  return bind_joined(*conditions, joined_by, memory);
}

Result<std::optional<Condition>> bind_expected(const ExpectedAttributes& expected,
                                               std::optional<ConditionalOperator> joined_by,
                                               std::pmr::memory_resource* memory) {
  if (!expected) return std::optional<Condition>();
  std::vector<AttributeCondition> conditions;
  conditions.reserve(expected->size());
  for (const ExpectedAttribute& attribute : *expected) {
    PARTITA_CHECK(check_expected(attribute));
    conditions.push_back(comparison_of(attribute));
  }
  return bind_joined(conditions, joined_by, memory);
}

Result<std::optional<Update>> bind_attribute_updates(const AttributeUpdates& updates,
                                                     std::pmr::memory_resource* memory) {
  if (!updates) return std::optional<Update>();
  for (const AttributeUpdate& update : *updates) PARTITA_CHECK(check_update(update));
  if (updates->empty()) return std::optional<Update>();
  LegacyTree tree(ExpressionKind::Update, memory);
  for (const AttributeUpdate& update : *updates) tree.action(update);
  BoundTree bound = tree.bind();
  PARTITA_TRY(PathSet targets, target_paths(bound, memory));
  return std::optional<Update>(Update(std::move(bound), std::move(targets)));
}

Result<std::optional<ProjectionPaths>> bind_attributes_to_get(const AttributesToGet& names,
                                                              std::pmr::memory_resource* memory) {
  if (!names) return std::optional<ProjectionPaths>();
  PARTITA_CHECK(check_attributes_to_get(*names));
  LegacyTree tree(ExpressionKind::Projection, memory);
  for (const std::string_view name : *names) tree.attribute(name);
  BoundTree bound = tree.bind();
  PARTITA_TRY(PathSet paths, projected_paths(bound, memory));
  return std::optional<ProjectionPaths>(ProjectionPaths(std::move(bound), std::move(paths)));
}

Result<KeyCondition> bind_key_conditions(std::span<const AttributeCondition> conditions,
                                         std::pmr::memory_resource* memory) {
  for (const AttributeCondition& condition : conditions) PARTITA_CHECK(check_condition(condition));
  std::pmr::vector<KeyClause> clauses(memory);
  for (const AttributeCondition& condition : conditions) {
    KeyClause clause{condition.attribute, key_operator(condition.comparison_operator),
                     ValueView(Bytes()), std::nullopt};
    if (!condition.values.empty()) clause.value = condition.values[0];
    if (clause.op == KeyOperator::Between) clause.upper = condition.values[1];
    clauses.push_back(clause);
  }
  return KeyCondition::of_clauses(std::move(clauses), memory);
}

}  // namespace partita
