#include "storage/rocksdb/store.h"

#include <algorithm>
#include <atomic>

#include <rocksdb/cache.h>
#include <rocksdb/convenience.h>
#include <rocksdb/filter_policy.h>
#include <rocksdb/listener.h>
#include <rocksdb/options.h>
#include <rocksdb/perf_level.h>
#include <rocksdb/table.h>
#include <sys/resource.h>

#include "storage/rocksdb/data_directory.h"
#include "storage/rocksdb/size_sum.h"

namespace partita {

namespace {

constexpr std::size_t kMiB = 1 << 20;

rocksdb::BlockBasedTableOptions table_options() {
  rocksdb::BlockBasedTableOptions table;
  table.format_version = 5;
  table.checksum = rocksdb::kXXH3;  // Debian's build has no hardware CRC
  table.filter_policy.reset(rocksdb::NewBloomFilterPolicy(10));
  table.block_cache = rocksdb::NewLRUCache(64 * kMiB, /*num_shard_bits=*/4);
  return table;
}

// A quarter of the descriptors at most: clients need some too, and a file that cannot be opened
// stops all writing.
int open_files_max() {
  constexpr rlim_t kWanted = 512, kLeast = 20;  // RocksDB takes no less than 20
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return static_cast<int>(kWanted);
  return static_cast<int>(std::clamp(limit.rlim_cur / 4, kLeast, kWanted));
}

void tune_memory_and_files(rocksdb::Options& options) {
  options.write_buffer_size = 48 * kMiB;
  options.arena_block_size = kMiB;
  options.max_write_buffer_number = 2;
  // Most guards and many reads ask for rows that are not in the memtable.
  options.memtable_prefix_bloom_size_ratio = 0.02;
  options.memtable_whole_key_filtering = true;
  // A size read folds the deltas written since; this bounds their number.
  options.max_successive_merges = 32;
  options.allow_concurrent_memtable_write = false;  // commits write one at a time
  options.max_background_jobs = 2;
  options.max_open_files = open_files_max();
  options.bytes_per_sync = kMiB;
  options.level_compaction_dynamic_level_bytes = true;
  options.avoid_unnecessary_blocking_io = true;
  const std::vector<rocksdb::CompressionType> supported = rocksdb::GetSupportedCompressions();
  const bool has_lz4 =
      std::find(supported.begin(), supported.end(), rocksdb::kLZ4Compression) != supported.end();
  options.compression = has_lz4 ? rocksdb::kLZ4Compression : rocksdb::kNoCompression;
}

void tune_opening(rocksdb::Options& options) {
  options.create_if_missing = true;
  // A power cut leaves a torn record at the end of the log, which is no reason not to open: replay
  // up to it. Nothing behind it was ever acknowledged.
  options.wal_recovery_mode = rocksdb::WALRecoveryMode::kPointInTimeRecovery;
  options.skip_stats_update_on_db_open = true;
  options.max_file_opening_threads = 1;  // starting sixteen costs more than a few files do
  options.info_log_level = rocksdb::WARN_LEVEL;
  options.keep_log_file_num = 2;
  options.max_log_file_size = kMiB;
  options.manifest_preallocation_size = 64 * 1024;
  options.stats_dump_period_sec = 0;
  options.stats_persist_period_sec = 0;
}

// RocksDB counts key comparisons and the like for each thread, through two calls into the dynamic
// linker for each of them. Nobody reads these counts.
void stop_counting_on_this_thread() {
  thread_local constinit bool stopped = false;
  if (stopped) return;
  stopped = true;
  rocksdb::SetPerfLevel(rocksdb::PerfLevel::kDisable);
}

}  // namespace

rocksdb::DB& Store::database() {
  stop_counting_on_this_thread();
  return *database_;
}

class Store::SpaceWatch final : public rocksdb::EventListener {
 public:
  bool has_stopped() const { return stopped_.load(std::memory_order_relaxed); }

  void OnBackgroundError(rocksdb::BackgroundErrorReason, rocksdb::Status* error) override {
    if (error->IsNoSpace() && error->severity() >= rocksdb::Status::kHardError) stopped_ = true;
  }
  void OnErrorRecoveryEnd(const rocksdb::BackgroundErrorRecoveryInfo& recovery) override {
    if (recovery.new_bg_error.ok()) stopped_ = false;
  }

 private:
  std::atomic<bool> stopped_ = false;
};

bool Store::has_stopped() const { return space_watch_->has_stopped(); }

Result<std::shared_ptr<Store>> Store::open(const RocksdbOptions& wanted) {
  const std::shared_ptr<rocksdb::FileSystem> files =
      wanted.file_system != nullptr ? wanted.file_system : rocksdb::FileSystem::Default();
  PARTITA_CHECK(prepare_data_directory(*files, wanted.directory));

  std::shared_ptr<Store> store(new Store());
  store->wal_files_ = std::make_shared<WalFiles>(
      files, wanted.directory,
      wanted.sync ? WalFiles::Appends::WithSync : WalFiles::Appends::AtOnce);
  store->env_ = rocksdb::NewCompositeEnv(store->wal_files_);

  store->space_watch_ = std::make_shared<SpaceWatch>();

  rocksdb::Options options;
  options.listeners.push_back(store->space_watch_);
  options.env = store->env_.get();
  options.table_factory.reset(rocksdb::NewBlockBasedTableFactory(table_options()));
  options.merge_operator = size_sum_operator();
  options.compaction_filter = zero_size_filter();
  tune_memory_and_files(options);
  tune_opening(options);

  rocksdb::DB* database = nullptr;
  const rocksdb::Status status = rocksdb::DB::Open(options, wanted.directory, &database);
  if (!status.ok()) return cannot_open(wanted.directory, status);
  store->database_.reset(database);
  return store;
}

Store::~Store() {
  if (database_ == nullptr) return;
  // What is in tables need not be replayed from the log by the next opening.
  (void)database_->Flush(rocksdb::FlushOptions());
  (void)database_->Close();
}

}  // namespace partita
