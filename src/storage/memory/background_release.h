// BackgroundRelease: gives memory back while nobody waits for it. A dropped table of a million rows
// takes a while to free.
#pragma once

#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

#include "storage/memory/change_log.h"
#include "storage/memory/space_part.h"

namespace partita::memory {

// All that was left of a space.
struct DroppedSpace {
  std::vector<Ref<SpacePart>> parts;
  std::vector<ChangeLog> logs;
};

class BackgroundRelease {
 public:
  ~BackgroundRelease();
  void add(DroppedSpace space);

 private:
  void run();

  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<DroppedSpace> waiting_;
  bool stopping_ = false;
  std::thread thread_;  // started with the first drop: most engines never need it
};

}  // namespace partita::memory
