// BoundTree: a shared tree with the names and values one request gave its placeholders.
#pragma once

#include <memory_resource>
#include <vector>

#include "base/function_ref.h"
#include "expression/expression_cache.h"
#include "value/document_path.h"

namespace partita {

struct BoundTree {
  TreePointer tree;
  std::pmr::vector<PathStep> steps;    // one for each of the tree's
  std::pmr::vector<ValueView> values;  // likewise

  BoundTree(TreePointer shared_tree, std::pmr::memory_resource* memory)
      : tree(std::move(shared_tree)), steps(memory), values(memory) {
    steps.reserve(tree->steps.size());
    values.reserve(tree->values.size());
  }

  const Node& node(NodeIndex index) const { return tree->nodes[index]; }
  PathView path(const Node& node) const { return PathView(steps).subspan(node.first, node.count); }
  ValueView value(const Node& node) const { return values[node.first]; }

  // The paths of the expression in the order of its text, for rules about key attributes.
  void for_each_path(FunctionRef<void(PathView)> visit) const {
    for (const Node& node : tree->nodes) {
      if (node.kind == NodeKind::Path) visit(path(node));
    }
  }
};

}  // namespace partita
