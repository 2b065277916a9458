// ProjectionPaths: a ProjectionExpression.
#pragma once

#include <string>
#include <utility>

#include "partita/item.h"

#include "expression/bound_tree.h"
#include "expression/path_set.h"

namespace partita {

class ProjectionPaths {
 public:
  // `paths` are those of `bound`, whose steps they borrow.
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
