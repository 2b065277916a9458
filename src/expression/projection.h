// ProjectionPaths: a ProjectionExpression or AttributesToGet.
#pragma once

#include <string>
#include <utility>

#include "partita/item.h"
#include "partita/result.h"

#include "expression/bound_tree.h"
#include "expression/path_set.h"

namespace partita {

// The paths a projection's tree consists of.
inline Result<PathSet> projected_paths(const BoundTree& bound, std::pmr::memory_resource* memory) {
  PathSet paths(memory);
  paths.reserve(bound.tree->nodes.size());
  for (const Node& node : bound.tree->nodes) paths.add(bound.path(node));
  PARTITA_CHECK(paths.put_in_order());
  return paths;
}

class ProjectionPaths {
 public:
  // `paths` are projected_paths(bound), whose steps they borrow.
  ProjectionPaths(BoundTree bound, PathSet paths)
      : bound_(std::move(bound)), paths_(std::move(paths)) {}

  // Appends an encoded item that has only the projected parts of `item`.
  void project(ItemView item, std::string& out) const { paths_.project(item, out); }

  void for_each_path(FunctionRef<void(PathView)> visit) const { bound_.for_each_path(visit); }

 private:
  BoundTree bound_;
  PathSet paths_;
};

}  // namespace partita
