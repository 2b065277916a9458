// GuardedApi: an Api that does what a policy lets its user do, and answers AccessDeniedException to
// everything else.
//
// Every operation asks before it passes the request on: a batch for each of its tables, a
// transaction for each of its actions. Because Api has no operation that is not pure, one that is
// added there must be decided on here before the program compiles.
#pragma once

#include <string>
#include <string_view>

#include "partita/api.h"

#include "auth/policy.h"
#include "expression/expression_cache.h"

namespace partita {

// In whose name requests come, and where the tables are: the words of ARNs.
struct AccessNames {
  std::string user;
  std::string region;
  std::string account_id;
};

class GuardedApi final : public Api {
 public:
  // `api` outlives it.
  GuardedApi(Api& api, Policy policy, AccessNames names);

  Result<TableDescription> create_table(const CreateTableRequest&, DurabilityTicket*) override;
  Result<TableDescription> describe_table(const DescribeTableRequest&, DurabilityTicket*) override;
  Result<TableDescription> update_table(const UpdateTableRequest&, DurabilityTicket*) override;
  Result<TableDescription> delete_table(const DeleteTableRequest&, DurabilityTicket*) override;
  Result<ListTablesResponse> list_tables(const ListTablesRequest&, DurabilityTicket*) override;
  Result<TagResourceResponse> tag_resource(const TagResourceRequest&, DurabilityTicket*) override;
  Result<UntagResourceResponse> untag_resource(const UntagResourceRequest&,
                                               DurabilityTicket*) override;
  Result<ListTagsOfResourceResponse> list_tags_of_resource(const ListTagsOfResourceRequest&,
                                                           DurabilityTicket*) override;
  Result<DescribeLimitsResponse> describe_limits(const DescribeLimitsRequest&,
                                                 DurabilityTicket*) override;
  Result<DescribeEndpointsResponse> describe_endpoints(const DescribeEndpointsRequest&,
                                                       DurabilityTicket*) override;
  Result<UpdateTimeToLiveResponse> update_time_to_live(const UpdateTimeToLiveRequest&,
                                                       DurabilityTicket*) override;
  Result<TimeToLiveDescription> describe_time_to_live(const DescribeTimeToLiveRequest&,
                                                      DurabilityTicket*) override;
  Result<ContinuousBackupsDescription> describe_continuous_backups(
      const DescribeContinuousBackupsRequest&, DurabilityTicket*) override;
  Result<ListStreamsResponse> list_streams(const ListStreamsRequest&, DurabilityTicket*) override;
  Result<StreamDescription> describe_stream(const DescribeStreamRequest&,
                                            DurabilityTicket*) override;
  Result<GetShardIteratorResponse> get_shard_iterator(const GetShardIteratorRequest&,
                                                      DurabilityTicket*) override;
  Result<GetRecordsResponse> get_records(const GetRecordsRequest&, DurabilityTicket*) override;
  Result<PutItemResponse> put_item(const PutItemRequest&, DurabilityTicket*) override;
  Result<GetItemResponse> get_item(const GetItemRequest&, DurabilityTicket*) override;
  Result<UpdateItemResponse> update_item(const UpdateItemRequest&, DurabilityTicket*) override;
  Result<DeleteItemResponse> delete_item(const DeleteItemRequest&, DurabilityTicket*) override;
  Result<QueryResponse> query(const QueryRequest&, DurabilityTicket*) override;
  Result<ScanResponse> scan(const ScanRequest&, DurabilityTicket*) override;
  Result<BatchGetItemResponse> batch_get_item(const BatchGetItemRequest&,
                                              DurabilityTicket*) override;
  Result<BatchWriteItemResponse> batch_write_item(const BatchWriteItemRequest&,
                                                  DurabilityTicket*) override;
  Result<TransactGetItemsResponse> transact_get_items(const TransactGetItemsRequest&,
                                                      DurabilityTicket*) override;
  Result<TransactWriteItemsResponse> transact_write_items(const TransactWriteItemsRequest&,
                                                          DurabilityTicket*) override;

  bool is_durable(DurabilityTicket ticket) const override { return api_.is_durable(ticket); }
  void when_durable(DurabilityTicket ticket, std::function<void(Result<void>)> done) override {
    api_.when_durable(ticket, std::move(done));
  }

 private:
  using Context = FunctionRef<ContextValues(ContextKey)>;

  Result<void> ask(std::string_view action, std::string_view resource, Context context) const;
  Result<void> ask_about_table(std::string_view action, std::string_view table_name,
                               const std::optional<std::string_view>& index_name,
                               Context context) const;
  // About operations that conditions know nothing of.
  Result<void> ask_about_table(std::string_view action, std::string_view table_name) const;
  // About items of a table. What else the context holds is in `more`.
  template <typename Request>
  Result<void> ask_about_items(std::string_view action, const Request& request,
                               std::span<const ItemView> items, Context more);
  template <typename Request>
  Result<void> ask_about_write(std::string_view action, const Request& request, ItemView item);
  // About a Query or Scan.
  template <typename Request>
  Result<void> ask_about_page(std::string_view action, const Request& request);

  std::vector<std::string> find_partition_key(
      std::string_view table_name, const std::optional<std::string_view>& index_name) const;

  Api& api_;
  const Policy policy_;
  const AccessNames names_;
  ExpressionCache expressions_;
};

}  // namespace partita
