// For tests: an Api with one table, whose writes (DeleteTable) become durable when the test says
// so.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "partita/api.h"

namespace partita {

class TestApi final : public Api {
 public:
  ~TestApi() override {
    ending_ = true;
    if (syncer_.joinable()) syncer_.join();
  }

  std::atomic<bool> throw_on_list_tables = false;
  std::atomic<std::chrono::milliseconds> list_tables_takes{};

  void set_table_name(std::string name) { table_name_ = std::move(name); }  // before requests
  int calls() const { return calls_; }
  std::size_t threads_seen() {
    const std::lock_guard lock(mutex_);
    return threads_.size();
  }

  // From now on answers to writes wait until one of the functions below lets them go.
  void hold_durability() { holding_ = true; }
  void wait_for_held(int count) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return held_.size() >= static_cast<std::size_t>(count); });
  }
  void release_one(std::size_t index) { take(index)({}); }
  void fail_one(std::size_t index, Error reason = Error::internal("the disk is gone")) {
    take(index)(std::move(reason));
  }
  void release_durability() {
    holding_ = false;
    release_all();
  }
  // Hold, and let all go from another thread at this pace, as a sync thread does.
  void sync_every(std::chrono::milliseconds pace) {
    hold_durability();
    syncer_ = std::thread([this, pace] {
      while (!ending_) {
        std::this_thread::sleep_for(pace);
        release_all();
      }
    });
  }

  void hold_transactions(bool hold) {
    const std::lock_guard lock(mutex_);
    holding_transactions_ = hold;
    changed_.notify_all();
  }

  Result<ListTablesResponse> list_tables(const ListTablesRequest&, DurabilityTicket*) override {
    count_call();
    std::this_thread::sleep_for(list_tables_takes.load());
    if (throw_on_list_tables) throw std::runtime_error("a library threw");
    return ListTablesResponse{.table_names = {table_name_}};
  }
  Result<TableDescription> delete_table(const DeleteTableRequest&,
                                        DurabilityTicket* ticket) override {
    count_call();
    if (holding_) ticket->version = 1;
    return TableDescription{};
  }

  bool is_durable(DurabilityTicket) const override { return false; }
  void when_durable(DurabilityTicket, std::function<void(Result<void>)> done) override {
    {
      const std::lock_guard lock(mutex_);
      if (holding_) {
        held_.push_back(std::move(done));
        changed_.notify_all();
        return;
      }
    }
    done({});
  }

  // Operations no test calls.
  Result<TableDescription> create_table(const CreateTableRequest&, DurabilityTicket*) override {
    return unexpected();
  }
  Result<TableDescription> describe_table(const DescribeTableRequest&, DurabilityTicket*) override {
    return unexpected();
  }
  Result<TableDescription> update_table(const UpdateTableRequest&, DurabilityTicket*) override {
    return unexpected();
  }
  Result<TagResourceResponse> tag_resource(const TagResourceRequest&, DurabilityTicket*) override {
    return unexpected();
  }
  Result<UntagResourceResponse> untag_resource(const UntagResourceRequest&,
                                               DurabilityTicket*) override {
    return unexpected();
  }
  Result<ListTagsOfResourceResponse> list_tags_of_resource(const ListTagsOfResourceRequest&,
                                                           DurabilityTicket*) override {
    return unexpected();
  }
  Result<DescribeLimitsResponse> describe_limits(const DescribeLimitsRequest&,
                                                 DurabilityTicket*) override {
    return unexpected();
  }
  Result<DescribeEndpointsResponse> describe_endpoints(const DescribeEndpointsRequest&,
                                                       DurabilityTicket*) override {
    return unexpected();
  }
  Result<UpdateTimeToLiveResponse> update_time_to_live(const UpdateTimeToLiveRequest&,
                                                       DurabilityTicket*) override {
    return unexpected();
  }
  Result<TimeToLiveDescription> describe_time_to_live(const DescribeTimeToLiveRequest&,
                                                      DurabilityTicket*) override {
    return unexpected();
  }
  Result<ContinuousBackupsDescription> describe_continuous_backups(
      const DescribeContinuousBackupsRequest&, DurabilityTicket*) override {
    return unexpected();
  }
  Result<ListStreamsResponse> list_streams(const ListStreamsRequest&, DurabilityTicket*) override {
    return unexpected();
  }
  Result<StreamDescription> describe_stream(const DescribeStreamRequest&,
                                            DurabilityTicket*) override {
    return unexpected();
  }
  Result<GetShardIteratorResponse> get_shard_iterator(const GetShardIteratorRequest&,
                                                      DurabilityTicket*) override {
    return unexpected();
  }
  Result<GetRecordsResponse> get_records(const GetRecordsRequest&, DurabilityTicket*) override {
    return unexpected();
  }
  Result<PutItemResponse> put_item(const PutItemRequest&, DurabilityTicket*) override {
    return unexpected();
  }
  Result<GetItemResponse> get_item(const GetItemRequest&, DurabilityTicket*) override {
    return unexpected();
  }
  Result<UpdateItemResponse> update_item(const UpdateItemRequest&, DurabilityTicket*) override {
    return unexpected();
  }
  Result<DeleteItemResponse> delete_item(const DeleteItemRequest&, DurabilityTicket*) override {
    return unexpected();
  }
  Result<QueryResponse> query(const QueryRequest&, DurabilityTicket*) override {
    return unexpected();
  }
  Result<ScanResponse> scan(const ScanRequest&, DurabilityTicket*) override { return unexpected(); }
  Result<BatchGetItemResponse> batch_get_item(const BatchGetItemRequest&,
                                              DurabilityTicket*) override {
    return unexpected();
  }
  Result<BatchWriteItemResponse> batch_write_item(const BatchWriteItemRequest&,
                                                  DurabilityTicket*) override {
    return unexpected();
  }
  Result<TransactGetItemsResponse> transact_get_items(const TransactGetItemsRequest&,
                                                      DurabilityTicket*) override {
    return unexpected();
  }
  // Waits as long as transactions are held.
  Result<TransactWriteItemsResponse> transact_write_items(const TransactWriteItemsRequest&,
                                                          DurabilityTicket* ticket) override {
    count_call();
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return !holding_transactions_; });
    if (holding_) ticket->version = 1;
    return TransactWriteItemsResponse{};
  }

 private:
  using Done = std::function<void(Result<void>)>;

  static Error unexpected() { return Error::internal("no test calls this"); }
  void count_call() {
    ++calls_;
    const std::lock_guard lock(mutex_);
    threads_.insert(std::this_thread::get_id());
  }
  Done take(std::size_t index) {
    const std::lock_guard lock(mutex_);
    Done done = std::move(held_.at(index));
    held_[index] = [](Result<void>) {};
    return done;
  }
  void release_all() {
    std::vector<Done> released;
    {
      const std::lock_guard lock(mutex_);
      released.swap(held_);
    }
    for (Done& done : released) done({});
  }

  std::string table_name_ = "table";
  std::atomic<int> calls_ = 0;
  std::atomic<bool> holding_ = false;
  bool holding_transactions_ = false;  // under mutex_
  std::atomic<bool> ending_ = false;
  std::thread syncer_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Done> held_;
  std::set<std::thread::id> threads_;
};

}  // namespace partita
