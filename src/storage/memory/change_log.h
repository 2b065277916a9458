// ChangeLog: the change records of one space in one lane, and LaneLogs: those of all spaces in it.
//
// Records lie one behind the other in chunks that are only ever appended to:
//
//   record := version u64, ordinal u32, length u32, bytes
//
// A reader takes a chunk and how far it is filled while it holds the lock, and reads without it.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <unordered_map>

#include "storage/engine.h"

namespace partita::memory {

// Where a record is in its lane.
struct ChangePosition {
  Version version = 0;
  std::uint32_t ordinal = 0;
  friend auto operator<=>(const ChangePosition&, const ChangePosition&) = default;
};

// Records that stay readable while the log goes on.
class ChangeStretch {
 public:
  ChangeStretch(std::shared_ptr<const char[]> bytes, std::size_t used)
      : bytes_(std::move(bytes)), used_(used) {}

  // Shows the records beyond the position, which follows them. False when the sink said stop.
  bool show(ChangePosition& position, ChangeSink sink) const;

 private:
  std::shared_ptr<const char[]> bytes_;
  std::size_t used_;
};

class ChangeLog {
 public:
  // Versions must not descend.
  void append(Version version, Bytes record);
  // The chunk with the first record beyond the position, which is moved past what was trimmed.
  std::optional<ChangeStretch> beyond(ChangePosition& position) const;
  ChangePosition last() const { return last_; }  // of the newest record
  // Forgets the records older than a version.
  void trim(Version before);
  // The same records for an engine that goes its own way: neither appends to a chunk both have.
  ChangeLog fork();

 private:
  struct Chunk {
    std::shared_ptr<char[]> bytes;
    std::size_t capacity = 0;
    std::size_t used = 0;
    ChangePosition last;
  };
  std::deque<Chunk> chunks_;
  ChangePosition last_;
  Version trimmed_before_ = 0;
  bool sealed_ = false;  // the last chunk is shared with a fork
};

// One lane. Whoever appends holds the mutex from before it takes its version until the record is
// in, so records get in in the order of versions.
struct LaneLogs {
  std::mutex mutex;
  std::unordered_map<SpaceId, ChangeLog> logs;
};

}  // namespace partita::memory
