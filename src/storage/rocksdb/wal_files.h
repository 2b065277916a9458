// The file system RocksDB runs on, with a hand on its write-ahead log: sync() makes durable every
// byte appended so far, and a full disk is kept from RocksDB.
//
// RocksDB does not get over a failed append: DB::SyncWAL answers with that error for the whole log
// file ever after, and Debian's build, which has assertions on, aborts at the next append or when
// it begins the next log. So it is told of none. The bytes that found no room wait in memory and
// are written in their place later; until then the engine takes no commits (is_behind). Any other
// failure is told by the next sync, for good.
//
// Where nothing counts before it is synced (Appends::WithSync), the bytes of many commits wait for
// the sync and are then written at once, instead of with a system call for each commit.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include <rocksdb/file_system.h>

namespace partita {

class WalFiles final : public rocksdb::FileSystemWrapper {
 public:
  enum class Appends : std::uint8_t {
    AtOnce,  // to the operating system: survive a kill
    WithSync,
  };

  WalFiles(const std::shared_ptr<rocksdb::FileSystem>& target, std::string directory,
           Appends appends);
  ~WalFiles() override;
  const char* Name() const override { return "partita.WalFiles"; }

  // Everything appended before the call survives a power cut when it returns OK; NoSpace says it
  // does not yet. One thread at a time.
  rocksdb::IOStatus sync();

  // Bytes wait to be written. Whoever appended them saw no error.
  bool is_behind() const { return state_.behind.load(std::memory_order_acquire); }
  bool has_failed() const { return state_.failed.load(std::memory_order_acquire); }
  rocksdb::IOStatus catch_up();  // from any thread

  // Always gives a log file: one that cannot be made yet takes its bytes meanwhile. RocksDB aborts
  // when it asks a second time after it got none.
  rocksdb::IOStatus NewWritableFile(const std::string& path, const rocksdb::FileOptions& options,
                                    std::unique_ptr<rocksdb::FSWritableFile>* file,
                                    rocksdb::IODebugContext* debug) override;
  rocksdb::IOStatus NewSequentialFile(const std::string& path, const rocksdb::FileOptions& options,
                                      std::unique_ptr<rocksdb::FSSequentialFile>* file,
                                      rocksdb::IODebugContext* debug) override;

 private:
  struct State {
    Appends appends;
    std::atomic<bool> behind{false};
    std::atomic<bool> failed{false};         // an append, or a sync that nobody waited for
    std::atomic<bool> entries_synced{true};  // the directory knows all files
  };
  class LogFile;    // shared by RocksDB's handle and the list below
  class LogHandle;  // what RocksDB holds

  bool is_log(const std::string& path) const;
  std::vector<std::shared_ptr<LogFile>> open_files();
  rocksdb::IOStatus write_in_order(const std::vector<std::shared_ptr<LogFile>>& files);

  const std::string prefix_;  // of log files: the directory and a slash
  std::mutex mutex_;
  std::vector<std::shared_ptr<LogFile>> files_;  // those not yet closed, oldest first
  std::unique_ptr<rocksdb::FSDirectory> directory_;
  State state_;
};

}  // namespace partita
