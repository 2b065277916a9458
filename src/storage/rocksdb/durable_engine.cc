#include "storage/rocksdb/durable_engine.h"

#include <algorithm>
#include <utility>

#include <rocksdb/utilities/checkpoint.h>

#include "storage/rocksdb/data_directory.h"

namespace partita {

namespace layout = rocksdb_layout;

namespace {

class SnapshotView final : public View {
 public:
  explicit SnapshotView(std::shared_ptr<Store> store)
      : store_(std::move(store)), snapshot_(store_->database().GetSnapshot()) {}
  ~SnapshotView() override { store_->database().ReleaseSnapshot(snapshot_); }
  const rocksdb::Snapshot* snapshot() const { return snapshot_; }

 private:
  const std::shared_ptr<Store> store_;
  const rocksdb::Snapshot* const snapshot_;
};

rocksdb::ReadOptions read_options(const View* view) {
  rocksdb::ReadOptions options;
  if (view != nullptr) options.snapshot = static_cast<const SnapshotView*>(view)->snapshot();
  return options;
}

// Keys from lower up to, but not including, upper. The strings must outlive the iterator.
class Cursor {
 public:
  Cursor(rocksdb::DB& database, rocksdb::ReadOptions options, const std::string& lower,
         const std::string& upper, Direction direction)
      : lower_(lower), upper_(upper), direction_(direction) {
    options.iterate_lower_bound = &lower_;
    options.iterate_upper_bound = &upper_;
    iterator_.reset(database.NewIterator(options));
    if (direction_ == Direction::Forward) {
      iterator_->Seek(lower_);
    } else {
      iterator_->SeekToLast();
    }
  }
  bool valid() const { return iterator_->Valid(); }
  void next() { direction_ == Direction::Forward ? iterator_->Next() : iterator_->Prev(); }
  Bytes key() const { return layout::view(iterator_->key()); }
  Bytes value() const { return layout::view(iterator_->value()); }
  Result<void> end() const {
    if (!iterator_->status().ok()) return read_error(iterator_->status());
    return {};
  }

 private:
  const rocksdb::Slice lower_, upper_;
  const Direction direction_;
  std::unique_ptr<rocksdb::Iterator> iterator_;
};

// Without a hint RocksDB finds out by itself that a reader goes on; a hint saves it the first
// steps.
void set_readahead(rocksdb::ReadOptions& options, ReadHint hint) {
  constexpr std::size_t kReadaheadBytesMin = 64 * 1024, kReadaheadBytesMax = 512 * 1024;
  if (hint.bytes >= kReadaheadBytesMin) {
    options.readahead_size = std::min<std::size_t>(hint.bytes, kReadaheadBytesMax);
  }
}

// A value read into memory that the next read on this thread uses again. A sink may itself read, so
// the value may be taken.
class ReusedValue {
 public:
  ReusedValue() : value_(std::exchange(idle(), nullptr)) {
    if (value_ == nullptr) value_ = std::make_unique<rocksdb::PinnableSlice>();
  }
  ~ReusedValue() {
    value_->Reset();
    if (value_->GetSelf()->capacity() <= kKeptBytesMax) idle() = std::move(value_);
  }
  rocksdb::PinnableSlice& operator*() { return *value_; }
  rocksdb::PinnableSlice* get() { return value_.get(); }

