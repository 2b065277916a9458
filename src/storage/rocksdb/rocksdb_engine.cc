#include "storage/rocksdb/rocksdb_engine.h"

#include <algorithm>
#include <exception>
#include <utility>

#include "base/memory_limit.h"
#include "storage/rocksdb/data_directory.h"
#include "storage/rocksdb/durable_engine.h"

namespace partita {

namespace layout = rocksdb_layout;

namespace {

// Versions are numbered within an epoch, and every opening begins one. So no version is given
// twice, not even when a power cut took versions that somebody had already seen in relaxed mode.
constexpr unsigned kVersionBitsInEpoch = 32;

// The epoch must be beyond all versions stored, also if one epoch had more commits than fit.
Result<Version> begin_epoch(Store& store, Version last_version) {
  const std::string key = layout::kind_prefix(layout::kOwnSpace, layout::kEpochKind);
  std::string stored;
  rocksdb::Status status = store.database().Get(rocksdb::ReadOptions(), key, &stored);
  std::uint64_t epoch = 0;
  if (status.ok()) {
    const auto decoded = layout::decode_u64(stored);
    if (!decoded) return damaged_row();
    epoch = *decoded + 1;
  } else if (!status.IsNotFound()) {
    return read_error(status);
  }
  epoch = std::max(epoch, last_version == 0 ? 0 : (last_version >> kVersionBitsInEpoch) + 1);
  rocksdb::WriteOptions synced;
  synced.sync = true;
  status = store.database().Put(synced, key, layout::encode_u64(epoch));
  if (!status.ok()) return read_error(status);
  return Version{epoch << kVersionBitsInEpoch};
}

std::size_t usual_cache_bytes() {
  constexpr std::uint64_t kLeast = 16 << 20, kMost = 256 << 20;
  return std::clamp(usable_memory() / 64, kLeast, kMost);
}

}  // namespace

// Reads the state of every space; there are as many as tables and indexes.
Result<RecoveredState> recover_state(Store& store) {
  RecoveredState state;
  rocksdb::DB& database = store.database();
  const std::unique_ptr<rocksdb::Iterator> iterator(database.NewIterator(rocksdb::ReadOptions()));
  for (iterator->Seek(""); iterator->Valid();) {
    const SpaceId space = layout::space_of_key(layout::view(iterator->key()));
    if (space == layout::kOwnSpace) break;
    const std::string key = layout::kind_prefix(space, layout::kSpaceStateKind);
    iterator->Seek(key);
    if (iterator->Valid() && iterator->key() == key) {
      const auto found = layout::decode_space_state(layout::view(iterator->value()));
      if (!found) return damaged_row();
      state.sizes[space] = found->size;
      if (found->version > state.last_commit.version) state.last_commit = *found;
    }
    iterator->Seek(layout::key_after_prefix(layout::space_key(space)));
  }
  const std::string marks = layout::kind_prefix(layout::kOwnSpace, layout::kDroppedSpaceKind);
  for (iterator->Seek(marks); iterator->Valid() && iterator->key().starts_with(marks);
       iterator->Next()) {
    state.dropped.push_back(layout::space_of_dropped_key(layout::view(iterator->key())));
  }
  if (!iterator->status().ok()) return read_error(iterator->status());
  PARTITA_TRY(state.opened_at, begin_epoch(store, state.last_commit.version));
  return state;
}

Result<std::unique_ptr<Engine>> open_rocksdb_engine(const RocksdbOptions& given) try {
  RocksdbOptions options = given;
  while (options.directory.size() > 1 && options.directory.back() == '/') {
    options.directory.pop_back();
  }
  if (options.cache_bytes == 0) options.cache_bytes = usual_cache_bytes();
  PARTITA_TRY(std::shared_ptr<Store> store, Store::open(options));
  auto state = recover_state(*store);
  if (!state) {
    return Error(ErrorCode::CannotOpen, "Cannot open the data directory " + options.directory +
                                            ": " + state.error().message());
  }
  return std::unique_ptr<Engine>(
      std::make_unique<DurableEngine>(options, std::move(store), std::move(*state)));
} catch (const std::exception& failure) {  // a thread that cannot be started, say
  return Error(ErrorCode::CannotOpen,
               "Cannot open the data directory " + given.directory + ": " + failure.what() + ".");
}

}  // namespace partita
