// Store: the opened RocksDB of one data directory, tuned for small rows on a small machine.
#pragma once

#include <memory>

#include <rocksdb/db.h>
#include <rocksdb/env.h>

#include "partita/result.h"

#include "storage/rocksdb/rocksdb_engine.h"
#include "storage/rocksdb/wal_files.h"

namespace partita {

class Store {
 public:
  static Result<std::shared_ptr<Store>> open(const RocksdbOptions& options);
  ~Store();  // after this the directory can be opened by others

  rocksdb::DB& database();
  WalFiles& wal_files() { return *wal_files_; }
  // RocksDB found no room for a table and has stopped writing until there is some.
  bool has_stopped() const;

 private:
  Store() = default;

  // Destroyed from the last to the first.
  class SpaceWatch;
  std::shared_ptr<SpaceWatch> space_watch_;
  std::shared_ptr<WalFiles> wal_files_;
  std::unique_ptr<rocksdb::Env> env_;
  std::unique_ptr<rocksdb::DB> database_;
};

}  // namespace partita
