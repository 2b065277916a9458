// Api: the operations of DynamoDB, one method each.
//
// Database (in this process) implements it; so can anything else that answers like DynamoDB. All
// methods may be called from any thread.
//
// An answer must not be believed before what it tells of would survive a power cut. Called without
// a ticket, a method returns only then. Given a ticket, it returns at once and says in the ticket
// what to wait for; the caller hands the answer on when when_durable calls back. The ticket is
// filled for reads and failures too: they may have seen a row that is not durable yet.
#pragma once

#include <cstdint>
#include <functional>

#include "partita/requests/account.h"
#include "partita/requests/backups.h"
#include "partita/requests/batches.h"
#include "partita/requests/items.h"
#include "partita/requests/queries.h"
#include "partita/requests/streams.h"
#include "partita/requests/tables.h"
#include "partita/requests/tags.h"
#include "partita/requests/time_to_live.h"
#include "partita/requests/transactions.h"
#include "partita/result.h"

namespace partita {

struct DurabilityTicket {
  std::uint64_t version = 0;  // 0: nothing to wait for
};

class Api {
 public:
  virtual ~Api() = default;

  virtual Result<TableDescription> create_table(const CreateTableRequest&,
                                                DurabilityTicket* = nullptr) = 0;
  virtual Result<TableDescription> describe_table(const DescribeTableRequest&,
                                                  DurabilityTicket* = nullptr) = 0;
  virtual Result<TableDescription> update_table(const UpdateTableRequest&,
                                                DurabilityTicket* = nullptr) = 0;
  virtual Result<TableDescription> delete_table(const DeleteTableRequest&,
                                                DurabilityTicket* = nullptr) = 0;
  virtual Result<ListTablesResponse> list_tables(const ListTablesRequest&,
                                                 DurabilityTicket* = nullptr) = 0;

  virtual Result<TagResourceResponse> tag_resource(const TagResourceRequest&,
                                                   DurabilityTicket* = nullptr) = 0;
  virtual Result<UntagResourceResponse> untag_resource(const UntagResourceRequest&,
                                                       DurabilityTicket* = nullptr) = 0;
  virtual Result<ListTagsOfResourceResponse> list_tags_of_resource(const ListTagsOfResourceRequest&,
                                                                   DurabilityTicket* = nullptr) = 0;
  virtual Result<DescribeLimitsResponse> describe_limits(const DescribeLimitsRequest&,
                                                         DurabilityTicket* = nullptr) = 0;
  virtual Result<DescribeEndpointsResponse> describe_endpoints(const DescribeEndpointsRequest&,
                                                               DurabilityTicket* = nullptr) = 0;
  virtual Result<UpdateTimeToLiveResponse> update_time_to_live(const UpdateTimeToLiveRequest&,
                                                               DurabilityTicket* = nullptr) = 0;
  virtual Result<TimeToLiveDescription> describe_time_to_live(const DescribeTimeToLiveRequest&,
                                                              DurabilityTicket* = nullptr) = 0;
  virtual Result<ContinuousBackupsDescription> describe_continuous_backups(
      const DescribeContinuousBackupsRequest&, DurabilityTicket* = nullptr) = 0;

  virtual Result<PutItemResponse> put_item(const PutItemRequest&, DurabilityTicket* = nullptr) = 0;
  virtual Result<GetItemResponse> get_item(const GetItemRequest&, DurabilityTicket* = nullptr) = 0;
  virtual Result<UpdateItemResponse> update_item(const UpdateItemRequest&,
                                                 DurabilityTicket* = nullptr) = 0;
  virtual Result<DeleteItemResponse> delete_item(const DeleteItemRequest&,
                                                 DurabilityTicket* = nullptr) = 0;
  virtual Result<QueryResponse> query(const QueryRequest&, DurabilityTicket* = nullptr) = 0;
  virtual Result<ScanResponse> scan(const ScanRequest&, DurabilityTicket* = nullptr) = 0;

  virtual Result<BatchGetItemResponse> batch_get_item(const BatchGetItemRequest&,
                                                      DurabilityTicket* = nullptr) = 0;
  virtual Result<BatchWriteItemResponse> batch_write_item(const BatchWriteItemRequest&,
                                                          DurabilityTicket* = nullptr) = 0;
  virtual Result<TransactGetItemsResponse> transact_get_items(const TransactGetItemsRequest&,
                                                              DurabilityTicket* = nullptr) = 0;
  virtual Result<TransactWriteItemsResponse> transact_write_items(const TransactWriteItemsRequest&,
                                                                  DurabilityTicket* = nullptr) = 0;

  virtual Result<ListStreamsResponse> list_streams(const ListStreamsRequest&,
                                                   DurabilityTicket* = nullptr) = 0;
  virtual Result<StreamDescription> describe_stream(const DescribeStreamRequest&,
                                                    DurabilityTicket* = nullptr) = 0;
  virtual Result<GetShardIteratorResponse> get_shard_iterator(const GetShardIteratorRequest&,
                                                              DurabilityTicket* = nullptr) = 0;
  virtual Result<GetRecordsResponse> get_records(const GetRecordsRequest&,
                                                 DurabilityTicket* = nullptr) = 0;

  // True when an answer with this ticket may be handed on now.
  virtual bool is_durable(DurabilityTicket) const = 0;
  // Calls back, perhaps at once and perhaps on another thread, when the ticket is durable, or with
  // the reason why it never will be.
  virtual void when_durable(DurabilityTicket, std::function<void(Result<void>)> done) = 0;
};

}  // namespace partita
