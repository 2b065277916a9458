// The directory a database lives in: is it ours, of a format we read, and fit to be opened?
//
//   FORMAT := "partita " number "\n"
//
// The file is written and synced before anything else, so a directory that holds data holds FORMAT.
// Everything else in it is RocksDB's.
#pragma once

#include <string>

#include <rocksdb/file_system.h>
#include <rocksdb/status.h>

#include "partita/result.h"

namespace partita {

inline constexpr unsigned kDirectoryFormat = 1;

// Makes the directory when it is missing and leaves it ready to be opened by RocksDB.
Result<void> prepare_data_directory(rocksdb::FileSystem& files, const std::string& directory);

// Marks a directory as ours; durable when it returns.
Result<void> write_format_file(rocksdb::FileSystem& files, const std::string& directory);

// Why RocksDB could not open the directory, in one sentence for a person.
Error cannot_open(const std::string& directory, const rocksdb::Status& status);

}  // namespace partita
