// RecoveredLog: a write-ahead log as RocksDB reads it at an opening, up to its first gap.
//
// Records are written over zeros (wal_files.cc), and a disk writes the sectors of an unsynced
// stretch in any order. So a power cut can leave zeros where a record should begin and records of
// later commits behind them. RocksDB passes over zeros to the next block and would go on there,
// with later commits but not earlier ones. For it the log ends where the zeros begin. Anything else
// that is torn fails a checksum, and RocksDB itself stops there.
#pragma once

#include <memory>
#include <string>

#include <rocksdb/file_system.h>

namespace partita {

class RecoveredLog final : public rocksdb::FSSequentialFile {
 public:
  explicit RecoveredLog(std::unique_ptr<rocksdb::FSSequentialFile> file) : file_(std::move(file)) {}

  rocksdb::IOStatus Read(std::size_t wanted, const rocksdb::IOOptions& options,
                         rocksdb::Slice* result, char* scratch,
                         rocksdb::IODebugContext* debug) override;
  rocksdb::IOStatus Skip(std::uint64_t bytes) override;

 private:
  rocksdb::IOStatus read_block(const rocksdb::IOOptions& options, rocksdb::IODebugContext* debug);

  const std::unique_ptr<rocksdb::FSSequentialFile> file_;
  std::string block_;         // of the log; nothing behind the gap
  std::size_t position_ = 0;  // in the block
  bool ended_ = false;        // the block is the last
};

}  // namespace partita