 private:
  static constexpr std::size_t kKeptBytesMax = 64 * 1024;
  static std::unique_ptr<rocksdb::PinnableSlice>& idle() {
    thread_local std::unique_ptr<rocksdb::PinnableSlice> value;
    return value;
  }
  std::unique_ptr<rocksdb::PinnableSlice> value_;
};

}  // namespace

Error read_error(const rocksdb::Status& status) {
  return Error::internal("The database could not be read: " + status.ToString());
}

Error disk_is_full(std::string_view consequence) {
  return Error(ErrorCode::ServiceUnavailable,
               "The disk that holds the database is full; " + std::string(consequence) + ".");
}

Error damaged_row() { return Error::internal("The database holds a row that is damaged."); }

DurableEngine::DurableEngine(RocksdbOptions options, std::shared_ptr<Store> store,
                             RecoveredState state)
    : options_(std::move(options)),
      store_(std::move(store)),
      row_cache_(options_.cache_bytes),
      sizes_(std::move(state.sizes)),
      next_version_(state.opened_at + 1),
      times_(state.last_commit.time_ms, state.last_commit.version),
      sync_loop_(options_.sync ? SyncLoop::Mode::Synced : SyncLoop::Mode::Relaxed, state.opened_at,
                 [files = &store_->wal_files()]() -> Result<void> {
                   const rocksdb::IOStatus status = files->sync();
                   if (status.IsNoSpace()) return disk_is_full("this is not yet durable");
                   if (!status.ok()) return Error::internal(status.ToString());
                   return {};
                 }),
      space_cleaner_(store_->database(), state.dropped,
                     [this](SpaceId space) { return forget_dropped(space); }) {
  for (const SpaceId space : state.dropped) dropped_.add(space);
}

Capabilities DurableEngine::capabilities() const {
  return {.views = true, .forks = true, .cheap_multi_partition = true};
}

std::shared_ptr<const View> DurableEngine::view() { return std::make_shared<SnapshotView>(store_); }

Result<void> DurableEngine::get(const Partition& partition, std::span<const RowKey> keys,
                                const View* view, RowSink sink) {
  lookups_.fetch_add(keys.size(), std::memory_order_relaxed);
  if (keys.empty() || dropped_.contains(partition.space)) return {};
  if (keys.size() > 1) return get_many(partition, keys, view, sink);
  const bool cached = view == nullptr && keys[0].slot == Slot::Item;
  return cached ? get_cached(partition, keys[0], sink) : get_one(partition, keys[0], view, sink);
}

Result<void> DurableEngine::get_cached(const Partition& partition, const RowKey& key,
                                       RowSink sink) {
  const layout::RowKeyBytes row_key(partition, key);
  const RowCache::Found found = row_cache_.find(partition.hash, row_key.bytes());
  if (found.row) {
    const bool exists = found.row->version() != 0;
    if (exists) (void)sink({partition, key, found.row->version(), found.row->value()});
    return {};
  }
  bool exists = false;
  PARTITA_CHECK(get_one(partition, key, nullptr, [&](const RowView& row) {
    exists = true;
    row_cache_.fill(partition.hash, row_key.bytes(), found.moment, row.version, row.value);
    return sink(row);
  }));
  if (!exists) row_cache_.fill(partition.hash, row_key.bytes(), found.moment, 0, {});
  return {};
}

Result<void> DurableEngine::get_one(const Partition& partition, const RowKey& key, const View* view,
                                    RowSink sink) {
  const layout::RowKeyBytes row_key(partition, key);
  ReusedValue value;
  const rocksdb::Status status =
      database().Get(read_options(view), database().DefaultColumnFamily(),
                     layout::slice(row_key.bytes()), value.get());
  if (status.IsNotFound()) return {};
  if (!status.ok()) return read_error(status);
  const auto row = layout::decode_row(layout::view(*value));
  if (!row) return damaged_row();
  (void)sink({partition, key, row->version, row->value});
  return {};
}

// One MultiGet reads one moment.
Result<void> DurableEngine::get_many(const Partition& partition, std::span<const RowKey> keys,
                                     const View* view, RowSink sink) {
  std::vector<std::string> row_keys;
  std::vector<rocksdb::Slice> slices;
  row_keys.reserve(keys.size());
  slices.reserve(keys.size());
  for (const RowKey& key : keys) {
    slices.emplace_back(row_keys.emplace_back(layout::RowKeyBytes(partition, key).bytes()));
  }
  std::vector<rocksdb::PinnableSlice> values(keys.size());
  std::vector<rocksdb::Status> statuses(keys.size());
  database().MultiGet(read_options(view), database().DefaultColumnFamily(), keys.size(),
                      slices.data(), values.data(), statuses.data());
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (statuses[i].IsNotFound()) continue;
    if (!statuses[i].ok()) return read_error(statuses[i]);
    const auto row = layout::decode_row(layout::view(values[i]));
    if (!row) return damaged_row();
    if (!sink({partition, keys[i], row->version, row->value})) return {};
  }
  return {};
}

Result<void> DurableEngine::range(const Partition& partition, const KeyRange& range,
                                  Direction direction, ReadHint hint, const View* view,
                                  RowSink sink) {
  cursors_.fetch_add(1, std::memory_order_relaxed);
  if (dropped_.contains(partition.space)) return {};
  const std::string prefix = layout::partition_prefix(partition, range.slot);
  std::string lower = prefix + range.lower;
  std::string upper = range.upper ? prefix + *range.upper : layout::key_after_prefix(prefix);
  if (range.after && direction == Direction::Forward) {
    lower = std::max(lower, prefix + *range.after + '\0');
  } else if (range.after) {
    upper = std::min(upper, prefix + *range.after);
  }
  if (lower >= upper) return {};

  rocksdb::ReadOptions options = read_options(view);
  set_readahead(options, hint);
  Cursor cursor(database(), options, lower, upper, direction);
  for (; cursor.valid(); cursor.next()) {
    const auto row = layout::decode_row(cursor.value());
    if (!row) return damaged_row();
    const Bytes sort = cursor.key().substr(prefix.size());
    if (!sink({partition, {range.slot, sort}, row->version, row->value})) return {};
  }
  return cursor.end();
}

