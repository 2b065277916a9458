// What the parts of QueryRun share: partitions, and keys taken out of items.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "partita/model/query_run.h"

namespace partita::model {

// One partition (or segment of a scan) and how far it has been read.
struct QueryRun::Partition {
  const PartitionKey* key = nullptr;
  int segment = 0;
  ItemList page{};
  std::size_t next = 0;
  bool begun = false;
  bool ended = false;                // nothing behind the page
  std::optional<Item> last_read{};   // where the next page starts
  std::optional<Item> page_start{};  // where this page started
  // Of a partial index: the items from `whole_start` on, as the table has them.
  std::vector<std::optional<Item>> whole{};
  std::size_t whole_start = 0;

  bool has_item() const { return next < page.size(); }
  bool is_exhausted() const { return ended && !has_item(); }
};

namespace detail {

// These attributes of an item.
Item only(std::vector<std::string_view> names, ItemView item);
// The key attributes of the table.
std::vector<std::string_view> table_key(const QuerySpec& spec);

}  // namespace detail
}  // namespace partita::model
