#include "storage/rocksdb/wal_files.h"

#include <utility>

namespace partita {

using rocksdb::IODebugContext;
using rocksdb::IOOptions;
using rocksdb::IOStatus;
using rocksdb::Slice;

// Appends come from one thread at a time; syncs from any.
class WalFiles::LogFile {
 public:
  explicit LogFile(std::unique_ptr<rocksdb::FSWritableFile> file) : file_(std::move(file)) {}

  rocksdb::FSWritableFile* target() { return file_.get(); }
  void note_appended(std::size_t bytes) { appended_.fetch_add(bytes, std::memory_order_release); }

  IOStatus sync() {
    const std::lock_guard lock(mutex_);
    return closed_ ? IOStatus::OK() : sync_locked();
  }
  // A file closed with unsynced bytes is synced first: sync() must not lose sight of them.
  IOStatus close(const IOOptions& options, IODebugContext* debug) {
    const std::lock_guard lock(mutex_);
    if (closed_) return IOStatus::OK();
    const IOStatus synced = sync_locked();
    closed_ = true;
    const IOStatus closed = file_->Close(options, debug);
    return synced.ok() ? closed : synced;
  }
  bool closed() {
    const std::lock_guard lock(mutex_);
    return closed_;
  }

 private:
  IOStatus sync_locked() {
    const std::uint64_t appended = appended_.load(std::memory_order_acquire);
    if (appended == synced_) return IOStatus::OK();
    IOStatus status = file_->Sync(IOOptions(), nullptr);
    if (status.ok()) synced_ = appended;
    return status;
  }

  const std::unique_ptr<rocksdb::FSWritableFile> file_;
  std::atomic<std::uint64_t> appended_{0};
  std::mutex mutex_;
  std::uint64_t synced_ = 0;
  bool closed_ = false;
};

class WalFiles::LogHandle final : public rocksdb::FSWritableFileWrapper {
 public:
  LogHandle(std::shared_ptr<LogFile> file, std::atomic<bool>& close_failed)
      : FSWritableFileWrapper(file->target()),
        file_(std::move(file)),
        close_failed_(close_failed) {}
  ~LogHandle() override { (void)LogHandle::Close(IOOptions(), nullptr); }

  IOStatus Append(const Slice& data, const IOOptions& options, IODebugContext* debug) override {
    IOStatus status = target()->Append(data, options, debug);
    file_->note_appended(data.size());
    return status;
  }
  IOStatus Append(const Slice& data, const IOOptions& options,
                  const rocksdb::DataVerificationInfo& info, IODebugContext* debug) override {
    IOStatus status = target()->Append(data, options, info, debug);
    file_->note_appended(data.size());
    return status;
  }
  IOStatus Sync(const IOOptions&, IODebugContext*) override { return file_->sync(); }
  IOStatus Fsync(const IOOptions&, IODebugContext*) override { return file_->sync(); }
  IOStatus Close(const IOOptions& options, IODebugContext* debug) override {
    IOStatus status = file_->close(options, debug);
    if (!status.ok()) close_failed_.store(true, std::memory_order_release);
    return status;
  }

 private:
  const std::shared_ptr<LogFile> file_;
  std::atomic<bool>& close_failed_;
};

WalFiles::WalFiles(const std::shared_ptr<rocksdb::FileSystem>& target, std::string directory)
    : FileSystemWrapper(target), prefix_(std::move(directory) + "/") {}

WalFiles::~WalFiles() = default;

IOStatus WalFiles::NewWritableFile(const std::string& path, const rocksdb::FileOptions& options,
                                   std::unique_ptr<rocksdb::FSWritableFile>* file,
                                   IODebugContext* debug) {
  IOStatus status = target()->NewWritableFile(path, options, file, debug);
  // The info log is "LOG"; only write-ahead logs end so.
  if (!status.ok() || !path.starts_with(prefix_) || !path.ends_with(".log")) return status;
  auto log_file = std::make_shared<LogFile>(std::move(*file));
  *file = std::make_unique<LogHandle>(log_file, close_failed_);
  const std::lock_guard lock(mutex_);
  files_.push_back(std::move(log_file));
  entries_synced_ = false;
  return status;
}

IOStatus WalFiles::sync() {
  std::vector<std::shared_ptr<LogFile>> files;
  bool sync_entries;
  {
    const std::lock_guard lock(mutex_);
    std::erase_if(files_, [](const auto& file) { return file->closed(); });
    files = files_;
    sync_entries = !std::exchange(entries_synced_, true);
  }
  if (close_failed_.load(std::memory_order_acquire)) {
    return IOStatus::IOError("a log file could not be synced when it was closed");
  }
  for (const auto& file : files) {
    if (IOStatus status = file->sync(); !status.ok()) return status;
  }
  if (!sync_entries) return IOStatus::OK();
  if (directory_ == nullptr) {
    const std::string path = prefix_.substr(0, prefix_.size() - 1);
    IOStatus status = target()->NewDirectory(path, IOOptions(), &directory_, nullptr);
    if (!status.ok()) return status;
  }
  return directory_->Fsync(IOOptions(), nullptr);
}

}  // namespace partita
