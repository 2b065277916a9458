// A change record as a stream shows it.
#pragma once

#include <string_view>

#include "partita/requests/streams.h"
#include "partita/result.h"

#include "catalog/stream_schema.h"
#include "execution/stream_reader.h"

namespace partita {

Result<StreamRecord> shown_record(const StreamSchema& stream, const KeptRecord& kept,
                                  std::string_view region);

}  // namespace partita
