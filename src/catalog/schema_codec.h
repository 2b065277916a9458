// A TableSchema as the value of its catalog row: an encoded item (docs/formats.md, "Catalog").
#pragma once

#include <string>

#include "partita/result.h"

#include "catalog/table_schema.h"

namespace partita {

inline constexpr std::int64_t kSchemaFormat = 2;
inline constexpr std::int64_t kSettledSchemaFormat = 1;  // while no index comes or goes

std::string encode_schema(const TableSchema& table);

// Any bytes may come in. Fails with one sentence for a person: the row is damaged, or its format is
// newer than kSchemaFormat. What decodes is a table that could have been created: it has a space, a
// partition key, and no index without a place.
Result<TableSchema> decode_schema(Bytes row);

}  // namespace partita