Result<void> DurableEngine::scan(SpaceId space, Slot slot, HashRange hashes,
                                 const std::optional<ScanStart>& start, ReadHint hint,
                                 const View* view, RowSink sink) {
  cursors_.fetch_add(1, std::memory_order_relaxed);
  if (hashes.first > hashes.last || dropped_.contains(space)) return {};
  std::string lower = layout::scan_prefix(space, slot, hashes.first);
  const std::string upper = layout::key_after_prefix(layout::scan_prefix(space, slot, hashes.last));
  if (start) {
    const Partition partition{space, start->hash, start->key};
    std::string beyond(layout::RowKeyBytes(partition, {slot, start->sort}).bytes());
    lower = std::max(lower, beyond + '\0');
  }
  if (lower >= upper) return {};

  rocksdb::ReadOptions options = read_options(view);
  set_readahead(options, hint);
  Cursor cursor(database(), options, lower, upper, Direction::Forward);
  for (; cursor.valid(); cursor.next()) {
    const Bytes key = cursor.key();
    const auto row = layout::decode_row(cursor.value());
    if (!row || key.size() < layout::kRowPrefixBytes + row->partition_key_bytes) {
      return damaged_row();
    }
    const Bytes names = key.substr(layout::kRowPrefixBytes);
    const Partition partition{space, layout::hash_of_row_key(key),
                              names.substr(0, row->partition_key_bytes)};
    const RowKey row_key{slot, names.substr(row->partition_key_bytes)};
    if (!sink({partition, row_key, row->version, row->value})) return {};
  }
  return cursor.end();
}

void DurableEngine::when_durable(Version v, std::function<void(Result<void>)> done) {
  sync_loop_.when_durable(v, std::move(done));
}

Version DurableEngine::durable() const { return sync_loop_.durable(); }

Version DurableEngine::last_removal() const {
  return last_removal_.load(std::memory_order_acquire);
}

Result<Version> DurableEngine::version_at(TimePoint t) {
  const std::int64_t time_ms = t.time_since_epoch().count();
  if (const auto version = times_.recent_version_at(time_ms)) return *version;
  const std::string lower = layout::kind_prefix(layout::kOwnSpace, layout::kCommitTimeKind);
  const std::string upper = layout::commit_time_key(time_ms) + '\0';
  Cursor cursor(database(), rocksdb::ReadOptions(), lower, upper, Direction::Backward);
  if (!cursor.valid()) {
    PARTITA_CHECK(cursor.end());
    return Version{0};
  }
  const auto version = layout::decode_u64(cursor.value());
  if (!version) return damaged_row();
  return *version;
}

Result<void> DurableEngine::changes(SpaceId space, Lane lane, Version after,
                                    std::uint32_t after_ordinal, ReadHint hint, ChangeSink sink) {
  if (dropped_.contains(space)) return {};
  const std::string lower = layout::change_key(space, lane, after, after_ordinal) + '\0';
  const std::string upper = layout::key_after_prefix(layout::change_prefix(space, lane));
  rocksdb::ReadOptions options;
  set_readahead(options, hint);
  Cursor cursor(database(), options, lower, upper, Direction::Forward);
  for (; cursor.valid(); cursor.next()) {
    if (!sink(layout::decode_change(cursor.key(), cursor.value()))) return {};
  }
  return cursor.end();
}

Result<Size> DurableEngine::size(SpaceId space, const Partition* partition) {
  if (dropped_.contains(space)) return Size{};
  if (partition == nullptr) {
    const std::lock_guard lock(sizes_mutex_);
    const auto found = sizes_.find(space);
    return found == sizes_.end() ? Size{} : found->second;
  }
  std::string value;
  const rocksdb::Status status =
      database().Get(rocksdb::ReadOptions(), layout::partition_size_key(*partition), &value);
  if (status.IsNotFound()) return Size{};
  if (!status.ok()) return read_error(status);
  const auto size = layout::decode_size(value);
  if (!size) return damaged_row();
  return *size;
}

Result<std::unique_ptr<Engine>> DurableEngine::fork(std::string_view where) {
  const std::string directory(where);
  rocksdb::Checkpoint* created = nullptr;
  rocksdb::Status status = rocksdb::Checkpoint::Create(&database(), &created);
  const std::unique_ptr<rocksdb::Checkpoint> checkpoint(created);
  if (status.ok()) status = checkpoint->CreateCheckpoint(directory);
  if (!status.ok()) {
    return Error(ErrorCode::CannotOpen,
                 "Cannot copy the database to " + directory + ": " + status.ToString() + ".");
  }
  const auto files =
      options_.file_system != nullptr ? options_.file_system : rocksdb::FileSystem::Default();
  PARTITA_CHECK(write_format_file(*files, directory));
  RocksdbOptions options = options_;
  options.directory = directory;
  return open_rocksdb_engine(options);
}

}  // namespace partita
