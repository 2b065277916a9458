#include "storage/rocksdb/data_directory.h"

#include <algorithm>
#include <charconv>
#include <memory>
#include <string_view>
#include <vector>

namespace partita {

using rocksdb::FileOptions;
using rocksdb::FileSystem;
using rocksdb::IOOptions;
using rocksdb::IOStatus;

namespace {

constexpr std::string_view kFormatWord = "partita ";

Error cannot_open_because(const std::string& directory, std::string_view why) {
  return Error(ErrorCode::CannotOpen,
               "Cannot open the data directory " + directory + ": " + std::string(why) + ".");
}

// RocksDB's statuses end in the operating system's words: "IO error: While mkdir: /x: Permission
// denied".
std::string last_words(const rocksdb::Status& status) {
  const std::string text = status.ToString();
  const std::size_t colon = text.rfind(": ");
  return colon == std::string::npos ? text : text.substr(colon + 2);
}

IOStatus make_directories(FileSystem& files, const std::string& directory) {
  for (std::size_t slash = directory.find('/', 1); slash != std::string::npos;
       slash = directory.find('/', slash + 1)) {
    const std::string parent = directory.substr(0, slash);
    if (files.FileExists(parent, IOOptions(), nullptr).ok()) continue;
    IOStatus status = files.CreateDirIfMissing(parent, IOOptions(), nullptr);
    if (!status.ok()) return status;
  }
  return files.CreateDirIfMissing(directory, IOOptions(), nullptr);
}

Result<std::string> read_small_file(FileSystem& files, const std::string& directory,
                                    const std::string& name) {
  std::unique_ptr<rocksdb::FSSequentialFile> file;
  IOStatus status = files.NewSequentialFile(directory + "/" + name, FileOptions(), &file, nullptr);
  char scratch[64];
  rocksdb::Slice bytes;
  if (status.ok()) status = file->Read(sizeof scratch, IOOptions(), &bytes, scratch, nullptr);
  if (!status.ok()) {
    return cannot_open_because(directory,
                               "its file " + name + " cannot be read (" + last_words(status) + ")");
  }
  return bytes.ToString();
}

Result<void> check_format(FileSystem& files, const std::string& directory) {
  PARTITA_TRY(const std::string text, read_small_file(files, directory, "FORMAT"));
  unsigned format = 0;
  const char* const number = text.data() + std::min(kFormatWord.size(), text.size());
  const char* const end = text.data() + text.size();
  const auto parsed = std::from_chars(number, end, format);
  if (!text.starts_with(kFormatWord) || parsed.ec != std::errc() ||
      std::string_view(parsed.ptr, end) != "\n" || format == 0) {
    return cannot_open_because(
        directory, "its file FORMAT is not one that Partita wrote; name another directory");
  }
  if (format > kDirectoryFormat) {
    return cannot_open_because(directory, "it was made by a newer version of Partita (format " +
                                              std::to_string(format) + ", this one reads up to " +
                                              std::to_string(kDirectoryFormat) +
                                              "); open it with that version");
  }
  return {};
}

bool is_data_file(const std::string& name) {
  return name.ends_with(".sst") || name.ends_with(".log");
}

}  // namespace

Result<void> write_format_file(FileSystem& files, const std::string& directory) {
  const std::string path = directory + "/FORMAT", temporary = path + ".new";
  const std::string text = std::string(kFormatWord) + std::to_string(kDirectoryFormat) + "\n";
  std::unique_ptr<rocksdb::FSWritableFile> file;
  std::unique_ptr<rocksdb::FSDirectory> entries;
  IOStatus status = files.NewWritableFile(temporary, FileOptions(), &file, nullptr);
  if (status.ok()) status = file->Append(text, IOOptions(), nullptr);
  if (status.ok()) status = file->Sync(IOOptions(), nullptr);
  if (status.ok()) status = file->Close(IOOptions(), nullptr);
  if (status.ok()) status = files.RenameFile(temporary, path, IOOptions(), nullptr);
  if (status.ok()) status = files.NewDirectory(directory, IOOptions(), &entries, nullptr);
  if (status.ok()) status = entries->Fsync(IOOptions(), nullptr);
  if (!status.ok()) return cannot_open(directory, status);
  return {};
}

Result<void> prepare_data_directory(FileSystem& files, const std::string& directory) {
  if (directory.empty()) {
    return Error(ErrorCode::CannotOpen, "No data directory was given.");
  }
  IOStatus status = files.FileExists(directory, IOOptions(), nullptr);
  if (status.IsNotFound()) status = make_directories(files, directory);
  if (!status.ok()) return cannot_open(directory, status);

  bool is_directory = false;
  status = files.IsDirectory(directory, IOOptions(), &is_directory, nullptr);
  if (!status.ok()) return cannot_open(directory, status);
  if (!is_directory) return cannot_open_because(directory, "it is not a directory; name another");

  std::vector<std::string> names;
  status = files.GetChildren(directory, IOOptions(), &names, nullptr);
  if (!status.ok()) return cannot_open(directory, status);
  std::erase_if(names, [](const std::string& name) {
    return name == "." || name == ".." || name == "lost+found" || name == "FORMAT.new";
  });

  const auto holds = [&](std::string_view name) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  if (names.empty()) return write_format_file(files, directory);
  if (!holds("FORMAT")) {
    return cannot_open_because(directory,
                               "it holds files but no Partita database; name another directory");
  }
  PARTITA_CHECK(check_format(files, directory));
  // Without CURRENT RocksDB would begin afresh and delete what it does not know.
  if (!holds("CURRENT") && std::any_of(names.begin(), names.end(), is_data_file)) {
    return cannot_open_because(
        directory, "its data is damaged (the file CURRENT is missing); restore a backup");
  }
  return {};
}

Error cannot_open(const std::string& directory, const rocksdb::Status& status) {
  const std::string text = status.ToString();
  // The two ways in which RocksDB fails to lock: another process has it, or this one.
  if (text.find("While lock file") != std::string::npos ||
      text.find("lock hold by current process") != std::string::npos) {
    return cannot_open_because(
        directory,
        "it is in use by another database or process; stop that one or name another directory");
  }
  if (status.IsNoSpace())
    return cannot_open_because(directory, "the disk is full; make room on it");
  if (status.IsCorruption() || text.find("No such file or directory") != std::string::npos) {
    return cannot_open_because(directory, "its data is damaged (" + text + "); restore a backup");
  }
  const std::string why = last_words(status);
  if (why == "Permission denied") {
    return cannot_open_because(directory, why + "; this user must be able to read and write it");
  }
  return cannot_open_because(directory, why);
}

}  // namespace partita
