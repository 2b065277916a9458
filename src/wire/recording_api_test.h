// An Api that remembers the request it was called with and answers what it was told to.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "partita/api.h"

namespace partita {

class RecordingApi final : public Api {
 public:
  // Requests borrow, so a test looks at them while the call lasts.
  std::function<Result<TableDescription>(const CreateTableRequest&)> on_create_table;
  std::function<Result<TableDescription>(const DescribeTableRequest&)> on_describe_table;
  std::function<Result<TableDescription>(const UpdateTableRequest&)> on_update_table;
  std::function<Result<TableDescription>(const DeleteTableRequest&)> on_delete_table;
  std::function<Result<ListTablesResponse>(const ListTablesRequest&)> on_list_tables;
  std::function<Result<TagResourceResponse>(const TagResourceRequest&)> on_tag_resource;
  std::function<Result<UntagResourceResponse>(const UntagResourceRequest&)> on_untag_resource;
  std::function<Result<ListTagsOfResourceResponse>(const ListTagsOfResourceRequest&)>
      on_list_tags_of_resource;
  std::function<Result<DescribeLimitsResponse>(const DescribeLimitsRequest&)> on_describe_limits;
  std::function<Result<DescribeEndpointsResponse>(const DescribeEndpointsRequest&)>
      on_describe_endpoints;
  std::function<Result<UpdateTimeToLiveResponse>(const UpdateTimeToLiveRequest&)>
      on_update_time_to_live;
  std::function<Result<TimeToLiveDescription>(const DescribeTimeToLiveRequest&)>
      on_describe_time_to_live;
  std::function<Result<ContinuousBackupsDescription>(const DescribeContinuousBackupsRequest&)>
      on_describe_continuous_backups;
  std::function<Result<ListStreamsResponse>(const ListStreamsRequest&)> on_list_streams;
  std::function<Result<StreamDescription>(const DescribeStreamRequest&)> on_describe_stream;
  std::function<Result<GetShardIteratorResponse>(const GetShardIteratorRequest&)>
      on_get_shard_iterator;
  std::function<Result<GetRecordsResponse>(const GetRecordsRequest&)> on_get_records;
  std::function<Result<PutItemResponse>(const PutItemRequest&)> on_put_item;
  std::function<Result<GetItemResponse>(const GetItemRequest&)> on_get_item;
  std::function<Result<UpdateItemResponse>(const UpdateItemRequest&)> on_update_item;
  std::function<Result<DeleteItemResponse>(const DeleteItemRequest&)> on_delete_item;
  std::function<Result<QueryResponse>(const QueryRequest&)> on_query;
  std::function<Result<ScanResponse>(const ScanRequest&)> on_scan;
  std::function<Result<BatchGetItemResponse>(const BatchGetItemRequest&)> on_batch_get_item;
  std::function<Result<BatchWriteItemResponse>(const BatchWriteItemRequest&)> on_batch_write_item;
  std::function<Result<TransactGetItemsResponse>(const TransactGetItemsRequest&)>
      on_transact_get_items;
  std::function<Result<TransactWriteItemsResponse>(const TransactWriteItemsRequest&)>
      on_transact_write_items;

  std::uint64_t version = 7;  // what tickets say
  int calls = 0;

