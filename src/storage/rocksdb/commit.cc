// How a commit is written: locks, guards, one batch under one version, then the books.
#include <algorithm>
#include <new>

#include "storage/rocksdb/durable_engine.h"

namespace partita {

namespace layout = rocksdb_layout;

namespace {

Error write_error(const rocksdb::Status& status) {
  if (status.IsNoSpace()) return disk_is_full("nothing was written");
  return Error::internal("The database could not be written: " + status.ToString());
}

Error space_is_gone() { return Error::resource_not_found("Requested resource not found"); }

}  // namespace

Result<Version> DurableEngine::commit(std::span<const PartitionBatch> batches, TimePoint now) {
  PARTITA_CHECK(sync_loop_.may_commit());
  const PartitionLocks::Held held(partition_locks_, batches);
  for (const PartitionBatch& batch : batches) PARTITA_CHECK(check_guards(batch));

  const std::lock_guard lock(commit_mutex_);
  PARTITA_CHECK(check_memory());
  for (const PartitionBatch& batch : batches) {
    if (dropped_.contains(batch.partition.space)) return space_is_gone();
  }
  // A version whose write fails is not given again: the failed record may yet be found in the log.
  const Version version = next_version_++;
  batch_.Clear();
  const std::int64_t time_ms = times_.prepare(now.time_since_epoch().count(), batch_);
  for (const PartitionBatch& batch : batches) write_rows(batch, version);
  write_changes(batches, version);
  write_sizes(batches, version, time_ms);
  RowCache::Writing cached(row_cache_, batches);
  PARTITA_CHECK(write_batch(version));
  cached.committed(version);
  remember_committed(version, time_ms);
  // Visible, and written as soon as there is room, but a kill would lose it: not to be called done.
  if (const WalFiles& log = store_->wal_files(); log.is_behind()) {
    constexpr std::string_view uncertain = "it is not certain that this was written";
    if (!log.has_failed()) return disk_is_full(uncertain);
    return Error::internal("The disk fails; " + std::string(uncertain) + ".");
  }
  return version;
}

// RocksDB takes memory for rows a mebibyte at a time, and a write that finds none leaves it
// unusable. So there must be some for more than is written between two checks.
Result<void> DurableEngine::check_memory() {
  constexpr std::size_t kBytesBetweenChecks = 256 << 10, kBytesAhead = 4 << 20;
  if (bytes_since_memory_check_ < kBytesBetweenChecks) return {};
  void* const ahead = ::operator new(kBytesAhead, std::nothrow);
  if (ahead == nullptr) {
    return Error(ErrorCode::ServiceUnavailable,
                 "The database is out of memory; nothing was written.");
  }
  ::operator delete(ahead);
  bytes_since_memory_check_ = 0;
  return {};
}

Result<void> DurableEngine::check_guards(const PartitionBatch& batch) {
  for (const Guard& guard : batch.guards) {
    PARTITA_TRY(const Version version, current_version(batch.partition, guard.key));
    if (version != guard.expected) {
      return Error(ErrorCode::Conflict, "A row has changed since it was read.");
    }
  }
  return {};
}

Result<Version> DurableEngine::current_version(const Partition& partition, const RowKey& key) {
  if (dropped_.contains(partition.space)) return Version{0};
  const layout::RowKeyBytes row_key(partition, key);
  if (const auto found = row_cache_.find(partition.hash, row_key.bytes()); found.row) {
    return found.row->version();
  }
  rocksdb::PinnableSlice value;
  const rocksdb::Status status =
      database().Get(rocksdb::ReadOptions(), database().DefaultColumnFamily(),
                     layout::slice(row_key.bytes()), &value);
  if (status.IsNotFound()) return Version{0};
  if (!status.ok()) return read_error(status);
  const auto row = layout::decode_row(layout::view(value));
  if (!row) return damaged_row();
  return row->version;
}

void DurableEngine::write_rows(const PartitionBatch& batch, Version version) {
  const layout::RowHeader header = layout::row_header(version, batch.partition.key.size());
  for (const Edit& edit : batch.edits) {
    const layout::RowKeyBytes row_key(batch.partition, edit.key);
    const rocksdb::Slice key = layout::slice(row_key.bytes());
    if (edit.value) {
      const rocksdb::Slice parts[] = {{header.bytes, sizeof header.bytes},
                                      layout::slice(*edit.value)};
      (void)batch_.Put(rocksdb::SliceParts(&key, 1), rocksdb::SliceParts(parts, 2));
    } else {
      (void)batch_.Delete(key);
      last_removal_.store(version, std::memory_order_release);
    }
  }
  if (batch.keeps_partition_size && batch.delta != Size{}) {
    (void)batch_.Merge(layout::partition_size_key(batch.partition),
                       layout::encode_size(batch.delta));
  }
}

// Numbers the records of each lane of each log across all batches of the commit.
void DurableEngine::write_changes(std::span<const PartitionBatch> batches, Version version) {
  change_ordinals_.clear();
  for (const PartitionBatch& batch : batches) {
    const Lane lane = lane_of(batch.partition.hash);
    for (const LoggedChange& change : batch.changes) {
      if (dropped_.contains(change.log)) continue;  // a stream that is over
      const auto place = std::pair(change.log, lane);
      auto ordinal = std::find_if(change_ordinals_.begin(), change_ordinals_.end(),
                                  [&](const auto& known) { return known.first == place; });
      if (ordinal == change_ordinals_.end()) {
        ordinal = change_ordinals_.emplace(change_ordinals_.end(), place, 0);
      }
      (void)batch_.Put(layout::change_key(change.log, lane, version, ordinal->second++),
                       layout::slice(change.record));
    }
  }
}

void DurableEngine::write_sizes(std::span<const PartitionBatch> batches, Version version,
                                std::int64_t time_ms) {
  new_sizes_.clear();
  {
    const std::lock_guard lock(sizes_mutex_);
    for (const PartitionBatch& batch : batches) {
      const SpaceId space = batch.partition.space;
      auto entry = std::find_if(new_sizes_.begin(), new_sizes_.end(),
                                [&](const auto& known) { return known.first == space; });
      if (entry == new_sizes_.end()) {
        const auto found = sizes_.find(space);
        entry = new_sizes_.emplace(new_sizes_.end(), space,
                                   found == sizes_.end() ? Size{} : found->second);
      }
      entry->second.items += batch.delta.items;
      entry->second.bytes += batch.delta.bytes;
    }
  }
  for (const auto& [space, size] : new_sizes_) {
    (void)batch_.Put(layout::kind_prefix(space, layout::kSpaceStateKind),
                     layout::encode_space_state({size, version, time_ms}));
  }
}

// The log reaches the disk with the next sync, and the operating system before this returns if
// nobody waits for syncs. A version whose write failed counts as committed, with nothing in it: a
// reader may wait for it already (last_removal).
Result<void> DurableEngine::write_batch(Version version) {
  WalFiles& log = store_->wal_files();
  rocksdb::Status status;
  if (log.is_behind()) status = log.catch_up();
  if (status.ok()) status = database().Write(rocksdb::WriteOptions(), &batch_);
  bytes_since_memory_check_ += batch_.GetDataSize();
  constexpr std::size_t kBatchKeptBytesMax = 1 << 20;
  if (batch_.Data().capacity() > kBatchKeptBytesMax) batch_ = rocksdb::WriteBatch();
  sync_loop_.committed(version);
  note_write(status);
  if (!status.ok()) return write_error(status);
  return {};
}

void DurableEngine::remember_committed(Version version, std::int64_t time_ms) {
  {
    const std::lock_guard lock(sizes_mutex_);
    for (const auto& [space, size] : new_sizes_) sizes_[space] = size;
  }
  times_.committed(time_ms, version);
  commits_.fetch_add(1, std::memory_order_relaxed);
}

Result<void> DurableEngine::trim_changes(SpaceId space, Lane lane, Version before) {
  PARTITA_CHECK(sync_loop_.may_commit());
  // From the oldest record there is, so that range deletions do not pile up over each other.
  std::string oldest;
  PARTITA_CHECK(changes(space, lane, 0, 0, {}, [&](const ChangeView& change) {
    oldest = layout::change_key(space, lane, change.version, change.ordinal);
    return false;
  }));
  const std::string end = layout::change_key(space, lane, before, 0);
  if (oldest.empty() || oldest >= end) return {};

  const std::lock_guard lock(commit_mutex_);
  const Version version = next_version_++;
  batch_.Clear();
  (void)batch_.DeleteRange(oldest, end);
  return write_batch(version);
}

// Called by the cleaner: the room of the space is free, its mark can go.
bool DurableEngine::forget_dropped(SpaceId space) {
  const std::lock_guard lock(commit_mutex_);
  batch_.Clear();
  (void)batch_.Delete(layout::dropped_space_key(space));
  return write_batch(next_version_++).has_value();
}

Result<void> DurableEngine::drop(SpaceId space) {
  PARTITA_CHECK(sync_loop_.may_commit());
  {
    const std::lock_guard lock(commit_mutex_);
    const Version version = next_version_++;
    const std::string begin = layout::space_key(space);
    batch_.Clear();
    (void)batch_.DeleteRange(begin, layout::key_after_prefix(begin));
    (void)batch_.Put(layout::dropped_space_key(space), rocksdb::Slice());
    last_removal_.store(version, std::memory_order_release);
    PARTITA_CHECK(write_batch(version));
    dropped_.add(space);
    const std::lock_guard sizes_lock(sizes_mutex_);
    sizes_.erase(space);
  }
  space_cleaner_.clean(space);
  return {};
}

}  // namespace partita
