// PutItem, GetItem, UpdateItem and DeleteItem as JSON.
//
// A message holds a decoded request and what it borrows: it must live as long as the call. The body
// and the memory resource must too.
#pragma once

#include <memory_resource>
#include <string_view>

#include "partita/requests/items.h"
#include "partita/result.h"

#include "formats/json_writer.h"
#include "value/item_encoding.h"
#include "wire/request_reader.h"

namespace partita {

// What all four have in common.
template <typename Request>
class ItemMessage {
 public:
  explicit ItemMessage(std::pmr::memory_resource* memory)
      : memory_(memory), item_(memory), attributes_(memory) {}

  Result<void> decode(std::string_view body);

  Request request;

 private:
  std::pmr::memory_resource* memory_;
  ItemWriter item_;
  AttributeStore attributes_;
  std::optional<ValueFaults> value_faults_;
};

using PutItemMessage = ItemMessage<PutItemRequest>;
using GetItemMessage = ItemMessage<GetItemRequest>;
using UpdateItemMessage = ItemMessage<UpdateItemRequest>;
using DeleteItemMessage = ItemMessage<DeleteItemRequest>;

void encode(JsonWriter& json, const WriteItemResponse& response);
void encode(JsonWriter& json, const GetItemResponse& response);

// A member of many answers.
void encode_member(JsonWriter& json, const std::optional<ConsumedCapacity>& capacity);

// Values of answers about many items.
void encode(JsonWriter& json, const ConsumedCapacity& capacity);
void encode(JsonWriter& json, const ItemCollectionMetrics& metrics);

}  // namespace partita
