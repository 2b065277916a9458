// The only place that gives out space ids and slots, and that knows where catalog rows lie.
//
//   space 0        the catalog
//   space 1, 2, …  one table or index each, in the order of creation; none is given out twice. That
//                  of a local index holds no rows, only its size: its rows lie in a slot of the
//                  table's partitions, where they are atomic with the items
//                  A stream has one too, which holds nothing but its change log
//   space 2^32 - 2 tokens of transactions (execution/request_tokens.h)
//
// The catalog is one partition of space 0, so that any change of it is one atom on every engine.
// Its partition key is S "catalog"; its rows are in slot Item, and their sort keys are
//
//   S "checkpoint" S name →  how far a consumer of a stream has come, in its own words
//   S "dropping" N space  →  spaces of a deleted table or index that are being dropped
//   S "spaces"            →  the next space id to give out
//   S "stream" S ARN      →  a stream and its shards (catalog/stream_codec.h)
//   S "table" S name      →  a table (catalog/schema_codec.h)
//
// Rows of another kind belong to a later version and are left alone.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "partita/result.h"

#include "catalog/table_schema.h"
#include "storage/engine.h"

namespace partita {

inline constexpr SpaceId kCatalogSpace = 0;
inline constexpr SpaceId kFirstTableSpace = 1;
inline constexpr SpaceId kTokenSpace = 0xFFFFFFFE;

const Partition& catalog_partition();

// Sort keys of catalog rows.
std::string table_row_key(std::string_view table_name);
std::string spaces_row_key();
std::string dropping_row_key(SpaceId first_space);
std::string stream_row_key(std::string_view stream_arn);
std::string checkpoint_row_key(std::string_view name);

enum class CatalogRow : std::uint8_t { Table, Spaces, Dropping, Stream, Unknown };
CatalogRow catalog_row_kind(Bytes sort_key);

// Values of the two small rows.
std::string encode_next_space(SpaceId next);
Result<SpaceId> decode_next_space(Bytes row);
struct DroppedSpaces {
  std::string table_name;
  std::vector<SpaceId> spaces;
};
std::string encode_dropped_spaces(const DroppedSpaces& dropped);
Result<DroppedSpaces> decode_dropped_spaces(Bytes row);

// Gives a new table, its indexes and its stream, or a new index or stream of a table, their places;
// `next` moves past the ids used.
Result<void> assign_places(TableSchema& table, SpaceId& next);
// The spaces that go when the table goes. Its stream stays for a while.
DroppedSpaces spaces_of(const TableSchema& table);

}  // namespace partita
