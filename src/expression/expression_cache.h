// ExpressionCache: text → shared immutable tree, so that an expression used again is not parsed
// again. Applications repeat a handful of texts; the values differ, but they are not in the text.
//
// Bounded in entries and bytes; the least recently used go first. What does not parse is not kept.
// All methods may be called from any thread: the cache is split by hash, each part has its lock.
#pragma once

#include <array>
#include <cstddef>
#include <list>
#include <memory>
#include <mutex>
#include <string_view>
#include <unordered_map>

#include "partita/result.h"

#include "expression/ast.h"

namespace partita {

using TreePointer = std::shared_ptr<const Tree>;

class ExpressionCache {
 public:
  explicit ExpressionCache(std::size_t entries_max = 1024, std::size_t bytes_max = 4 << 20);

  // Errors are parse_expression's.
  Result<TreePointer> find_or_parse(ExpressionKind kind, std::string_view text);

  std::size_t entries() const;

 private:
  struct Key {
    ExpressionKind kind;
    std::string_view text;  // of the entry's own tree
    friend bool operator==(const Key&, const Key&) = default;
  };
  struct KeyHash {
    std::size_t operator()(const Key& key) const {
      return std::hash<std::string_view>()(key.text) + static_cast<std::size_t>(key.kind);
    }
  };
  using RecentlyUsed = std::list<TreePointer>;  // the most recently used first
  struct Part {
    mutable std::mutex mutex;
    RecentlyUsed trees;
    std::unordered_map<Key, RecentlyUsed::iterator, KeyHash> by_text;
    std::size_t bytes = 0;
  };
  static constexpr std::size_t kParts = 16;

  Part& part_of(const Key& key) { return parts_[(KeyHash()(key) >> 7) % kParts]; }
  void keep(Part& part, const TreePointer& tree);

  std::size_t part_entries_max_;
  std::size_t part_bytes_max_;
  std::array<Part, kParts> parts_;
};

}  // namespace partita
