// What the durable engine tells of itself: counts, RocksDB's own figures, whether it can write.
#include <filesystem>

#include "storage/rocksdb/durable_engine.h"

namespace partita {
namespace {

struct Property {
  const char* rocksdb_name;
  std::string_view name;
  std::string_view meaning;
};

// Each costs RocksDB a short lock and no reading of files.
constexpr Property kProperties[] = {
    {"rocksdb.block-cache-usage", "rocksdb_block_cache_bytes", "Blocks of tables held in memory."},
    {"rocksdb.block-cache-capacity", "rocksdb_block_cache_capacity_bytes",
     "What the block cache may hold."},
    {"rocksdb.cur-size-all-mem-tables", "rocksdb_memtable_bytes",
     "Writes held in memory that are not yet in a table file (the log has them)."},
    {"rocksdb.estimate-table-readers-mem", "rocksdb_table_reader_bytes",
     "Indexes and filters of open table files."},
    {"rocksdb.total-sst-files-size", "rocksdb_table_file_bytes", "Table files on disk."},
    {"rocksdb.estimate-pending-compaction-bytes", "rocksdb_pending_compaction_bytes",
     "What compaction still has to rewrite; writes slow down when it grows without end."},
    {"rocksdb.num-running-compactions", "rocksdb_running_compactions", "Compactions under way."},
    {"rocksdb.num-running-flushes", "rocksdb_running_flushes", "Memtables being written out."},
    {"rocksdb.background-errors", "rocksdb_background_errors",
     "Flushes and compactions that failed since the start."},
    {"rocksdb.is-write-stopped", "rocksdb_write_stopped",
     "1 while writes wait for flushes or compactions."},
};

}  // namespace

EngineCounters DurableEngine::counters() const {
  return {lookups_.load(std::memory_order_relaxed),
          cursors_.load(std::memory_order_relaxed),
          commits_.load(std::memory_order_relaxed),
          sync_loop_.syncs(),
          sync_loop_.sync_time(),
          sync_loop_.unsynced()};
}

std::vector<EngineFigure> DurableEngine::own_figures() const {
  std::vector<EngineFigure> figures;
  for (const Property& property : kProperties) {
    std::uint64_t value = 0;
    if (store_->database().GetIntProperty(property.rocksdb_name, &value)) {
      figures.push_back({property.name, property.meaning, static_cast<double>(value)});
    }
  }
  const RowCache::Figures cache = row_cache_.figures();
  figures.push_back({"row_cache_bytes", "Items held in memory, as they were last read or written.",
                     static_cast<double>(cache.bytes)});
  figures.push_back({"row_cache_capacity_bytes", "What the row cache may hold (--cache-mb).",
                     static_cast<double>(cache.bytes_max)});
  figures.push_back({"row_cache_hits", "Items that a read found in the row cache.",
                     static_cast<double>(cache.hits)});
  figures.push_back({"row_cache_misses", "Items that it had to look for in RocksDB.",
                     static_cast<double>(cache.misses)});
  std::error_code failure;
  const auto space = std::filesystem::space(options_.directory, failure);
  if (!failure) {
    figures.push_back({"data_directory_free_bytes",
                       "Room left on the disk that holds the data directory.",
                       static_cast<double>(space.available)});
  }
  return figures;
}

// After most failures RocksDB refuses every further write. A full disk it gets over.
void DurableEngine::note_write(const rocksdb::Status& status) {
  const bool failed = !status.ok() && !status.IsNoSpace();
  if (failed == last_write_failed_.load(std::memory_order_relaxed)) return;
  const std::lock_guard lock(write_failure_mutex_);
  write_failure_ = failed ? status.ToString() : "";
  last_write_failed_.store(failed, std::memory_order_relaxed);
}

Result<void> DurableEngine::accepts_writes() const {
  PARTITA_CHECK(sync_loop_.may_commit());
  if (last_write_failed_.load(std::memory_order_relaxed)) {
    const std::lock_guard lock(write_failure_mutex_);
    return Error::internal("The database could not be written (" + write_failure_ +
                           "); check the disk, then open it again.");
  }
  if (store_->wal_files().is_behind() || store_->has_stopped()) {
    return disk_is_full("make room on it; writes go on by themselves then");
  }
  return {};
}

}  // namespace partita
