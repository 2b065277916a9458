// Frees the room of dropped spaces in the background. Their rows are invisible already (one range
// deletion); what is left is files, and a mark that says so until they are gone.
#pragma once

#include <atomic>
#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include <rocksdb/db.h>

#include "storage/engine.h"

namespace partita {

class SpaceCleaner {
 public:
  // `left` are the dropped spaces an earlier opening did not get to.
  // `forget` is told, on the cleaner's thread, of each space that is done; false: tell it again.
  SpaceCleaner(rocksdb::DB& database, const std::vector<SpaceId>& left,
               std::function<bool(SpaceId)> forget);
  ~SpaceCleaner();  // leaves what is not done to the next opening

  void clean(SpaceId space);

 private:
  void run();
  bool clean_files(SpaceId space);  // false: try again later

  rocksdb::DB& database_;
  const std::function<bool(SpaceId)> forget_;
  std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<SpaceId> spaces_;
  std::atomic<bool> stopping_{false};
  std::thread thread_;
};

}  // namespace partita
