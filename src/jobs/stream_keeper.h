// StreamKeeper: rolls shards, and lets go of what is older than a day.
#pragma once

#include <chrono>

#include "base/clock.h"
#include "catalog/catalog.h"
#include "storage/engine.h"

namespace partita {

class StreamKeeper {
 public:
  struct Wishes {
    unsigned shards = 1;
    std::chrono::milliseconds roll_after{std::chrono::hours(4)};
  };
  StreamKeeper(Engine& engine, Catalog& catalog, Wishes wishes)
      : engine_(engine), catalog_(catalog), wishes_(wishes) {}

  // What fails is done the next time.
  void run(TimePoint now);

 private:
  Result<StreamPointer> roll(const StreamPointer& stream, TimePoint now);
  Result<void> trim(const StreamPointer& stream, TimePoint now);
  Result<bool> has_records(const StreamSchema& stream, const StreamShard& shard);
  Result<Version> last_to_trim(const StreamSchema& stream, TimePoint now);

  // Trimming looks into the log, so it is not done all the time.
  static constexpr std::chrono::seconds kTrimInterval{10};

  Engine& engine_;
  Catalog& catalog_;
  const Wishes wishes_;
  TimePoint trimmed_at_{};
};

}  // namespace partita
