// ReadPlan: one page of a Query or Scan, decided and checked, nothing read yet.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "partita/item.h"
#include "partita/requests/queries.h"
#include "partita/result.h"

#include "catalog/table_schema.h"
#include "expression/condition.h"
#include "expression/key_condition.h"
#include "expression/projection.h"
#include "plan/item_rules.h"
#include "storage/key_range.h"

namespace partita {

// Where to read: the table itself, or one of its indexes.
struct ReadSource {
  TablePointer table;
  const IndexSchema* index = nullptr;

  const KeySchema& key() const { return index ? index->key : table->key; }
  SpaceId space() const { return index && index->global ? index->space : table->space; }
  Slot slot() const { return index && !index->global ? index->slot : Slot::Item; }
  bool is_global_index() const { return index && index->global; }
};

// The table, and the index if one is named; global indexes refuse consistent reads.
Result<ReadSource> find_source(TablePointer table, std::optional<std::string_view> index_name,
                               bool consistent_read);

// A read names its key attributes by their values: all partition attributes equal, then sort
// attributes from left to right, of which the last may be a range.
struct KeySelection {
  EncodedKey partition;  // its `sort` is unused
  KeyRange range;
  bool has_sort_condition = false;
};
Result<KeySelection> select_keys(const ReadSource& source, const KeyCondition& condition,
                                 const std::optional<ItemView>& exclusive_start_key);

// One of `total` parts of a table or index; they cover all hashes and do not overlap.
struct ScanSegment {
  std::int32_t number = 0;
  std::int32_t total = 1;

  HashRange range() const;
};

// ExclusiveStartKey: the primary key of an item, with the index key when reading an index. What it
// is made of is checked first: by select_keys, or by check_start_of_scan.
Result<void> check_start_of_scan(const ReadSource& source, ItemView exclusive_start_key);
Result<EncodedKey> start_of_query(const ReadSource& source, const KeySelection& selection,
                                  ItemView exclusive_start_key);
Result<EncodedKey> start_of_scan(const ReadSource& source, ItemView exclusive_start_key,
                                 std::optional<ScanSegment> segment);

// A filter of a Query may not name the key attributes it was already selected by.
// `parameter` is what messages call the filter: "Filter Expression", "QueryFilter".
Result<void> check_query_filter(const ReadSource& source, const Condition& filter,
                                std::string_view parameter);

// What a page holds of each item.
enum class PageContent : std::uint8_t {
  Items,      // as stored where they are read, or projected
  FullItems,  // the table's items, fetched by the keys of a local index that lacks attributes
  Count,      // nothing
};

struct ReadPlan {
  ReadSource source;
  std::optional<KeySelection> keys;  // Query; a Scan has none
  Direction direction = Direction::Forward;
  HashRange segment;
  std::optional<EncodedKey> start;  // go on beyond this row
  std::optional<std::int32_t> limit;
  bool consistent_read = false;
  std::optional<Condition> filter;
  std::optional<ProjectionPaths> projection;
  PageContent content = PageContent::Items;
};

}  // namespace partita
