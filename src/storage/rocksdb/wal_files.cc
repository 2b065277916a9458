#include "storage/rocksdb/wal_files.h"

#include <algorithm>
#include <utility>

namespace partita {

using rocksdb::IODebugContext;
using rocksdb::IOOptions;
using rocksdb::IOStatus;
using rocksdb::Slice;

namespace {

// The file is kept longer than the log by up to this much, see WalFiles::LogFile::extend.
constexpr std::size_t kAheadBytes = 512 * 1024;
// So much waits for a sync at most.
constexpr std::size_t kHeldBytesMax = 256 * 1024;

}  // namespace

class WalFiles::LogFile {
 public:
  LogFile(std::unique_ptr<rocksdb::FSWritableFile> file, State& state)
      : file_(std::move(file)), state_(state) {
    if (state_.appends == Appends::WithSync) waiting_.reserve(kHeldBytesMax);
  }

  rocksdb::FSWritableFile* target() { return file_.get(); }

  IOStatus append(const Slice& data) {
    const std::lock_guard lock(append_mutex_);
    if (state_.appends == Appends::WithSync && waiting_.size() + data.size() <= kHeldBytesMax) {
      waiting_.append(data.data(), data.size());
      return IOStatus::OK();
    }
    IOStatus status = write_waiting();
    if (status.ok()) status = append_to_file(data);
    if (!status.IsNoSpace()) return status;
    state_.behind.store(true, std::memory_order_release);
    waiting_.append(data.data(), data.size());
    return IOStatus::OK();
  }
  // Writes what waits.
  IOStatus catch_up() {
    const std::lock_guard lock(append_mutex_);
    return write_waiting();
  }
  IOStatus sync() {
    const std::lock_guard lock(sync_mutex_);
    return closed_ ? IOStatus::OK() : sync_locked();
  }
  // A file closed with unsynced bytes is synced first: nobody else would do it any more.
  IOStatus close(const IOOptions& options, IODebugContext* debug) {
    const std::lock_guard lock(sync_mutex_);
    if (closed_) return IOStatus::OK();
    const IOStatus synced = sync_locked();
    closed_ = true;
    if (extended_ > appended_) (void)file_->Truncate(appended_, options, debug);
    const IOStatus closed = file_->Close(options, debug);
    return synced.ok() ? closed : synced;
  }
  bool is_closed() {
    const std::lock_guard lock(sync_mutex_);
    return closed_;
  }

 private:
  // A part may have been written when there was no room for the whole: it is written over.
  IOStatus write_waiting() {
    if (waiting_.empty()) return IOStatus::OK();
    IOStatus status = append_to_file(waiting_);
    if (!status.ok()) return status;
    waiting_.clear();
    if (waiting_.capacity() > kHeldBytesMax) waiting_.shrink_to_fit();
    return status;
  }
  IOStatus append_to_file(const Slice& data) {
    const std::uint64_t offset = appended_.load(std::memory_order_relaxed);
    IOStatus status = file_->PositionedAppend(data, offset, IOOptions(), nullptr);
    if (!status.ok()) return status;
    appended_.store(offset + data.size(), std::memory_order_release);
    extended_ = std::max(extended_, offset + data.size());
    return status;
  }
  // A sync of bytes that lengthen the file writes its inode too, one write after the other. So
  // zeros are written ahead of the log, many records' worth at a time, and records overwrite them:
  // most syncs then write nothing but records. RocksDB reads zeros behind a log's end as its end.
  void extend() {
    static const std::string zeros(kAheadBytes, '\0');
    const std::lock_guard lock(append_mutex_);
    const std::uint64_t appended = appended_.load(std::memory_order_relaxed);
    if (!waiting_.empty() || extended_ >= appended + kAheadBytes / 4) return;
    if (file_->PositionedAppend(zeros, extended_, IOOptions(), nullptr).ok()) {
      extended_ += zeros.size();
    }  // else there is no room for them; there may be for records
  }
  IOStatus sync_locked() {
    if (IOStatus status = catch_up(); !status.ok()) {
      if (status.IsNoSpace()) state_.behind.store(true, std::memory_order_release);
      return status;
    }
    const std::uint64_t appended = appended_.load(std::memory_order_acquire);
    if (appended == synced_) return IOStatus::OK();
    extend();
    IOStatus status = file_->Sync(IOOptions(), nullptr);
    if (status.ok()) synced_ = appended;
    return status;
  }

