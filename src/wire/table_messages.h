// CreateTable, DescribeTable, UpdateTable, DeleteTable, ListTables, UpdateTimeToLive,
// DescribeTimeToLive and DescribeContinuousBackups as JSON.
#pragma once

#include <memory_resource>
#include <string_view>

#include "partita/requests/backups.h"
#include "partita/requests/tables.h"
#include "partita/requests/time_to_live.h"
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
using UpdateTimeToLiveMessage = TableMessage<UpdateTimeToLiveRequest>;
using DescribeTimeToLiveMessage = TableMessage<DescribeTimeToLiveRequest>;
using DescribeContinuousBackupsMessage = TableMessage<DescribeContinuousBackupsRequest>;

void encode(JsonWriter& json, const ListTablesResponse& response);
void encode(JsonWriter& json, const UpdateTimeToLiveResponse& response);
void encode(JsonWriter& json, const TimeToLiveDescription& description);
void encode(JsonWriter& json, const ContinuousBackupsDescription& description);
// {"TableDescription": …}, and {"Table": …} for DescribeTable.
void encode_changed_table(JsonWriter& json, const TableDescription& table);
void encode_described_table(JsonWriter& json, const TableDescription& table);

}  // namespace partita
