// Callers: whom the server knows, and by which Api each of them is served.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "partita/api.h"

#include "auth/verifier.h"

namespace partita {

// Immutable. A caller's Api may be the database itself or something that lets less through;
// whatever is among `owned` lives as long as the callers.
struct Callers {
  Callers(std::string region, std::vector<AccessKey> access_keys)
      : keys(std::move(region), std::move(access_keys)) {}

  Api* api_of(const AccessKey& key) const {
    return apis[static_cast<std::size_t>(&key - keys.keys().data())];
  }

  AccessKeys keys;
  std::vector<Api*> apis{};  // one for each of `keys`
  std::vector<std::unique_ptr<Api>> owned{};
};

// The callers of the moment; replaced while requests are served.
class CallerBook {
 public:
  explicit CallerBook(std::shared_ptr<const Callers> callers) : callers_(std::move(callers)) {}

  // Any thread. Requests whose verification has begun are served as they were let in.
  void replace(std::shared_ptr<const Callers> callers) {
    const std::lock_guard lock(mutex_);
    callers_ = std::move(callers);
    edition_.fetch_add(1, std::memory_order_release);
  }
  std::shared_ptr<const Callers> current() const {
    const std::lock_guard lock(mutex_);
    return callers_;
  }
  // Grows with every replacement, so that a reader need not take the lock.
  std::uint64_t edition() const { return edition_.load(std::memory_order_acquire); }

 private:
  mutable std::mutex mutex_;
  std::shared_ptr<const Callers> callers_;
  std::atomic<std::uint64_t> edition_ = 1;
};

}  // namespace partita
