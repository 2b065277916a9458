#include "expression/expression_cache.h"

#include <algorithm>

#include "expression/parser.h"

namespace partita {
namespace {

// What the list and map nodes and the control block of one entry take, about.
constexpr std::size_t kEntryOverheadBytes = 128;

std::size_t entry_bytes(const Tree& tree) { return tree.memory_bytes() + kEntryOverheadBytes; }

}  // namespace

ExpressionCache::ExpressionCache(std::size_t entries_max, std::size_t bytes_max)
    : part_entries_max_(std::max<std::size_t>(entries_max / kParts, 1)),
      part_bytes_max_(bytes_max / kParts) {}

Result<TreePointer> ExpressionCache::find_or_parse(ExpressionKind kind, std::string_view text) {
  const Key key{kind, text};
  Part& part = part_of(key);
  {
    const std::scoped_lock lock(part.mutex);
    const auto found = part.by_text.find(key);
    if (found != part.by_text.end()) {
      part.trees.splice(part.trees.begin(), part.trees, found->second);
      return *found->second;
    }
  }
  PARTITA_TRY(Tree parsed, parse_expression(kind, text));
  auto tree = std::make_shared<const Tree>(std::move(parsed));
  const std::scoped_lock lock(part.mutex);
  keep(part, tree);
  return TreePointer(std::move(tree));
}

void ExpressionCache::keep(Part& part, const TreePointer& tree) {
  const Key key{tree->kind, tree->text};
  if (part.by_text.contains(key)) return;  // another thread parsed it meanwhile
  part.trees.push_front(tree);
  part.by_text.emplace(key, part.trees.begin());
  part.bytes += entry_bytes(*tree);
  while (part.trees.size() > part_entries_max_ || part.bytes > part_bytes_max_) {
    const TreePointer& oldest = part.trees.back();
    part.bytes -= entry_bytes(*oldest);
    part.by_text.erase({oldest->kind, oldest->text});
    part.trees.pop_back();
  }
}

std::size_t ExpressionCache::entries() const {
  std::size_t count = 0;
  for (const Part& part : parts_) {
    const std::scoped_lock lock(part.mutex);
    count += part.trees.size();
  }
  return count;
}

}  // namespace partita
