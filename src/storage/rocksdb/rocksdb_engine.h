// The durable engine: ordered bytes in a local directory, kept by RocksDB.
//
// A commit is written to the log at once and synced by one thread for all (sync_loop.h), so an
// answer that waits for when_durable survives a power cut. kill -9 loses nothing in either mode:
// the log is with the operating system before commit returns. docs/decisions/0004 and 0005 say why
// it is so.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "partita/result.h"

#include "storage/engine.h"

namespace rocksdb {
class FileSystem;
}

namespace partita {

struct RocksdbOptions {
  std::string directory;  // made when missing

  // False is --durability=relaxed: durable() follows commit at once, while the log is still synced
  // a few times a second.
  bool sync = true;

  // What rows read or written lately may take in memory, besides the blocks of files. 0: a 64th of
  // the machine's memory, from 16 to 256 MiB.
  std::size_t cache_bytes = 0;

  // What the files are kept on; null is the operating system's. Tests cut its power.
  std::shared_ptr<rocksdb::FileSystem> file_system = nullptr;
};

// ErrorCode::CannotOpen with one sentence for a person.
Result<std::unique_ptr<Engine>> open_rocksdb_engine(const RocksdbOptions& options);

}  // namespace partita
