// Database: DynamoDB inside your process.
//
//   auto database = partita::Database::open({.data_directory = "music"});
//   if (!database) { std::cerr << database.error().message() << '\n'; return 1; }
//   auto stored = (*database)->put_item({.table_name = "Songs", .item = item});
//
// One process can hold many databases; there is no state outside the object. Destroying it waits
// for calls under way, makes everything durable and closes the files.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "partita/api.h"
#include "partita/clock.h"
#include "partita/figures.h"
#include "partita/options.h"

namespace partita {

class Database final : public Api {
 public:
  // Opens or creates. Fails with one sentence for a person (ErrorCode::CannotOpen).
  static Result<std::unique_ptr<Database>> open(Options options);
  // A database that lives as long as the object.
  static std::unique_ptr<Database> in_memory();

  ~Database() override;

  Result<TableDescription> create_table(const CreateTableRequest&,
                                        DurabilityTicket* = nullptr) override;
  Result<TableDescription> describe_table(const DescribeTableRequest&,
                                          DurabilityTicket* = nullptr) override;
  Result<TableDescription> update_table(const UpdateTableRequest&,
                                        DurabilityTicket* = nullptr) override;
  Result<TableDescription> delete_table(const DeleteTableRequest&,
                                        DurabilityTicket* = nullptr) override;
  Result<ListTablesResponse> list_tables(const ListTablesRequest&,
                                         DurabilityTicket* = nullptr) override;
  Result<TagResourceResponse> tag_resource(const TagResourceRequest&,
                                           DurabilityTicket* = nullptr) override;
  Result<UntagResourceResponse> untag_resource(const UntagResourceRequest&,
                                               DurabilityTicket* = nullptr) override;
  Result<ListTagsOfResourceResponse> list_tags_of_resource(const ListTagsOfResourceRequest&,
                                                           DurabilityTicket* = nullptr) override;
  Result<DescribeLimitsResponse> describe_limits(const DescribeLimitsRequest&,
                                                 DurabilityTicket* = nullptr) override;
  Result<DescribeEndpointsResponse> describe_endpoints(const DescribeEndpointsRequest&,
                                                       DurabilityTicket* = nullptr) override;
  Result<UpdateTimeToLiveResponse> update_time_to_live(const UpdateTimeToLiveRequest&,
                                                       DurabilityTicket* = nullptr) override;
  Result<TimeToLiveDescription> describe_time_to_live(const DescribeTimeToLiveRequest&,
                                                      DurabilityTicket* = nullptr) override;
  Result<ContinuousBackupsDescription> describe_continuous_backups(
      const DescribeContinuousBackupsRequest&, DurabilityTicket* = nullptr) override;
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
  Result<ListStreamsResponse> list_streams(const ListStreamsRequest&,
                                           DurabilityTicket* = nullptr) override;
  Result<StreamDescription> describe_stream(const DescribeStreamRequest&,
                                            DurabilityTicket* = nullptr) override;
  Result<GetShardIteratorResponse> get_shard_iterator(const GetShardIteratorRequest&,
                                                      DurabilityTicket* = nullptr) override;
  Result<GetRecordsResponse> get_records(const GetRecordsRequest&,
                                         DurabilityTicket* = nullptr) override;

  // For a consumer of streams: notes how far it has come, in its own words, durably; nothing if it
  // never did.
  Result<std::optional<std::string>> checkpoint(std::string_view consumer) const;
  Result<void> set_checkpoint(std::string_view consumer, std::string_view text);

  // With Options::index_lag: brings global indexes up to date with everything written so far, now.
  // For tests that want to see both sides of the lag without waiting for it.
  Result<void> settle_indexes();

  // Deletes what has expired by now (Options::expiry_delay included) without waiting for the
  // background to do it, and says how many items that were.
  Result<std::size_t> expire_items();

  // The clock it goes by. Freezing, setting and advancing it takes effect at once.
  MovableClock& clock() const;

  bool is_durable(DurabilityTicket) const override;
  void when_durable(DurabilityTicket, std::function<void(Result<void>)> done) override;

  // Cheap enough to be asked every second, also with thousands of tables.
  DatabaseFigures figures() const;
  // Ok, or one sentence that says why writes fail (the disk is full, a sync failed) and what to do.
  Result<void> accepts_writes() const;

 private:
  struct Parts;
  explicit Database(std::unique_ptr<Parts> parts);
  std::unique_ptr<Parts> parts_;
};

}  // namespace partita
