// PathSet: document paths none of which lies within another, in order, so that one walk through an
// item meets all of them. Projections and updates are made of it.
#pragma once

#include <cstdint>
#include <memory_resource>
#include <span>
#include <string>
#include <vector>

#include "partita/item.h"
#include "partita/result.h"

#include "value/document_path.h"

namespace partita {

struct OrderedPath {
  PathView path;
  std::uint32_t number;  // its place among the paths as they were given
};
using OrderedPaths = std::span<const OrderedPath>;

// "[a, b, [3]]": a path as messages show it.
std::string path_list_text(PathView path);

// The paths at the front of `paths` that share their first `depth + 1` steps.
OrderedPaths leading_group(OrderedPaths paths, std::size_t depth);

class PathSet {
 public:
  explicit PathSet(std::pmr::memory_resource* memory) : paths_(memory) {}

  void reserve(std::size_t count) { paths_.reserve(count); }
  void add(PathView path) { paths_.push_back({path, static_cast<std::uint32_t>(paths_.size())}); }
  // After the last add. Two paths that overlap or conflict are DynamoDB's error.
  Result<void> put_in_order();

  OrderedPaths ordered() const { return paths_; }

  // Appends an encoded item that has only what these paths lead to. Lists keep the chosen elements
  // in order without gaps.
  void project(ItemView item, std::string& out) const;

 private:
  std::pmr::vector<OrderedPath> paths_;
};

}  // namespace partita
