#include "fault_file_system.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <thread>

namespace partita {

using rocksdb::FileOptions;
using rocksdb::IODebugContext;
using rocksdb::IOOptions;
using rocksdb::IOStatus;
using rocksdb::Slice;

namespace {

IOStatus power_is_off() { return IOStatus::IOError("the power is off"); }

std::string directory_of(const std::string& path) { return path.substr(0, path.rfind('/')); }

std::string contents_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace

class FaultFileSystem::File final : public rocksdb::FSWritableFileOwnerWrapper {
 public:
  File(FaultFileSystem& system, std::shared_ptr<FileState> state, std::string path,
       std::unique_ptr<rocksdb::FSWritableFile> file)
      : FSWritableFileOwnerWrapper(std::move(file)),
        system_(system),
        state_(std::move(state)),
        path_(std::move(path)),
        is_log_(path_.ends_with(".log")) {}

  IOStatus Append(const Slice& data, const IOOptions& options, IODebugContext* debug) override {
    return PositionedAppend(data, written_, options, debug);
  }
  IOStatus Append(const Slice& data, const IOOptions& options, const rocksdb::DataVerificationInfo&,
                  IODebugContext* debug) override {
    return PositionedAppend(data, written_, options, debug);
  }
  IOStatus PositionedAppend(const Slice& data, std::uint64_t offset, const IOOptions& options,
                            IODebugContext* debug) override {
    if (IOStatus status = system_.step(); !status.ok()) return status;
    system_.remember_overwritten(path_, *state_, offset, data.size());
    if (system_.full_) {
      const Slice part(data.data(), data.size() / 2);
      (void)target()->PositionedAppend(part, offset, options, debug);
      return IOStatus::NoSpace("No space left on device");
    }
    IOStatus status = target()->PositionedAppend(data, offset, options, debug);
    if (status.ok()) written_ = offset + data.size();
    if (status.ok() && is_log_) ++system_.log_writes_;
    return status;
  }
  IOStatus PositionedAppend(const Slice& data, std::uint64_t offset, const IOOptions& options,
                            const rocksdb::DataVerificationInfo&, IODebugContext* debug) override {
    return PositionedAppend(data, offset, options, debug);
  }
  IOStatus Truncate(std::uint64_t size, const IOOptions& options, IODebugContext* debug) override {
    if (IOStatus status = system_.step(); !status.ok()) return status;
    written_ = size;
    return target()->Truncate(size, options, debug);
  }
  // The real file is not synced: this process outlives every cut.
  IOStatus Sync(const IOOptions&, IODebugContext*) override {
    if (IOStatus status = system_.step(); !status.ok()) return status;
    const std::uint64_t written = written_;
    const std::size_t overwritten = system_.overwritten_count(*state_);
    if (is_log_) {
      ++system_.log_syncs_;
      system_.log_syncs_held_.wait(true);
    }
    if (system_.syncs_fail_) return IOStatus::IOError("the disk is broken");
    system_.mark_synced(*state_, written, overwritten);
    return system_.is_cut() ? power_is_off() : IOStatus::OK();
  }
  IOStatus Fsync(const IOOptions& options, IODebugContext* debug) override {
    return Sync(options, debug);
  }
  bool IsSyncThreadSafe() const override { return true; }

 private:
  FaultFileSystem& system_;
  const std::shared_ptr<FileState> state_;
  const std::string path_;
  const bool is_log_;
  std::atomic<std::uint64_t> written_{0};
};

class FaultFileSystem::Directory final : public rocksdb::FSDirectory {
 public:
  Directory(FaultFileSystem& system, std::string path) : system_(system), path_(std::move(path)) {}
  IOStatus Fsync(const IOOptions&, IODebugContext*) override {
    if (IOStatus status = system_.step(); !status.ok()) return status;
    system_.sync_names(path_);
    return system_.is_cut() ? power_is_off() : IOStatus::OK();
  }
  IOStatus Close(const IOOptions&, IODebugContext*) override { return IOStatus::OK(); }

