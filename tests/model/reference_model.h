// A database simple enough to be right: a sorted map of items, and loops over it.
//
// Keys are (pk: S, sk: N). The index by "g" (S), then "n" (N), then the table key, holds the items
// that have both.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "partita/item.h"

namespace partita::model {

using Key = std::pair<std::string, std::int64_t>;

struct Row {
  std::optional<std::int64_t> n;
  std::optional<std::string> g;
  std::string payload;

  Item item(const Key& key) const {
    Item made{{"pk", Value::string(key.first)}, {"sk", Value::number(key.second)}};
    if (n) made.set("n", Value::number(*n));
    if (g) made.set("g", Value::string(*g));
    if (!payload.empty()) made.set("payload", Value::string(payload));
    return made;
  }
};

class ReferenceModel {
 public:
  std::map<Key, Row> rows;

  // What a batch or a transaction did, all of it.
  void apply(const std::map<Key, std::optional<Row>>& after) {
    for (const auto& [key, row] : after) {
      if (row) {
        rows[key] = *row;
      } else {
        rows.erase(key);
      }
    }
  }

  std::optional<Item> get(const Key& key) const {
    const auto found = rows.find(key);
    if (found == rows.end()) return std::nullopt;
    return found->second.item(key);
  }

  // Items of one partition with low <= sk <= high.
  std::vector<Item> query(const std::string& pk, std::int64_t low, std::int64_t high,
                          bool forward) const {
    std::vector<Item> items;
    for (const auto& [key, row] : rows) {
      if (key.first == pk && key.second >= low && key.second <= high) {
        items.push_back(row.item(key));
      }
    }
    if (!forward) items = {items.rbegin(), items.rend()};
    return items;
  }

  // Items of one partition of the index.
  std::vector<Item> query_index(const std::string& g) const {
    std::map<std::pair<std::int64_t, Key>, Item> ordered;
    for (const auto& [key, row] : rows) {
      if (row.g == g && row.n) ordered.emplace(std::pair(*row.n, key), row.item(key));
    }
    std::vector<Item> items;
    for (auto& [position, item] : ordered) items.push_back(std::move(item));
    return items;
  }

  // Items of one partition that have "n", by n, then sk: the local index.
  std::vector<Item> query_local(const std::string& pk) const {
    std::map<std::pair<std::int64_t, std::int64_t>, Item> ordered;
    for (const auto& [key, row] : rows) {
      if (key.first == pk && row.n) ordered.emplace(std::pair(*row.n, key.second), row.item(key));
    }
    std::vector<Item> items;
    for (auto& [position, item] : ordered) items.push_back(std::move(item));
    return items;
  }

  std::int64_t total_bytes() const {
    std::int64_t bytes = 0;
    for (const auto& [key, row] : rows) bytes += row.item(key).view().size_bytes();
    return bytes;
  }
};

}  // namespace partita::model
