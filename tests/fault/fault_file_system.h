// A file system under RocksDB that forgets: when its power is cut, every byte that was not synced
// and every new name whose directory was not synced is gone. It can also be full, slow or broken.
//
// Files live in real directories; what they would hold after a power cut is kept on the side. The
// rules are the strictest POSIX allows a disk to follow, with one choice: a file deleted is deleted
// at once. Thread-safe.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include <rocksdb/file_system.h>

namespace partita {

class FaultFileSystem final : public rocksdb::FileSystemWrapper {
 public:
  // What a power cut leaves of bytes that were written but not synced.
  enum class Tail : std::uint8_t {
    None,     // nothing
    Some,     // a part of it, different for each file: the disk wrote back on its own
    Garbage,  // a part, the end of which was never written: zeros or anything
  };
  // Where written bytes took the place of synced ones there is no tail: unless it is None, each
  // sector by itself has the old bytes or the new.

  explicit FaultFileSystem(std::uint64_t seed);
  ~FaultFileSystem() override;
  const char* Name() const override { return "partita.FaultFileSystem"; }

  // From here on every call fails and nothing more becomes durable.
  void cut_power();
  void cut_power_after(std::uint64_t steps);  // appends, syncs and new names from now
  bool is_cut() const { return cut_.load(); }
  // Leaves in the directories what survived. Everything that used them must be closed.
  void restore_power(Tail tail);

  // While full, an append writes a part and fails as a full disk does.
  void set_full(bool full) { full_ = full; }
  // While held, a sync of a write-ahead log does not return.
  void hold_log_syncs(bool held) {
    log_syncs_held_ = held;
    log_syncs_held_.notify_all();
  }
  void set_syncs_fail(bool fail) { syncs_fail_ = fail; }
  std::uint64_t log_syncs() const { return log_syncs_; }    // of write-ahead logs
  std::uint64_t log_writes() const { return log_writes_; }  // that succeeded

  rocksdb::IOStatus NewSequentialFile(const std::string& path, const rocksdb::FileOptions&,
                                      std::unique_ptr<rocksdb::FSSequentialFile>*,
                                      rocksdb::IODebugContext*) override;
  rocksdb::IOStatus NewRandomAccessFile(const std::string& path, const rocksdb::FileOptions&,
                                        std::unique_ptr<rocksdb::FSRandomAccessFile>*,
                                        rocksdb::IODebugContext*) override;
  rocksdb::IOStatus NewWritableFile(const std::string& path, const rocksdb::FileOptions&,
                                    std::unique_ptr<rocksdb::FSWritableFile>*,
                                    rocksdb::IODebugContext*) override;
  rocksdb::IOStatus NewDirectory(const std::string& path, const rocksdb::IOOptions&,
                                 std::unique_ptr<rocksdb::FSDirectory>*,
                                 rocksdb::IODebugContext*) override;
  rocksdb::IOStatus DeleteFile(const std::string& path, const rocksdb::IOOptions&,
                               rocksdb::IODebugContext*) override;
  rocksdb::IOStatus RenameFile(const std::string& from, const std::string& to,
                               const rocksdb::IOOptions&, rocksdb::IODebugContext*) override;
  rocksdb::IOStatus LinkFile(const std::string& from, const std::string& to,
                             const rocksdb::IOOptions&, rocksdb::IODebugContext*) override;
  // Files written in ways not modelled here would be believed durable, so there are none.
  rocksdb::IOStatus ReopenWritableFile(const std::string&, const rocksdb::FileOptions&,
                                       std::unique_ptr<rocksdb::FSWritableFile>*,
                                       rocksdb::IODebugContext*) override;
  rocksdb::IOStatus ReuseWritableFile(const std::string&, const std::string&,
                                      const rocksdb::FileOptions&,
                                      std::unique_ptr<rocksdb::FSWritableFile>*,
                                      rocksdb::IODebugContext*) override;

 private:
  class File;
  class Directory;

  // Bytes that were durable before others were written over them.
  struct Overwritten {
    std::uint64_t offset;
    std::string bytes;
  };
  struct FileState {
    std::uint64_t synced_bytes = 0;
    std::vector<Overwritten> overwritten;  // since the last sync, in order
  };
  // A name given since its directory was last synced.
  struct NewName {
    std::string path;
    std::string renamed_from;                // empty: a new file
    std::optional<std::string> overwritten;  // what a rename replaced
  };

  rocksdb::IOStatus step();  // one step towards the cut; fails when the power is off
  void remember_overwritten(const std::string& path, FileState& state, std::uint64_t offset,
                            std::size_t bytes);
  std::size_t overwritten_count(const FileState& state);
  void mark_synced(FileState& state, std::uint64_t bytes, std::size_t overwritten);
  void sync_names(const std::string& directory);
  void undo(const NewName& name);
  void forget_unsynced_bytes(const std::string& path, FileState& state, Tail tail);
  void bring_back_overwritten(const std::string& path, FileState& state, Tail tail);

  std::atomic<bool> cut_{false}, full_{false}, syncs_fail_{false}, log_syncs_held_{false};
  std::atomic<std::int64_t> steps_left_{INT64_MAX};
  std::atomic<std::uint64_t> log_syncs_{0}, log_writes_{0};

  std::mutex mutex_;
  std::mt19937_64 random_;
  std::map<std::string, std::shared_ptr<FileState>> files_;
  std::vector<NewName> new_names_;  // in order
};

}  // namespace partita
