// CreateTable, DescribeTable, UpdateTable, DeleteTable and ListTables as JSON.
#pragma once

#include <memory_resource>
#include <string_view>

#include "partita/requests/tables.h"
#include "partita/result.h"

#include "formats/json_writer.h"

namespace partita {

// A decoded request. These own what they hold, so the message may outlive its body.
template <typename Request>
class TableMessage {
 public:
  explicit TableMessage(std::pmr::memory_resource* memory) : memory_(memory) {}
  Result<void> decode(std::string_view body);
  Request request;

 private:
  std::pmr::memory_resource* memory_;
};

using CreateTableMessage = TableMessage<CreateTableRequest>;
using DescribeTableMessage = TableMessage<DescribeTableRequest>;
using UpdateTableMessage = TableMessage<UpdateTableRequest>;
using DeleteTableMessage = TableMessage<DeleteTableRequest>;
using ListTablesMessage = TableMessage<ListTablesRequest>;

void encode(JsonWriter& json, const ListTablesResponse& response);
// {"TableDescription": …}, and {"Table": …} for DescribeTable.
void encode_changed_table(JsonWriter& json, const TableDescription& table);
void encode_described_table(JsonWriter& json, const TableDescription& table);

}  // namespace partita
