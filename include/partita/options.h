// How a Database is opened.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "partita/clock.h"

namespace partita {

enum class Durability : std::uint8_t {
  Synced,   // an answer leaves when its write would survive a power cut
  Relaxed,  // an answer leaves at once; a power cut may lose the last moments, kill -9 does not
};

enum class EngineKind : std::uint8_t {
  Rocksdb,    // kept on disk in `data_directory`
  Memory,     // gone with the process
  Rehearsal,  // for tests: memory that behaves like a distributed store, conflicts included
};

struct Options {
  EngineKind engine = EngineKind::Rocksdb;
  std::string data_directory{};
  Durability durability = Durability::Synced;

  // On disk: what items read or written lately may take in memory, so that they are found without a
  // search of files. 0: a 64th of the machine's memory, from 16 to 256 MiB.
  std::size_t cache_bytes = 0;

  // How long tables stay CREATING, UPDATING or DELETING, as they do for seconds on AWS.
  std::chrono::milliseconds table_delay{0};

  // On AWS global indexes follow the table a moment later, and reads that are not consistent may
  // miss the newest writes. With these, they do so here too: index rows are written this long after
  // their item, and such reads, those of global indexes included, see the database as it was this
  // long ago. Zero: index rows are in the item's commit, and no read is stale.
  std::chrono::milliseconds index_lag{0};
  std::chrono::milliseconds stale_reads{0};

  // How long items stay after the moment their time to live names: on AWS from minutes to two days.
  std::chrono::milliseconds expiry_delay{60'000};

  // What it takes for the time; null: a clock of its own. Both can be moved (partita/clock.h).
  std::shared_ptr<MovableClock> clock{};

  // A stream has this many shards, 1, 2 or 4, each for a part of the hashes of partition keys; and
  // a shard that has records is closed and continued by another after this long.
  unsigned stream_shards = 1;
  std::chrono::milliseconds stream_roll{std::chrono::hours(4)};

  // How long TransactWriteItems keeps its items before it commits, for tests of what others meet
  // meanwhile. The calling thread waits.
  std::chrono::milliseconds transaction_hold{0};
  // The same for PutItem, UpdateItem, DeleteItem and BatchWriteItem: what transactions meet.
  std::chrono::milliseconds write_hold{0};

  // Tables and global indexes take no more than they are provisioned for, or than a table on demand
  // takes on AWS; what is too much is answered with ProvisionedThroughputExceeded or Throttling.
  bool throttle = false;

  // What ARNs are made of.
  std::string region = "us-east-1";
  std::string account_id = "314159265358";
};

}  // namespace partita
