#include "database/engines.h"

#include "storage/memory/memory_engine.h"
#include "storage/rehearsal/rehearsal_engine.h"
#ifdef PARTITA_WITH_ROCKSDB
#include "storage/rocksdb/rocksdb_engine.h"
#endif

namespace partita {

namespace {

// Fixed, so that a failing test fails again.
constexpr std::uint64_t kRehearsalSeed = 20120810;
constexpr unsigned kRehearsalConflictPercent = 10;

Result<std::unique_ptr<Engine>> open_durable_engine([[maybe_unused]] const Options& options) {
#ifdef PARTITA_WITH_ROCKSDB
  if (options.data_directory.empty()) {
    return Error(ErrorCode::CannotOpen, "A database on disk needs a data directory.");
  }
  RocksdbOptions rocksdb_options;
  rocksdb_options.directory = options.data_directory;
  rocksdb_options.sync = options.durability == Durability::Synced;
  rocksdb_options.cache_bytes = options.cache_bytes;
  return open_rocksdb_engine(rocksdb_options);
#else
  return Error(ErrorCode::CannotOpen,
               "This build of Partita has no engine on disk; open it in memory.");
#endif
}

}  // namespace

Result<std::unique_ptr<Engine>> open_engine(const Options& options) {
  switch (options.engine) {
    case EngineKind::Memory:
      return make_memory_engine();
    case EngineKind::Rehearsal:
      return make_rehearsal_engine(kRehearsalSeed, kRehearsalConflictPercent);
    case EngineKind::Rocksdb:
      return open_durable_engine(options);
  }
  __builtin_unreachable();
}

}  // namespace partita
