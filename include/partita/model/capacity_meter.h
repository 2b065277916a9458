// CapacityMeter: an Api before another that adds up the capacity which requests consume.
//
//   CapacityMeter meter(database);
//   auto table = park.in(meter);
//   table.repository<dinosaur>().query<"by_diet">(Diet::carnivore).all();
//   EXPECT_LE(meter.take().read_units, 2);       // and starts anew
//
// It asks for the capacity of every request, so that a test can hold an access pattern to its
// price. explain (explain.h) estimates it without a request.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "partita/api.h"

namespace partita::model {

struct CapacityUse {
  double read_units = 0;
  double write_units = 0;
  std::map<std::string, double> by_index{};  // of both kinds, under the names of indexes
  std::int64_t requests = 0;                 // those that read or write items and succeeded
};

class CapacityMeter final : public Api {
 public:
  explicit CapacityMeter(Api& api) : api_(api) {}

  CapacityUse used() const;
  CapacityUse take();  // what was used, and starts anew

  Result<PutItemResponse> put_item(const PutItemRequest&, DurabilityTicket* = nullptr) override;
  Result<GetItemResponse> get_item(const GetItemRequest&, DurabilityTicket* = nullptr) override;
  Result<UpdateItemResponse> update_item(const UpdateItemRequest&,
                                         DurabilityTicket* = nullptr) override;
  Result<DeleteItemResponse> delete_item(const DeleteItemRequest&,
                                         DurabilityTicket* = nullptr) override;
  Result<QueryResponse> query(const QueryRequest&, DurabilityTicket* = nullptr) override;
  Result<ScanResponse> scan(const ScanRequest&, DurabilityTicket* = nullptr) override;
  Result<BatchGetItemResponse> batch_get_item(const BatchGetItemRequest&,
                                              DurabilityTicket* = nullptr) override;
  Result<BatchWriteItemResponse> batch_write_item(const BatchWriteItemRequest&,
                                                  DurabilityTicket* = nullptr) override;
  Result<TransactGetItemsResponse> transact_get_items(const TransactGetItemsRequest&,
                                                      DurabilityTicket* = nullptr) override;
  Result<TransactWriteItemsResponse> transact_write_items(const TransactWriteItemsRequest&,
                                                          DurabilityTicket* = nullptr) override;

  // The rest is handed on as it is.
  Result<TableDescription> create_table(const CreateTableRequest& r,
                                        DurabilityTicket* t = nullptr) override {
    return api_.create_table(r, t);
  }
  Result<TableDescription> describe_table(const DescribeTableRequest& r,
                                          DurabilityTicket* t = nullptr) override {
    return api_.describe_table(r, t);
  }
  Result<TableDescription> update_table(const UpdateTableRequest& r,
                                        DurabilityTicket* t = nullptr) override {
    return api_.update_table(r, t);
  }
  Result<TableDescription> delete_table(const DeleteTableRequest& r,
                                        DurabilityTicket* t = nullptr) override {
    return api_.delete_table(r, t);
  }
  Result<ListTablesResponse> list_tables(const ListTablesRequest& r,
                                         DurabilityTicket* t = nullptr) override {
    return api_.list_tables(r, t);
  }
  Result<TagResourceResponse> tag_resource(const TagResourceRequest& r,
                                           DurabilityTicket* t = nullptr) override {
    return api_.tag_resource(r, t);
  }
  Result<UntagResourceResponse> untag_resource(const UntagResourceRequest& r,
                                               DurabilityTicket* t = nullptr) override {
    return api_.untag_resource(r, t);
  }
  Result<ListTagsOfResourceResponse> list_tags_of_resource(const ListTagsOfResourceRequest& r,
                                                           DurabilityTicket* t = nullptr) override {
    return api_.list_tags_of_resource(r, t);
  }
  Result<DescribeLimitsResponse> describe_limits(const DescribeLimitsRequest& r,
                                                 DurabilityTicket* t = nullptr) override {
    return api_.describe_limits(r, t);
  }
  Result<DescribeEndpointsResponse> describe_endpoints(const DescribeEndpointsRequest& r,
                                                       DurabilityTicket* t = nullptr) override {
    return api_.describe_endpoints(r, t);
  }
  Result<UpdateTimeToLiveResponse> update_time_to_live(const UpdateTimeToLiveRequest& r,
                                                       DurabilityTicket* t = nullptr) override {
    return api_.update_time_to_live(r, t);
  }
  Result<TimeToLiveDescription> describe_time_to_live(const DescribeTimeToLiveRequest& r,
                                                      DurabilityTicket* t = nullptr) override {
    return api_.describe_time_to_live(r, t);
  }
  Result<ContinuousBackupsDescription> describe_continuous_backups(
      const DescribeContinuousBackupsRequest& r, DurabilityTicket* t = nullptr) override {
    return api_.describe_continuous_backups(r, t);
  }
  Result<ListStreamsResponse> list_streams(const ListStreamsRequest& r,
                                           DurabilityTicket* t = nullptr) override {
    return api_.list_streams(r, t);
  }
  Result<StreamDescription> describe_stream(const DescribeStreamRequest& r,
                                            DurabilityTicket* t = nullptr) override {
    return api_.describe_stream(r, t);
  }
  Result<GetShardIteratorResponse> get_shard_iterator(const GetShardIteratorRequest& r,
                                                      DurabilityTicket* t = nullptr) override {
    return api_.get_shard_iterator(r, t);
  }
  Result<GetRecordsResponse> get_records(const GetRecordsRequest& r,
                                         DurabilityTicket* t = nullptr) override {
    return api_.get_records(r, t);
  }
  bool is_durable(DurabilityTicket ticket) const override { return api_.is_durable(ticket); }
  void when_durable(DurabilityTicket ticket, std::function<void(Result<void>)> done) override {
    api_.when_durable(ticket, std::move(done));
  }

 private:
  template <typename Request, typename Response>
  Result<Response> measure(const Request& request, DurabilityTicket* ticket,
                           Result<Response> (Api::*call)(const Request&, DurabilityTicket*),
                           double CapacityUse::*sum);

  Api& api_;
  mutable std::mutex mutex_;
  CapacityUse used_;
};

}  // namespace partita::model
