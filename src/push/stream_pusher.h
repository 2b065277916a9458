// StreamPusher: reads a table's stream and delivers its records in batches, as Lambda does.
//
// It is a consumer like any other: shards are read parent before child, each in order. A batch that
// fails is tried again, with a pause drawn from a range that doubles each time, while other shards
// go on; how far each shard has been delivered is kept in the database. So every record is
// delivered in the order of its item, once unless the program ends between a delivery and its note.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>

#include "partita/database.h"

#include "base/log.h"
#include "base/random.h"
#include "push/delivery.h"
#include "push/event_filter.h"
#include "push/shard_progress.h"

namespace partita {

// Under the names, and with the meanings, of Lambda's event source mappings.
struct PushOptions {
  std::size_t batch_size = 100;
  std::chrono::milliseconds batch_window{0};  // how long to wait for a batch to fill
  std::string filter{};                       // event_filter.h
  std::int64_t retries_max = -1;              // -1: until the record is too old to be read
  std::chrono::seconds record_age_max{-1};    // -1: any
  bool bisect_on_error = false;
  bool report_failures = false;  // ReportBatchItemFailures: answers may name records that failed
  std::string dead_letters{};    // the file that what could not be delivered is appended to
  std::chrono::milliseconds timeout{60'000};
};

struct PushTarget {
  std::string table_name;
  std::string target;  // delivery.h
};

// "Orders=http://localhost:3000/hook,Users=exec:./on_user": one or more of them.
Result<std::vector<PushTarget>> parse_push_targets(std::string_view text);

class StreamPusher {
 public:
  static Result<std::unique_ptr<StreamPusher>> start(Database& database, PushTarget target,
                                                     PushOptions options, Log& log);
  ~StreamPusher();  // ends soon, also in the middle of a delivery
  StreamPusher(const StreamPusher&) = delete;
  StreamPusher& operator=(const StreamPusher&) = delete;

 private:
  StreamPusher(Database& database, PushTarget target, PushOptions options, Log& log,
               EventFilter filter, std::unique_ptr<Delivery> delivery, ShardProgress progress);

  void run();
  void pause(std::chrono::milliseconds time);
  bool find_stream();
  bool find_shards();
  bool serve(ShardInHand& shard);
  bool read(ShardInHand& shard);
  Result<std::string> first_iterator(const ShardInHand& shard);
  void take(ShardInHand& shard, StreamRecord record);
  bool is_due(const ShardInHand& shard) const;
  bool deliver(ShardInHand& shard);
  void delivered(ShardInHand& shard, std::size_t count);
  void failed(ShardInHand& shard, std::size_t count, const Error& why);
  void give_up(ShardInHand& shard, std::size_t count, std::string_view why);
  bool drop_what_is_too_old(ShardInHand& shard);
  void save_progress();

  Database& database_;
  const PushTarget target_;
  const PushOptions options_;
  Log& log_;
  const EventFilter filter_;
  const std::unique_ptr<Delivery> delivery_;
  SystemRandom random_;
  ShardProgress progress_;

  std::mutex mutex_;
  std::condition_variable stopped_;
  std::atomic<bool> stopping_ = false;
  std::thread thread_;  // last: it uses all of the above
};

}  // namespace partita
