// The checks every write and every key shares: key types and sizes, index keys, item size.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "partita/item.h"
#include "partita/result.h"

#include "base/function_ref.h"
#include "catalog/table_schema.h"
#include "storage/partition.h"
#include "value/attribute_finder.h"
#include "value/document_path.h"

namespace partita {

class Update;

inline constexpr std::size_t kPartitionKeyBytesMax = 2048;
inline constexpr std::size_t kSortKeyBytesMax = 1024;

// Where a row lives: its partition and its place in it, as ordered bytes (value/key_encoding.h).
struct EncodedKey {
  std::string partition;
  std::string sort;
  std::uint64_t hash = 0;  // of `partition`

  Partition in(SpaceId space) const { return {space, hash, partition}; }
};

// The primary key in a whole item (PutItem). A missing or mistyped key attribute is named.
Result<EncodedKey> key_of_item(const KeySchema& schema, ItemView item);

// A primary key given alone (GetItem, UpdateItem, DeleteItem): exactly the key attributes.
Result<EncodedKey> key_of_request(const KeySchema& schema, ItemView key);

// The values of an index's key attributes, partition part first, in their stored form.
struct IndexKeyValues {
  std::array<Bytes, 8> encoded;
  std::size_t count = 0;
  friend bool operator==(const IndexKeyValues& left, const IndexKeyValues& right) {
    return std::equal(left.encoded.begin(), left.encoded.begin() + left.count,
                      right.encoded.begin(), right.encoded.begin() + right.count);
  }
};
// Absent when the item lacks one of them: that is what makes an index sparse. The same holds for a
// value that cannot be a key, which check_index_keys refuses once there is an index.
std::optional<IndexKeyValues> index_key_values(const IndexSchema& index, AttributeFinder& item);

// The index that expiry goes by has a few partitions, each with the items of a stretch of hashes
// sorted by the moment they expire at: enough that writers do not wait for each other, few enough
// to look into each of them.
inline constexpr unsigned kExpiryParts = 4;
constexpr unsigned expiry_part_of(std::uint64_t item_hash) {
  return static_cast<unsigned>(item_hash >> 62);
}
std::string expiry_partition(unsigned part);

// The row of an item in an index: index key, then table key.
EncodedKey place_in_index(const IndexSchema& index, const IndexKeyValues& values,
                          const EncodedKey& item_key);
// Both in one, for an item whose key is not known yet.
std::optional<EncodedKey> key_in_index(const TableSchema& table, const IndexSchema& index,
                                       ItemView item);

// Does the index keep a copy of this attribute?
bool index_keeps(const TableSchema& table, const IndexSchema& index, std::string_view attribute);

// Attributes that are keys of some index have the right type and a usable value. `item` is about to
// be stored by PutItem or as the result of an update, which DynamoDB words differently. What an
// update leaves as it was in `previous` may be anything: the item can be older than the index.
enum class WrittenBy : std::uint8_t { Put, Update };
Result<void> check_index_keys(const TableSchema& table, ItemView item, WrittenBy by,
                              std::optional<ItemView> previous = std::nullopt);

// An update gives index keys the right type, as far as its expression alone tells. What it computes
// is checked like an item.
Result<void> check_index_key_types(const TableSchema& table, const Update& update);

// None of the attributes that are keys may be one into which a path leads.
Result<void> check_key_attributes(const TableSchema& table,
                                  FunctionRef<bool(std::string_view)> leads_inside);

// "The AttributeValue for a key attribute cannot contain an empty string value. Key: pk"
Result<void> check_key_value(const KeyAttribute& attribute, ValueView value, bool partition);

bool has_type(ValueView value, ScalarType type);

// Keys of the table and of its indexes are scalars: no path of `expression` may lead into one.
template <typename Expression>
Result<void> check_key_paths(const TableSchema& table, const Expression& expression) {
  bool any_leads_inside = false;
  expression.for_each_path([&](PathView path) { any_leads_inside |= path.size() > 1; });
  if (!any_leads_inside) return {};
  return check_key_attributes(table, [&](std::string_view attribute) {
    bool found = false;
    expression.for_each_path(
        [&](PathView path) { found |= path.size() > 1 && path.front().name() == attribute; });
    return found;
  });
}

}  // namespace partita
