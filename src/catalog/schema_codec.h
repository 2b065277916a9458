// A TableSchema as the value of its catalog row: an encoded item (docs/formats.md, "Catalog").
#pragma once

#include <string>

#include "partita/result.h"

#include "catalog/table_schema.h"

namespace partita {

// The lowest that does: older programs may open what they can handle.
inline constexpr std::int64_t kSchemaFormat = 4;        // with a stream: writes leave records
inline constexpr std::int64_t kExpirySchemaFormat = 3;  // with time to live: writes keep its index
inline constexpr std::int64_t kUnsettledSchemaFormat = 2;  // while an index comes or goes
inline constexpr std::int64_t kSettledSchemaFormat = 1;

std::string encode_schema(const TableSchema& table);

// Any bytes may come in. Fails with one sentence for a person: the row is damaged, or its format is
// newer than kSchemaFormat. What decodes is a table that could have been created: it has a space, a
// partition key, and no index without a place.
Result<TableSchema> decode_schema(Bytes row);

}  // namespace partita
