// The file system RocksDB runs on, with a hand on its write-ahead log: sync() makes durable every
// byte appended so far.
//
// Why not DB::SyncWAL: after one append failed on a full disk, SyncWAL answers with that old error
// for the whole log file and RocksDB takes it for fatal, although every earlier record could be
// synced and the database goes on once there is room. Syncing the files themselves has neither
// problem, and an error here is an error of this sync.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include <rocksdb/file_system.h>

namespace partita {

class WalFiles final : public rocksdb::FileSystemWrapper {
 public:
  WalFiles(const std::shared_ptr<rocksdb::FileSystem>& target, std::string directory);
  ~WalFiles() override;
  const char* Name() const override { return "partita.WalFiles"; }

  // Everything appended before the call survives a power cut when it returns OK. One thread at a
  // time.
  rocksdb::IOStatus sync();

  rocksdb::IOStatus NewWritableFile(const std::string& path, const rocksdb::FileOptions& options,
                                    std::unique_ptr<rocksdb::FSWritableFile>* file,
                                    rocksdb::IODebugContext* debug) override;

 private:
  class LogFile;    // shared by RocksDB's handle and the list below
  class LogHandle;  // what RocksDB holds

  const std::string prefix_;  // of log files: the directory and a slash
  std::mutex mutex_;
  std::vector<std::shared_ptr<LogFile>> files_;  // those not yet closed, oldest first
  bool entries_synced_ = true;                   // the directory knows all files_
  std::unique_ptr<rocksdb::FSDirectory> directory_;
  std::atomic<bool> close_failed_{false};
};

}  // namespace partita
