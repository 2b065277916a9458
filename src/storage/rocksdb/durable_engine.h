// DurableEngine: the Engine over a Store. Reads are in durable_engine.cc, writes in commit.cc, what
// it tells of itself in engine_figures.cc.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include <rocksdb/db.h>
#include <rocksdb/write_batch.h>

#include "storage/engine.h"
#include "storage/rocksdb/commit_times.h"
#include "storage/rocksdb/dropped_spaces.h"
#include "storage/rocksdb/partition_locks.h"
#include "storage/rocksdb/rocksdb_engine.h"
#include "storage/rocksdb/row_cache.h"
#include "storage/rocksdb/row_layout.h"
#include "storage/rocksdb/space_cleaner.h"
#include "storage/rocksdb/store.h"
#include "storage/rocksdb/sync_loop.h"

namespace partita {

// What a directory says about itself when it is opened.
struct RecoveredState {
  Version opened_at = 0;  // beyond every version ever given here
  rocksdb_layout::SpaceState last_commit;
  std::unordered_map<SpaceId, Size> sizes;
  std::vector<SpaceId> dropped;
};
Result<RecoveredState> recover_state(Store& store);

class DurableEngine final : public Engine {
 public:
  DurableEngine(RocksdbOptions options, std::shared_ptr<Store> store, RecoveredState state);

  Capabilities capabilities() const override;
  EngineCounters counters() const override;
  std::vector<EngineFigure> own_figures() const override;
  Result<void> accepts_writes() const override;
  std::shared_ptr<const View> view() override;
  Result<void> get(const Partition&, std::span<const RowKey>, const View*, RowSink) override;
  Result<void> range(const Partition&, const KeyRange&, Direction, ReadHint, const View*,
                     RowSink) override;
  Result<void> scan(SpaceId, Slot, HashRange, const std::optional<ScanStart>&, ReadHint,
                    const View*, RowSink) override;
  Result<Version> commit(std::span<const PartitionBatch>, TimePoint now) override;
  void when_durable(Version v, std::function<void(Result<void>)> done) override;
  Version durable() const override;
  Version last_removal() const override;
  Result<Version> version_at(TimePoint t) override;
  Result<void> changes(SpaceId, Lane, Version after, std::uint32_t after_ordinal, ReadHint,
                       ChangeSink) override;
  Result<void> trim_changes(SpaceId, Lane, Version before) override;
  Result<Size> size(SpaceId, const Partition*) override;
  Result<void> drop(SpaceId) override;
  Result<std::unique_ptr<Engine>> fork(std::string_view where) override;

 private:
  rocksdb::DB& database() { return store_->database(); }

  Result<void> get_one(const Partition&, const RowKey&, const View*, RowSink);
  Result<void> get_cached(const Partition&, const RowKey&, RowSink);
  Result<void> get_many(const Partition&, std::span<const RowKey>, const View*, RowSink);

  // Parts of commit, in the order in which they happen.
  Result<void> check_memory();
  Result<void> check_guards(const PartitionBatch&);
  Result<Version> current_version(const Partition&, const RowKey&);
  void write_rows(const PartitionBatch&, Version);
  void write_changes(std::span<const PartitionBatch>, Version);
  void write_sizes(std::span<const PartitionBatch>, Version, std::int64_t time_ms);
  Result<void> write_batch(Version);
  void remember_committed(Version, std::int64_t time_ms);
  bool forget_dropped(SpaceId);
  void note_write(const rocksdb::Status&);

  const RocksdbOptions options_;
  const std::shared_ptr<Store> store_;  // views hold it too

  PartitionLocks partition_locks_;
  RowCache row_cache_;
  DroppedSpaces dropped_;
  std::mutex sizes_mutex_;
  std::unordered_map<SpaceId, Size> sizes_;

  // Held from the giving of a version until its batch is written: the order of versions is the
  // order of visibility. Guards next_version_, batch_, new_sizes_ and change_ordinals_, and the
  // order of calls on times_ and sync_loop_.
  std::mutex commit_mutex_;
  Version next_version_;
  rocksdb::WriteBatch batch_;
  std::vector<std::pair<SpaceId, Size>> new_sizes_;
  std::vector<std::pair<std::pair<SpaceId, Lane>, std::uint32_t>> change_ordinals_;
  CommitTimes times_;
  std::size_t bytes_since_memory_check_ = 0;

  std::atomic<bool> last_write_failed_{false};  // for another reason than a full disk
  mutable std::mutex write_failure_mutex_;
  std::string write_failure_;

  std::atomic<Version> last_removal_{0};  // raised with commit_mutex_ held
  std::atomic<std::uint64_t> lookups_{0}, cursors_{0}, commits_{0};

  // Threads: stopped first, in the reverse of this order.
  SyncLoop sync_loop_;
  SpaceCleaner space_cleaner_;
};

Error read_error(const rocksdb::Status& status);
Error damaged_row();
Error disk_is_full(std::string_view consequence);

}  // namespace partita
