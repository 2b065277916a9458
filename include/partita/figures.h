// What a Database can tell about itself: the numbers behind a server's /metrics.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace partita {

struct TableFigures {
  std::string name;
  std::int64_t items = 0;
  std::int64_t bytes = 0;
};

// A figure that only one engine has, at this moment. Names and meanings are constants.
struct EngineFigure {
  std::string_view name;  // in snake case with its unit last: "rocksdb_memtable_bytes"
  std::string_view meaning;
  double value = 0;
};

// Counts are from the opening of the database.
struct DatabaseFigures {
  std::uint64_t lookups = 0;  // rows asked for by their key
  std::uint64_t cursors = 0;  // ranges read: Query and Scan pages
  std::uint64_t commits = 0;
  std::uint64_t syncs = 0;
  std::chrono::nanoseconds sync_time{0};  // spent in them
  std::uint64_t unsynced_versions = 0;    // committed, but a power cut now would lose them
  bool accepts_writes = true;             // Database::accepts_writes says why not
  std::vector<TableFigures> tables;
  std::vector<EngineFigure> engine;
};

}  // namespace partita
