#include "storage/memory/background_release.h"

#include <utility>

namespace partita::memory {

BackgroundRelease::~BackgroundRelease() {
  {
    std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  changed_.notify_one();
  if (thread_.joinable()) thread_.join();
}

void BackgroundRelease::add(DroppedSpace space) {
  std::lock_guard lock(mutex_);
  waiting_.push_back(std::move(space));
  if (!thread_.joinable()) thread_ = std::thread([this] { run(); });
  changed_.notify_one();
}

void BackgroundRelease::run() {
  std::unique_lock lock(mutex_);
  while (!stopping_) {
    changed_.wait(lock, [this] { return stopping_ || !waiting_.empty(); });
    std::vector<DroppedSpace> spaces = std::exchange(waiting_, {});
    lock.unlock();
    spaces.clear();
    lock.lock();
  }
}

}  // namespace partita::memory
