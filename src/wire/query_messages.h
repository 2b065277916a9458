// Query and Scan as JSON. A message must live as long as the call, as in item_messages.h.
#pragma once

#include <memory_resource>
#include <string_view>

#include "partita/requests/queries.h"
#include "partita/result.h"

#include "formats/json_writer.h"
#include "value/item_encoding.h"
#include "wire/request_reader.h"

namespace partita {

template <typename Request>
class PageMessage {
 public:
  explicit PageMessage(std::pmr::memory_resource* memory)
      : memory_(memory), start_key_(memory), attributes_(memory) {}

  Result<void> decode(std::string_view body);

  Request request;

 private:
  std::pmr::memory_resource* memory_;
  ItemWriter start_key_;
  AttributeStore attributes_;
  std::optional<ValueFaults> value_faults_;
};

using QueryMessage = PageMessage<QueryRequest>;
using ScanMessage = PageMessage<ScanRequest>;

void encode(JsonWriter& json, const PageResponse& response);

}  // namespace partita
