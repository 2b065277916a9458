#include "storage/rocksdb/wal_files.h"

#include <algorithm>
#include <utility>

#include "storage/rocksdb/recovered_log.h"

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
  LogFile(rocksdb::FileSystem& system, std::string path, rocksdb::FileOptions options, State& state)
      : system_(system), path_(std::move(path)), options_(std::move(options)), state_(state) {
    if (state_.appends == Appends::WithSync) waiting_.reserve(kHeldBytesMax);
  }

  IOStatus make() {
    const std::lock_guard lock(append_mutex_);
    return make_locked();
  }
  std::uint64_t bytes() {
    const std::lock_guard lock(append_mutex_);
    return appended_.load(std::memory_order_relaxed) + waiting_.size();
  }
  IOStatus append(const Slice& data) {
    const std::lock_guard lock(append_mutex_);
    if (state_.appends == Appends::WithSync && waiting_.size() + data.size() <= kHeldBytesMax) {
      waiting_.append(data.data(), data.size());
      return IOStatus::OK();
    }
    IOStatus status = write_waiting();
    if (status.ok()) status = append_to_file(data);
    if (status.ok()) return status;
    if (!status.IsNoSpace()) state_.failed.store(true, std::memory_order_release);
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
    const std::lock_guard append_lock(append_mutex_);
    closed_ = true;
    if (file_ == nullptr) return synced;
    if (extended_ > appended_) (void)file_->Truncate(appended_, options, debug);
    const IOStatus closed = file_->Close(options, debug);
    return synced.ok() ? closed : synced;
  }
  bool is_closed() {
    const std::lock_guard lock(sync_mutex_);
    return closed_;
  }

 private:
  IOStatus make_locked() {
    if (file_ != nullptr || closed_) return IOStatus::OK();
    std::unique_ptr<rocksdb::FSWritableFile> made;
    IOStatus status = system_.NewWritableFile(path_, options_, &made, nullptr);
    if (status.ok()) {
      file_ = std::move(made);
      state_.entries_synced.store(false, std::memory_order_release);
    } else if (status.IsNoSpace()) {
      state_.behind.store(true, std::memory_order_release);
    }
    return status;
  }
  // A part may have been written when there was no room for the whole: it is written over.
  IOStatus write_waiting() {
    if (waiting_.empty() || closed_) return IOStatus::OK();
    IOStatus status = append_to_file(waiting_);
    if (!status.ok()) return status;
    waiting_.clear();
    if (waiting_.capacity() > kHeldBytesMax) waiting_.shrink_to_fit();
    return status;
  }
  IOStatus append_to_file(const Slice& data) {
    if (IOStatus status = make_locked(); !status.ok()) return status;
    const std::uint64_t offset = appended_.load(std::memory_order_relaxed);
    IOStatus status = file_->PositionedAppend(data, offset, IOOptions(), nullptr);
    if (!status.ok()) return status;
    appended_.store(offset + data.size(), std::memory_order_release);
    extended_ = std::max(extended_, offset + data.size());
    return status;
  }
  // A sync of bytes that lengthen the file writes its inode too, one write after the other. So
  // zeros are written ahead of the log, many records' worth at a time, and records overwrite them:
  // most syncs then write nothing but records. Whoever reads the log takes zeros for its end
  // (RecoveredLog).
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
    if (IOStatus status = file_->Sync(IOOptions(), nullptr); !status.ok()) {
      // For good, whoever asked: the system says it once, and another sync would claim success.
      state_.failed.store(true, std::memory_order_release);
      return IOStatus::IOError(status.ToString());
    }
    synced_ = appended;
    return IOStatus::OK();
  }

  rocksdb::FileSystem& system_;
  const std::string path_;
  const rocksdb::FileOptions options_;
  State& state_;
  std::unique_ptr<rocksdb::FSWritableFile> file_;  // null until it could be made
  std::mutex append_mutex_;                        // taken after sync_mutex_
  std::string waiting_;
  std::atomic<std::uint64_t> appended_{0};
  std::uint64_t extended_ = 0;  // where the file ends
  std::mutex sync_mutex_;
  std::uint64_t synced_ = 0;
  bool closed_ = false;  // changed under both mutexes, read under either
};

class WalFiles::LogHandle final : public rocksdb::FSWritableFile {
 public:
  LogHandle(std::shared_ptr<LogFile> file, State& state) : file_(std::move(file)), state_(state) {}
  ~LogHandle() override { (void)LogHandle::Close(IOOptions(), nullptr); }

