// TransactGetItems and TransactWriteItems as JSON.
//
// As in item_messages.h, a message holds a decoded request and what it borrows.
#pragma once

#include <list>
#include <memory_resource>
#include <string>
#include <string_view>
#include <vector>

#include "partita/requests/transactions.h"
#include "partita/result.h"

#include "formats/json_writer.h"
#include "wire/request_reader.h"
#include "wire/shape_rules.h"

namespace partita {

class TransactWriteItemsMessage {
 public:
  explicit TransactWriteItemsMessage(std::pmr::memory_resource* memory)
      : memory_(memory), actions_(memory), attributes_(memory) {}

  Result<void> decode(std::string_view body);

  TransactWriteItemsRequest request;

 private:
  void read_element(RequestReader& reader);
  void read_action(RequestReader& reader, TransactWrite::Kind kind);

  std::pmr::memory_resource* memory_;
  std::pmr::vector<TransactWrite> actions_;
  std::pmr::list<AttributeStore> attributes_;
  ShapeRules action_rules_;  // what is wrong with actions
  std::optional<Error> wrong_choice_;
};

class TransactGetItemsMessage {
 public:
  explicit TransactGetItemsMessage(std::pmr::memory_resource* memory)
      : memory_(memory), actions_(memory), attributes_(memory) {}

  Result<void> decode(std::string_view body);

  TransactGetItemsRequest request;

 private:
  void read_element(RequestReader& reader);

  std::pmr::memory_resource* memory_;
  std::pmr::vector<TransactGet> actions_;
  std::pmr::list<AttributeStore> attributes_;
  ShapeRules action_rules_;
};

void encode(JsonWriter& json, const TransactWriteItemsResponse& response);
void encode(JsonWriter& json, const TransactGetItemsResponse& response);

}  // namespace partita
