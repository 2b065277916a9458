#include "expression/path_set.h"

#include <algorithm>

#include "base/coding.h"
#include "expression/container_writer.h"
#include "value/item_size.h"

namespace partita {
namespace {

// Indexes come before names, each in its own order.
bool is_before(const PathStep& left, const PathStep& right) {
  if (left.is_index() != right.is_index()) return left.is_index();
  return left.is_index() ? left.index() < right.index() : left.name() < right.name();
}

bool path_is_before(const OrderedPath& left, const OrderedPath& right) {
  return std::lexicographical_compare(left.path.begin(), left.path.end(), right.path.begin(),
                                      right.path.end(), is_before);
}

enum class Relation { Apart, Overlap, Conflict };

Relation relation(PathView left, PathView right) {
  const std::size_t shared = std::min(left.size(), right.size());
  for (std::size_t i = 0; i < shared; ++i) {
    if (left[i].is_index() != right[i].is_index()) return Relation::Conflict;
    if (left[i] != right[i]) return Relation::Apart;
  }
  return Relation::Overlap;
}

Error clash(Relation kind, PathView one, PathView two) {
  return Error::validation(
      std::string("Two document paths ") + (kind == Relation::Overlap ? "overlap" : "conflict") +
      " with each other; must remove or rewrite one of these paths; path one: " +
      path_list_text(one) + ", path two: " + path_list_text(two));
}

// The first two paths, in the order they were given, that overlap; failing that, that conflict.
Error first_clash(OrderedPaths paths) {
  std::vector<PathView> given(paths.size());
  for (const OrderedPath& path : paths) given[path.number] = path.path;
  for (const Relation wanted : {Relation::Overlap, Relation::Conflict}) {
    for (std::size_t two = 1; two < given.size(); ++two) {
      for (std::size_t one = 0; one < two; ++one) {
        if (relation(given[one], given[two]) == wanted)
          return clash(wanted, given[one], given[two]);
      }
    }
  }
  return Error::internal("document paths clash, but no two of them do");
}

std::uint32_t project_map(MapView map, OrderedPaths paths, std::size_t depth, std::string& out);
std::uint32_t project_list(ListView list, OrderedPaths paths, std::size_t depth, std::string& out);

// Appends what the paths, whose first `depth` steps led to `value`, choose of it. False: nothing.
bool project_value(ValueView value, OrderedPaths paths, std::size_t depth, std::string& out) {
  const PathView path = paths.front().path;
  if (path.size() == depth) {
    out.append(value.bytes());
    return true;
  }
  const bool wants_list = path[depth].is_index();
  if (!value.is(wants_list ? ValueType::L : ValueType::M)) return false;
  ContainerWriter container(wants_list ? encoding::kList : encoding::kMap, out);
  const std::uint32_t count = wants_list ? project_list(value.list(), paths, depth, out)
                                         : project_map(value.map(), paths, depth, out);
  if (count == 0) {
    container.abandon();
    return false;
  }
  container.finish(count);
  return true;
}

// Entries and paths both ascend by name, so one pass meets them all.
std::uint32_t project_map(MapView map, OrderedPaths paths, std::size_t depth, std::string& out) {
  std::uint32_t count = 0;
  auto entry = map.begin();
  while (!paths.empty()) {
    const OrderedPaths group = leading_group(paths, depth);
    paths = paths.subspan(group.size());
    const std::string_view name = group.front().path[depth].name();
    while (entry != map.end() && (*entry).name < name) ++entry;
    if (entry == map.end()) break;
    const Attribute attribute = *entry;
    if (attribute.name != name) continue;
    const std::size_t start = out.size();
    append_length_prefixed(out, name);
    if (project_value(attribute.value, group, depth + 1, out)) {
      ++count;
    } else {
      out.resize(start);
    }
  }
  return count;
}

std::uint32_t project_list(ListView list, OrderedPaths paths, std::size_t depth, std::string& out) {
  std::uint32_t count = 0;
  std::uint32_t index = 0;
  auto element = list.begin();
  while (!paths.empty()) {
    const OrderedPaths group = leading_group(paths, depth);
    paths = paths.subspan(group.size());
    const std::uint32_t wanted = group.front().path[depth].index();
    for (; element != list.end() && index < wanted; ++index) ++element;
    if (element == list.end()) break;
    if (project_value(*element, group, depth + 1, out)) ++count;
  }
  return count;
}

}  // namespace

std::string path_list_text(PathView path) {
  std::string text = "[";
  for (const PathStep& step : path) {
    if (text.size() > 1) text.append(", ");
    if (step.is_index()) {
      text.append("[").append(std::to_string(step.index())).append("]");
    } else {
      text.append(step.name());
    }
  }
  return text + "]";
}

OrderedPaths leading_group(OrderedPaths paths, std::size_t depth) {
  std::size_t count = 1;
  while (count < paths.size() && paths[count].path[depth] == paths[0].path[depth]) ++count;
  return paths.first(count);
}

Result<void> PathSet::put_in_order() {
  std::sort(paths_.begin(), paths_.end(), path_is_before);
  // A path that lies within another, or needs another kind of container at the same place, sorts
  // next to one of which the same is true.
  for (std::size_t i = 1; i < paths_.size(); ++i) {
    if (relation(paths_[i - 1].path, paths_[i].path) != Relation::Apart) {
      return first_clash(paths_);
    }
  }
  return {};
}

void PathSet::project(ItemView item, std::string& out) const {
  const std::size_t start = out.size();
  out.append(kItemHeaderBytes, kItemFormat);
  const std::uint32_t count = project_map(item.attributes(), paths_, 0, out);
  finish_item(start, count, out);
}

}  // namespace partita
