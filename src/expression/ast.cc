#include "expression/ast.h"

namespace partita {

std::string_view operator_name(NodeKind kind) {
  constexpr std::string_view names[] = {"path",
                                        "value",
                                        "=",
                                        "<>",
                                        "<",
                                        "<=",
                                        ">",
                                        ">=",
                                        "BETWEEN",
                                        "IN",
                                        "AND",
                                        "OR",
                                        "NOT",
                                        "+",
                                        "-",
                                        "attribute_exists",
                                        "attribute_not_exists",
                                        "attribute_type",
                                        "begins_with",
                                        "contains",
                                        "size",
                                        "if_not_exists",
                                        "list_append"};
  return names[static_cast<std::size_t>(kind)];
}

std::size_t Tree::memory_bytes() const {
  return sizeof(Tree) + text.capacity() + nodes.capacity() * sizeof(Node) +
         operands.capacity() * sizeof(NodeIndex) + steps.capacity() * sizeof(Step) +
         values.capacity() * sizeof(TextRange) + actions.capacity() * sizeof(UpdateAction);
}

NodeIndex TreeBuilder::add_attribute(std::string_view name) {
  const TextRange range{static_cast<std::uint32_t>(tree_.text.size()),
                        static_cast<std::uint32_t>(name.size())};
  tree_.text.append(name);
  begin_path();
  add_step({Step::Kind::Name, range, 0});
  return end_path();
}

NodeIndex TreeBuilder::end_path() {
  return add({NodeKind::Path, false, static_cast<std::uint16_t>(tree_.steps.size() - path_start_),
              static_cast<std::uint32_t>(path_start_)});
}

NodeIndex TreeBuilder::add_value(TextRange placeholder) {
  tree_.values.push_back(placeholder);
  return add({NodeKind::Value, false, 0, static_cast<std::uint32_t>(tree_.values.size() - 1)});
}

NodeIndex TreeBuilder::add_operator(NodeKind kind, std::span<const NodeIndex> operands,
                                    bool is_condition) {
  const auto first = static_cast<std::uint32_t>(tree_.operands.size());
  tree_.operands.insert(tree_.operands.end(), operands.begin(), operands.end());
  return add({kind, is_condition, static_cast<std::uint16_t>(operands.size()), first});
}

NodeIndex TreeBuilder::add(Node node) {
  tree_.nodes.push_back(node);
  return tree_.root();
}

}  // namespace partita
