#include "storage/rocksdb/sync_loop.h"

#include <algorithm>
#include <chrono>
#include <iterator>

#include <pthread.h>

namespace partita {

namespace {
// How much a power cut may take in relaxed mode.
constexpr std::chrono::milliseconds kRelaxedPause{200};
constexpr std::chrono::milliseconds kPauseBeforeRetry{100};

// Where committers share this thread's core, the first commit would put them aside for a sync of
// its own. A thread of this kind lets them go on until they wait for something.
void give_way_to_committers() {
  const sched_param parameters{};
  static_cast<void>(pthread_setschedparam(pthread_self(), SCHED_BATCH, &parameters));
}
}  // namespace

SyncLoop::SyncLoop(Mode mode, Version opened_at, std::function<Result<void>()> sync)
    : mode_(mode),
      sync_(std::move(sync)),
      committed_(opened_at),
      durable_(opened_at),
      thread_([this] { run(); }) {}

SyncLoop::~SyncLoop() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  wake_.notify_one();
  thread_.join();
  for (auto& [version, done] : waiting_) {
    done(failed_.load() ? failure()
                        : Error(ErrorCode::ServiceUnavailable,
                                "The database was closed before this version was given."));
  }
}

void SyncLoop::committed(Version version) {
  // Sequentially consistent on both sides, so that either the loop sees the version or this thread
  // sees the loop idle.
  committed_.store(version);
  if (idle_.load()) {
    const std::lock_guard lock(mutex_);
    wake_.notify_one();
  }
}

void SyncLoop::when_durable(Version version, Ticket done) {
  if (version > durable()) {
    const std::lock_guard lock(mutex_);
    if (version > durable() && !failed_.load(std::memory_order_acquire)) {
      waiting_.emplace_back(version, std::move(done));
      return;
    }
  }
  done(version <= durable() ? Result<void>() : failure());
}

Result<void> SyncLoop::may_commit() const {
  if (failed_.load(std::memory_order_acquire)) [[unlikely]]
    return failure();
  return {};
}

Error SyncLoop::failure() const { return Error(ErrorCode::InternalServerError, failure_); }

void SyncLoop::run() {
  give_way_to_committers();
  std::unique_lock lock(mutex_);
  while (true) {
    idle_.store(true);
    wake_.wait(lock, [this] {
      return stopping_ || (!failed_.load() && committed_.load() > durable_.load());
    });
    idle_.store(false);
    if (!failed_.load() && committed_.load() > durable_.load()) {
      const bool synced = sync_once(lock);
      if (!synced && stopping_) return;
      if (!synced || mode_ == Mode::Relaxed) {
        const auto pause = synced ? kRelaxedPause : kPauseBeforeRetry;
        wake_.wait_for(lock, pause, [this] { return stopping_; });
      }
    } else if (stopping_) {
      return;
    }
  }
}

bool SyncLoop::sync_once(std::unique_lock<std::mutex>& lock) {
  const Version target = committed_.load();
  lock.unlock();
  const auto began = std::chrono::steady_clock::now();
  Result<void> result = sync_();
  syncs_.add();
  const std::chrono::nanoseconds took = std::chrono::steady_clock::now() - began;
  sync_nanoseconds_.add(static_cast<std::uint64_t>(took.count()));
  lock.lock();

  const bool for_good = !result && result.error().code() != ErrorCode::ServiceUnavailable;
  if (result) {
    durable_.store(target, std::memory_order_release);
  } else if (for_good) {
    failure_ = "The database is read-only because its log could not be synced (" +
               result.error().message() + "); check the disk, then open it again.";
    failed_.store(true, std::memory_order_release);
  }
  const auto answered_from =
      std::partition(waiting_.begin(), waiting_.end(),
                     [&](const auto& ticket) { return !for_good && ticket.first > target; });
  std::vector<std::pair<Version, Ticket>> answered;
  std::move(answered_from, waiting_.end(), std::back_inserter(answered));
  waiting_.erase(answered_from, waiting_.end());
  lock.unlock();
  for (auto& [version, done] : answered) {
    if (result) {
      done({});
    } else {
      done(for_good ? failure() : Error(result.error().code(), result.error().message()));
    }
  }
  lock.lock();
  return result.has_value() || for_good;
}

}  // namespace partita