  IOStatus Append(const Slice& data, const IOOptions&, IODebugContext*) override {
    return file_->append(data);
  }
  IOStatus Append(const Slice& data, const IOOptions&, const rocksdb::DataVerificationInfo&,
                  IODebugContext*) override {
    return file_->append(data);
  }
  IOStatus Flush(const IOOptions&, IODebugContext*) override { return IOStatus::OK(); }
  std::uint64_t GetFileSize(const IOOptions&, IODebugContext*) override { return file_->bytes(); }
  bool IsSyncThreadSafe() const override { return true; }
  IOStatus Sync(const IOOptions&, IODebugContext*) override { return file_->sync(); }
  IOStatus Fsync(const IOOptions&, IODebugContext*) override { return file_->sync(); }
  // RocksDB closes a log when its rows are in tables, or when all is over: bytes for which there
  // was no room are no loss in the one case, and were never acknowledged in the other.
  IOStatus Close(const IOOptions& options, IODebugContext* debug) override {
    IOStatus status = file_->close(options, debug);
    if (status.IsNoSpace()) return IOStatus::OK();
    if (!status.ok()) state_.failed.store(true, std::memory_order_release);
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

// The info log is "LOG"; only write-ahead logs end so.
bool WalFiles::is_log(const std::string& path) const {
  return path.starts_with(prefix_) && path.ends_with(".log");
}

IOStatus WalFiles::NewWritableFile(const std::string& path, const rocksdb::FileOptions& options,
                                   std::unique_ptr<rocksdb::FSWritableFile>* file,
                                   IODebugContext* debug) {
  if (!is_log(path)) return target()->NewWritableFile(path, options, file, debug);
  auto log_file = std::make_shared<LogFile>(*target(), path, options, state_);
  *file = std::make_unique<LogHandle>(log_file, state_);
  {
    const std::lock_guard lock(mutex_);
    files_.push_back(std::move(log_file));
  }
  (void)catch_up();
  return IOStatus::OK();
}

IOStatus WalFiles::NewSequentialFile(const std::string& path, const rocksdb::FileOptions& options,
                                     std::unique_ptr<rocksdb::FSSequentialFile>* file,
                                     IODebugContext* debug) {
  IOStatus status = target()->NewSequentialFile(path, options, file, debug);
  if (status.ok() && is_log(path)) *file = std::make_unique<RecoveredLog>(std::move(*file));
  return status;
}

std::vector<std::shared_ptr<WalFiles::LogFile>> WalFiles::open_files() {
  const std::lock_guard lock(mutex_);
  std::erase_if(files_, [](const auto& file) { return file->is_closed(); });
  return files_;
}

// Nothing of a log may be written before all of the older ones is safe: a power cut would leave
// later commits without earlier ones.
IOStatus WalFiles::write_in_order(const std::vector<std::shared_ptr<LogFile>>& files) {
  for (const auto& file : files) {
    IOStatus status = file != files.back() ? file->sync() : file->make();
    if (status.ok()) status = file->catch_up();
    if (!status.ok()) return status;
  }
  return IOStatus::OK();
}

IOStatus WalFiles::catch_up() {
  // Cleared first: a file that falls behind meanwhile sets it again.
  state_.behind.store(false, std::memory_order_release);
  IOStatus status = write_in_order(open_files());
  if (!status.ok()) state_.behind.store(true, std::memory_order_release);
  return status;
}

IOStatus WalFiles::sync() {
  if (state_.failed.load(std::memory_order_acquire)) {
    return IOStatus::IOError("a log file could not be written or synced");
  }
  const auto files = open_files();
  for (const auto& file : files) {
    if (IOStatus status = file->make(); !status.ok()) return status;
  }
  if (!state_.entries_synced.exchange(true, std::memory_order_acq_rel)) {
    if (directory_ == nullptr) {
      const std::string path = prefix_.substr(0, prefix_.size() - 1);
      IOStatus status = target()->NewDirectory(path, IOOptions(), &directory_, nullptr);
      if (!status.ok()) return status;
    }
    if (IOStatus status = directory_->Fsync(IOOptions(), nullptr); !status.ok()) {
      state_.entries_synced.store(false, std::memory_order_release);
      return status;
    }
  }
  for (const auto& file : files) {
    if (IOStatus status = file->sync(); !status.ok()) return status;
  }
  return IOStatus::OK();
}

}  // namespace partita