  const std::unique_ptr<rocksdb::FSWritableFile> file_;
  State& state_;
  std::mutex append_mutex_;  // taken after sync_mutex_
  std::string waiting_;
  std::atomic<std::uint64_t> appended_{0};
  std::uint64_t extended_ = 0;  // where the file ends
  std::mutex sync_mutex_;
  std::uint64_t synced_ = 0;
  bool closed_ = false;
};

class WalFiles::LogHandle final : public rocksdb::FSWritableFileWrapper {
 public:
  LogHandle(std::shared_ptr<LogFile> file, State& state)
      : FSWritableFileWrapper(file->target()), file_(std::move(file)), state_(state) {}
  ~LogHandle() override { (void)LogHandle::Close(IOOptions(), nullptr); }

  IOStatus Append(const Slice& data, const IOOptions&, IODebugContext*) override {
    return file_->append(data);
  }
  IOStatus Append(const Slice& data, const IOOptions&, const rocksdb::DataVerificationInfo&,
                  IODebugContext*) override {
    return file_->append(data);
  }
  IOStatus Sync(const IOOptions&, IODebugContext*) override { return file_->sync(); }
  IOStatus Fsync(const IOOptions&, IODebugContext*) override { return file_->sync(); }
  // RocksDB closes a log when its rows are in tables, or when all is over: bytes for which there
  // was no room are no loss in the one case, and were never acknowledged in the other.
  IOStatus Close(const IOOptions& options, IODebugContext* debug) override {
    IOStatus status = file_->close(options, debug);
    if (status.IsNoSpace()) return IOStatus::OK();
    if (!status.ok()) state_.close_failed.store(true, std::memory_order_release);
    return status;
  }

 private:
  const std::shared_ptr<LogFile> file_;
  State& state_;
};

WalFiles::WalFiles(const std::shared_ptr<rocksdb::FileSystem>& target, std::string directory,
                   Appends appends)
    : FileSystemWrapper(target), prefix_(std::move(directory) + "/"), state_{.appends = appends} {}

WalFiles::~WalFiles() = default;

IOStatus WalFiles::NewWritableFile(const std::string& path, const rocksdb::FileOptions& options,
                                   std::unique_ptr<rocksdb::FSWritableFile>* file,
                                   IODebugContext* debug) {
  IOStatus status = target()->NewWritableFile(path, options, file, debug);
  // The info log is "LOG"; only write-ahead logs end so.
  if (!status.ok() || !path.starts_with(prefix_) || !path.ends_with(".log")) return status;
  // Nothing of the new log may be written before all of the older ones: a kill in between would
  // leave later commits without earlier ones.
  if (state_.appends == Appends::WithSync) (void)catch_up();
  auto log_file = std::make_shared<LogFile>(std::move(*file), state_);
  *file = std::make_unique<LogHandle>(log_file, state_);
  const std::lock_guard lock(mutex_);
  files_.push_back(std::move(log_file));
  entries_synced_ = false;
  return status;
}

std::vector<std::shared_ptr<WalFiles::LogFile>> WalFiles::open_files() {
  const std::lock_guard lock(mutex_);
  std::erase_if(files_, [](const auto& file) { return file->is_closed(); });
  return files_;
}

IOStatus WalFiles::catch_up() {
  // Cleared first: a file that falls behind meanwhile sets it again.
  state_.behind.store(false, std::memory_order_release);
  for (const auto& file : open_files()) {
    if (IOStatus status = file->catch_up(); !status.ok()) {
      state_.behind.store(true, std::memory_order_release);
      return status;
    }
  }
  return IOStatus::OK();
}

IOStatus WalFiles::sync() {
  if (state_.close_failed.load(std::memory_order_acquire)) {
    return IOStatus::IOError("a log file could not be synced when it was closed");
  }
  bool sync_entries;
  {
    const std::lock_guard lock(mutex_);
    sync_entries = !std::exchange(entries_synced_, true);
  }
  if (sync_entries) {
    if (directory_ == nullptr) {
      const std::string path = prefix_.substr(0, prefix_.size() - 1);
      IOStatus status = target()->NewDirectory(path, IOOptions(), &directory_, nullptr);
      if (!status.ok()) return status;
    }
    if (IOStatus status = directory_->Fsync(IOOptions(), nullptr); !status.ok()) return status;
  }
  for (const auto& file : open_files()) {
    if (IOStatus status = file->sync(); !status.ok()) return status;
  }
  return IOStatus::OK();
}

}  // namespace partita