 private:
  FaultFileSystem& system_;
  const std::string path_;
};

FaultFileSystem::FaultFileSystem(std::uint64_t seed)
    : FileSystemWrapper(rocksdb::FileSystem::Default()), random_(seed) {}

FaultFileSystem::~FaultFileSystem() = default;

void FaultFileSystem::cut_power() {
  const std::lock_guard lock(mutex_);  // a sync under way either happened before or not at all
  cut_ = true;
}

void FaultFileSystem::cut_power_after(std::uint64_t steps) {
  steps_left_ = static_cast<std::int64_t>(steps);
}

IOStatus FaultFileSystem::step() {
  if (--steps_left_ == 0) cut_power();
  return is_cut() ? power_is_off() : IOStatus::OK();
}

void FaultFileSystem::remember_overwritten(const std::string& path, FileState& state,
                                           std::uint64_t offset, std::size_t bytes) {
  const std::lock_guard lock(mutex_);
  if (offset >= state.synced_bytes) return;
  std::string before(std::min(bytes, state.synced_bytes - offset), '\0');
  std::ifstream file(path, std::ios::binary);
  file.seekg(static_cast<std::streamoff>(offset));
  file.read(before.data(), static_cast<std::streamsize>(before.size()));
  state.overwritten.push_back({offset, std::move(before)});
}

std::size_t FaultFileSystem::overwritten_count(const FileState& state) {
  const std::lock_guard lock(mutex_);
  return state.overwritten.size();
}

void FaultFileSystem::mark_synced(FileState& state, std::uint64_t bytes, std::size_t overwritten) {
  const std::lock_guard lock(mutex_);
  if (is_cut()) return;
  state.synced_bytes = std::max(state.synced_bytes, bytes);
  const auto first = state.overwritten.begin();
  state.overwritten.erase(first, first + static_cast<std::ptrdiff_t>(overwritten));
}

void FaultFileSystem::sync_names(const std::string& directory) {
  const std::lock_guard lock(mutex_);
  if (is_cut()) return;
  std::erase_if(new_names_,
                [&](const NewName& name) { return directory_of(name.path) == directory; });
}

void FaultFileSystem::restore_power(Tail tail) {
  const std::lock_guard lock(mutex_);
  // A journal keeps the order of names: what it lost is the end of them.
  const std::size_t kept =
      tail == Tail::None || new_names_.empty() ? 0 : random_() % (new_names_.size() + 1);
  while (new_names_.size() > kept) {
    undo(new_names_.back());
    new_names_.pop_back();
  }
  new_names_.clear();
  for (auto& [path, state] : files_) forget_unsynced_bytes(path, *state, tail);
  std::erase_if(files_, [](const auto& file) { return !std::filesystem::exists(file.first); });
  steps_left_ = INT64_MAX;
  cut_ = false;
}

void FaultFileSystem::undo(const NewName& name) {
  std::error_code ignored;
  if (name.renamed_from.empty()) {
    std::filesystem::remove(name.path, ignored);
    files_.erase(name.path);
    return;
  }
  std::filesystem::rename(name.path, name.renamed_from, ignored);
  if (auto renamed = files_.extract(name.path)) {
    renamed.key() = name.renamed_from;
    files_.insert(std::move(renamed));
  }
  if (name.overwritten) {
    std::ofstream(name.path, std::ios::binary) << *name.overwritten;
    files_[name.path] = std::make_shared<FileState>(
        FileState{.synced_bytes = name.overwritten->size(), .overwritten = {}});
  }
}

// Backwards, since a later write may lie over an earlier one.
void FaultFileSystem::bring_back_overwritten(const std::string& path, FileState& state, Tail tail) {
  constexpr std::uint64_t kSectorBytes = 512;
  std::fstream file(path, std::ios::binary | std::ios::in | std::ios::out);
  std::map<std::uint64_t, bool> lost;  // by sector
  const auto is_lost = [&](std::uint64_t sector) {
    if (tail == Tail::None) return true;
    return lost.try_emplace(sector, random_() % 2 == 0).first->second;
  };
  for (auto old = state.overwritten.rbegin(); old != state.overwritten.rend(); ++old) {
    for (std::uint64_t at = old->offset, end = at + old->bytes.size(); at < end;) {
      const std::uint64_t part_end = std::min(end, (at / kSectorBytes + 1) * kSectorBytes);
      if (is_lost(at / kSectorBytes)) {
        file.seekp(static_cast<std::streamoff>(at));
        file.write(old->bytes.data() + (at - old->offset),
                   static_cast<std::streamsize>(part_end - at));
      }
      at = part_end;
    }
  }
  state.overwritten.clear();
}

void FaultFileSystem::forget_unsynced_bytes(const std::string& path, FileState& state, Tail tail) {
  bring_back_overwritten(path, state, tail);
  std::error_code error;
  const std::uint64_t written = std::filesystem::file_size(path, error);
  if (error || written <= state.synced_bytes) return;
  std::uint64_t kept = state.synced_bytes;
  if (tail != Tail::None) kept += random_() % (written - state.synced_bytes + 1);
  std::filesystem::resize_file(path, kept);
  if (tail == Tail::Garbage && kept > state.synced_bytes) {
    std::string garbage(1 + random_() % (kept - state.synced_bytes), '\0');
    if (random_() % 2 == 0) {
      for (char& byte : garbage) byte = static_cast<char>(random_());
    }
    std::fstream file(path, std::ios::binary | std::ios::in | std::ios::out);
    file.seekp(static_cast<std::streamoff>(kept - garbage.size()));
    file << garbage;
  }
  state.synced_bytes = kept;
}

IOStatus FaultFileSystem::NewSequentialFile(const std::string& path, const FileOptions& options,
                                            std::unique_ptr<rocksdb::FSSequentialFile>* file,
                                            IODebugContext* debug) {
  return is_cut() ? power_is_off() : target()->NewSequentialFile(path, options, file, debug);
}

IOStatus FaultFileSystem::NewRandomAccessFile(const std::string& path, const FileOptions& options,
                                              std::unique_ptr<rocksdb::FSRandomAccessFile>* file,
                                              IODebugContext* debug) {
  return is_cut() ? power_is_off() : target()->NewRandomAccessFile(path, options, file, debug);
}

IOStatus FaultFileSystem::NewWritableFile(const std::string& path, const FileOptions& options,
                                          std::unique_ptr<rocksdb::FSWritableFile>* file,
                                          IODebugContext* debug) {
  if (IOStatus status = step(); !status.ok()) return status;
  IOStatus status = target()->NewWritableFile(path, options, file, debug);
  if (!status.ok()) return status;
  const std::lock_guard lock(mutex_);
  std::shared_ptr<FileState>& state = files_[path];
  if (state == nullptr) new_names_.push_back({.path = path, .renamed_from = {}, .overwritten = {}});
  state = std::make_shared<FileState>();
  *file = std::make_unique<File>(*this, state, path, std::move(*file));
  return status;
}

IOStatus FaultFileSystem::NewDirectory(const std::string& path, const IOOptions&,
                                       std::unique_ptr<rocksdb::FSDirectory>* directory,
                                       IODebugContext*) {
  if (is_cut()) return power_is_off();
  *directory = std::make_unique<Directory>(*this, path);
  return IOStatus::OK();
}

IOStatus FaultFileSystem::DeleteFile(const std::string& path, const IOOptions& options,
                                     IODebugContext* debug) {
  if (IOStatus status = step(); !status.ok()) return status;
  const std::lock_guard lock(mutex_);
  files_.erase(path);
  std::erase_if(new_names_, [&](const NewName& name) { return name.path == path; });
  return target()->DeleteFile(path, options, debug);
}

IOStatus FaultFileSystem::RenameFile(const std::string& from, const std::string& to,
                                     const IOOptions& options, IODebugContext* debug) {
  if (IOStatus status = step(); !status.ok()) return status;
  const std::lock_guard lock(mutex_);
  const auto renamed = files_.find(from);
  // Not written through this file system (the info log, a directory): nothing to lose.
  if (renamed == files_.end()) return target()->RenameFile(from, to, options, debug);

  NewName name{.path = to, .renamed_from = from, .overwritten = {}};
  if (const auto old = files_.find(to); old != files_.end()) {
    name.overwritten = contents_of(to).substr(0, old->second->synced_bytes);
  }
  IOStatus status = target()->RenameFile(from, to, options, debug);
  if (!status.ok()) return status;
  files_[to] = renamed->second;
  files_.erase(from);
  new_names_.push_back(std::move(name));
  return status;
}

IOStatus FaultFileSystem::LinkFile(const std::string& from, const std::string& to,
                                   const IOOptions& options, IODebugContext* debug) {
  if (IOStatus status = step(); !status.ok()) return status;
  IOStatus status = target()->LinkFile(from, to, options, debug);
  if (!status.ok()) return status;
  const std::lock_guard lock(mutex_);
  const auto linked = files_.find(from);
  if (linked != files_.end()) files_[to] = linked->second;
  new_names_.push_back({.path = to, .renamed_from = {}, .overwritten = {}});
  return status;
}

IOStatus FaultFileSystem::ReopenWritableFile(const std::string&, const FileOptions&,
                                             std::unique_ptr<rocksdb::FSWritableFile>*,
                                             IODebugContext*) {
  return IOStatus::NotSupported("only new files are modelled");
}

IOStatus FaultFileSystem::ReuseWritableFile(const std::string&, const std::string&,
                                            const FileOptions&,
                                            std::unique_ptr<rocksdb::FSWritableFile>*,
                                            IODebugContext*) {
  return IOStatus::NotSupported("only new files are modelled");
}

}  // namespace partita
