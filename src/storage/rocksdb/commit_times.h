// Which version was the last at a given time.
//
// The newest commits are known to the millisecond; on disk there is one sample a second at most:
// the last commit of a second, written along with the first commit of a later one. The sample a
// crash would miss is in the states of the spaces (row_layout.h), so no version is ever unknown to
// version_at, only, after a restart, up to a second early. Samples are kept as long as a restore
// may ask for them.
#pragma once

#include <cstdint>
#include <deque>
#include <mutex>
#include <optional>

#include <rocksdb/write_batch.h>

#include "storage/engine.h"

namespace partita {

class CommitTimes {
 public:
  CommitTimes(std::int64_t last_time_ms, Version last_version)
      : last_{last_time_ms, last_version} {}

  // Adds to a commit's batch what it makes known about its predecessor. Returns the commit's own
  // time: a clock a little late, as among threads, counts as the newest time seen; one set back
  // counts, and what was recorded for the time it takes back is forgotten. One commit at a time.
  std::int64_t prepare(std::int64_t time_ms, rocksdb::WriteBatch& batch) const;
  void committed(std::int64_t time_ms, Version version);

  // From memory; nothing when only the samples on disk can tell.
  std::optional<Version> recent_version_at(std::int64_t time_ms) const;

 private:
  struct Moment {
    std::int64_t time_ms = 0;
    Version version = 0;  // 0: no commit yet
  };

  mutable std::mutex mutex_;
  Moment last_;
  std::deque<Moment> before_;  // ascending, older than last_
};

}  // namespace partita
