// A StreamSchema as the value of its catalog row: an encoded item (docs/formats.md, "Catalog").
#pragma once

#include <string>

#include "partita/result.h"

#include "catalog/stream_schema.h"

namespace partita {

inline constexpr std::int64_t kStreamFormat = 1;

std::string encode_stream(const StreamSchema& stream);

// Any bytes may come in. `version` is that of the row: shards that this very commit opened or
// closed have it.
Result<StreamSchema> decode_stream(Bytes row, Version version);

std::string encode_checkpoint(std::string_view text);
Result<std::string> decode_checkpoint(Bytes row);

}  // namespace partita
