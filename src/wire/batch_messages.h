// BatchGetItem and BatchWriteItem as JSON.
//
// As in item_messages.h, a message holds a decoded request and what it borrows.
#pragma once

#include <list>
#include <memory_resource>
#include <string_view>
#include <vector>

#include "partita/requests/batches.h"
#include "partita/result.h"

#include "formats/json_writer.h"
#include "wire/request_reader.h"
#include "wire/shape_rules.h"

namespace partita {

class BatchGetItemMessage {
 public:
  explicit BatchGetItemMessage(std::pmr::memory_resource* memory)
      : memory_(memory), tables_(memory), keys_(memory), attributes_(memory) {}

  Result<void> decode(std::string_view body);

  BatchGetItemRequest request;

 private:
  void read_table(RequestReader& reader, std::string_view table_name);
  void check_tables(ShapeRules& rules) const;

  std::pmr::memory_resource* memory_;
  std::pmr::vector<KeysAndAttributes> tables_;
  std::pmr::list<std::pmr::vector<ItemView>> keys_;
  std::pmr::list<AttributeStore> attributes_;
  ShapeRules attributes_to_get_rules_;
};

class BatchWriteItemMessage {
 public:
  explicit BatchWriteItemMessage(std::pmr::memory_resource* memory)
      : memory_(memory), tables_(memory), requests_(memory) {}

  Result<void> decode(std::string_view body);

  BatchWriteItemRequest request;

 private:
  void read_table(RequestReader& reader, std::string_view table_name);
  WriteRequest read_write(RequestReader& reader, std::string_view table_name, std::size_t number);
  void check_tables(ShapeRules& rules) const;
  std::string shown() const;

  std::pmr::memory_resource* memory_;
  std::pmr::vector<TableWrites> tables_;
  std::pmr::list<std::pmr::vector<WriteRequest>> requests_;
  std::vector<std::string> absent_;  // paths of members that must be there
};

void encode(JsonWriter& json, const BatchGetItemResponse& response);
void encode(JsonWriter& json, const BatchWriteItemResponse& response);

// Members that answers about many items have in common.
void encode_member(JsonWriter& json,
                   const std::optional<std::vector<ConsumedCapacity>>& capacities);
void encode_member(JsonWriter& json, const std::vector<TableCollectionMetrics>& tables);

}  // namespace partita