  Result<TableDescription> create_table(const CreateTableRequest& request,
                                        DurabilityTicket* ticket) override {
    return answer(on_create_table, request, ticket);
  }
  Result<TableDescription> describe_table(const DescribeTableRequest& request,
                                          DurabilityTicket* ticket) override {
    return answer(on_describe_table, request, ticket);
  }
  Result<TableDescription> update_table(const UpdateTableRequest& request,
                                        DurabilityTicket* ticket) override {
    return answer(on_update_table, request, ticket);
  }
  Result<TableDescription> delete_table(const DeleteTableRequest& request,
                                        DurabilityTicket* ticket) override {
    return answer(on_delete_table, request, ticket);
  }
  Result<ListTablesResponse> list_tables(const ListTablesRequest& request,
                                         DurabilityTicket* ticket) override {
    return answer(on_list_tables, request, ticket);
  }
  Result<TagResourceResponse> tag_resource(const TagResourceRequest& request,
                                           DurabilityTicket* ticket) override {
    return answer(on_tag_resource, request, ticket);
  }
  Result<UntagResourceResponse> untag_resource(const UntagResourceRequest& request,
                                               DurabilityTicket* ticket) override {
    return answer(on_untag_resource, request, ticket);
  }
  Result<ListTagsOfResourceResponse> list_tags_of_resource(const ListTagsOfResourceRequest& request,
                                                           DurabilityTicket* ticket) override {
    return answer(on_list_tags_of_resource, request, ticket);
  }
  Result<DescribeLimitsResponse> describe_limits(const DescribeLimitsRequest& request,
                                                 DurabilityTicket* ticket) override {
    return answer(on_describe_limits, request, ticket);
  }
  Result<DescribeEndpointsResponse> describe_endpoints(const DescribeEndpointsRequest& request,
                                                       DurabilityTicket* ticket) override {
    return answer(on_describe_endpoints, request, ticket);
  }
  Result<UpdateTimeToLiveResponse> update_time_to_live(const UpdateTimeToLiveRequest& request,
                                                       DurabilityTicket* ticket) override {
    return answer(on_update_time_to_live, request, ticket);
  }
  Result<TimeToLiveDescription> describe_time_to_live(const DescribeTimeToLiveRequest& request,
                                                      DurabilityTicket* ticket) override {
    return answer(on_describe_time_to_live, request, ticket);
  }
  Result<ContinuousBackupsDescription> describe_continuous_backups(
      const DescribeContinuousBackupsRequest& request, DurabilityTicket* ticket) override {
    return answer(on_describe_continuous_backups, request, ticket);
  }
  Result<ListStreamsResponse> list_streams(const ListStreamsRequest& request,
                                           DurabilityTicket* ticket) override {
    return answer(on_list_streams, request, ticket);
  }
  Result<StreamDescription> describe_stream(const DescribeStreamRequest& request,
                                            DurabilityTicket* ticket) override {
    return answer(on_describe_stream, request, ticket);
  }
  Result<GetShardIteratorResponse> get_shard_iterator(const GetShardIteratorRequest& request,
                                                      DurabilityTicket* ticket) override {
    return answer(on_get_shard_iterator, request, ticket);
  }
  Result<GetRecordsResponse> get_records(const GetRecordsRequest& request,
                                         DurabilityTicket* ticket) override {
    return answer(on_get_records, request, ticket);
  }
  Result<PutItemResponse> put_item(const PutItemRequest& request,
                                   DurabilityTicket* ticket) override {
    return answer(on_put_item, request, ticket);
  }
  Result<GetItemResponse> get_item(const GetItemRequest& request,
                                   DurabilityTicket* ticket) override {
    return answer(on_get_item, request, ticket);
  }
  Result<UpdateItemResponse> update_item(const UpdateItemRequest& request,
                                         DurabilityTicket* ticket) override {
    return answer(on_update_item, request, ticket);
  }
  Result<DeleteItemResponse> delete_item(const DeleteItemRequest& request,
                                         DurabilityTicket* ticket) override {
    return answer(on_delete_item, request, ticket);
  }
  Result<QueryResponse> query(const QueryRequest& request, DurabilityTicket* ticket) override {
    return answer(on_query, request, ticket);
  }
  Result<ScanResponse> scan(const ScanRequest& request, DurabilityTicket* ticket) override {
    return answer(on_scan, request, ticket);
  }
  Result<BatchGetItemResponse> batch_get_item(const BatchGetItemRequest& request,
                                              DurabilityTicket* ticket) override {
    return answer(on_batch_get_item, request, ticket);
  }
  Result<BatchWriteItemResponse> batch_write_item(const BatchWriteItemRequest& request,
                                                  DurabilityTicket* ticket) override {
    return answer(on_batch_write_item, request, ticket);
  }
  Result<TransactGetItemsResponse> transact_get_items(const TransactGetItemsRequest& request,
                                                      DurabilityTicket* ticket) override {
    return answer(on_transact_get_items, request, ticket);
  }
  Result<TransactWriteItemsResponse> transact_write_items(const TransactWriteItemsRequest& request,
                                                          DurabilityTicket* ticket) override {
    return answer(on_transact_write_items, request, ticket);
  }
  bool is_durable(DurabilityTicket) const override { return true; }
  void when_durable(DurabilityTicket, std::function<void(Result<void>)> done) override { done({}); }

 private:
  // What an operation tells of values that are none, somewhere between its other checks.
  template <typename Request>
  static Result<void> check_values(const Request& request) {
    if constexpr (requires { request.value_faults; }) {
      if (const ValueFaults* faults = request.value_faults) {
        for (const auto* fault :
             {&faults->item, &faults->parameter, &faults->start_key, &faults->key_condition}) {
          if (*fault) return told_fault(**fault);
        }
      }
      const Error* fault = request.expression_attributes.value_fault;
      if (fault != nullptr) return told_fault(*fault);
    }
    return {};
  }

  template <typename Response, typename Request>
  Result<Response> answer(const std::function<Result<Response>(const Request&)>& told,
                          const Request& request, DurabilityTicket* ticket) {
    if (!told) PARTITA_CHECK(check_values(request));
    ++calls;
    ticket->version = version;
    if (told) return told(request);
    return Response();
  }
};

}  // namespace partita
