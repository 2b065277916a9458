// One thread syncs for everybody: durability by ticket.
//
// A commit that returned is visible but not yet safe. Whoever must not speak of it before it is
// asks when_durable; the loop takes the newest committed version, syncs the log once, and answers
// every ticket up to it. While a sync runs the next commits gather, so the slower the disk, the
// more of them share one sync. docs/decisions/0004 has the measurements.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "partita/result.h"

#include "base/counter.h"
#include "storage/engine.h"

namespace partita {

class SyncLoop {
 public:
  enum class Mode : std::uint8_t {
    Synced,
    Relaxed,  // every committed version counts as durable; syncs follow at leisure
  };
  using Ticket = std::function<void(Result<void>)>;

  // `sync` is called on the loop's thread only. It fails for good, unless with ServiceUnavailable:
  // then those who wait are told, and it is tried again. Everything up to `opened_at` is durable.
  SyncLoop(Mode mode, Version opened_at, std::function<Result<void>()> sync);
  ~SyncLoop();  // syncs what is left and answers every ticket

  // In the order of versions; by one thread at a time.
  void committed(Version version);
  Version committed() const { return committed_.load(std::memory_order_acquire); }

  Version durable() const {
    return mode_ == Mode::Relaxed ? committed() : durable_.load(std::memory_order_acquire);
  }
  void when_durable(Version version, Ticket done);

  // After a sync failed nobody knows what the disk holds: no more commits until the next opening.
  Result<void> may_commit() const;

  std::uint64_t syncs() const { return syncs_.value(); }
  std::chrono::nanoseconds sync_time() const {
    return std::chrono::nanoseconds(sync_nanoseconds_.value());
  }
  // How many versions a power cut would lose now; in relaxed mode too.
  std::uint64_t unsynced() const {
    const Version durable = durable_.load(std::memory_order_acquire);
    return committed() - durable;  // in this order: committed never falls behind
  }

 private:
  void run();
  bool sync_once(std::unique_lock<std::mutex>& lock);  // false: to be tried again
  Error failure() const;

  const Mode mode_;
  const std::function<Result<void>()> sync_;
  std::atomic<Version> committed_;
  std::atomic<Version> durable_;
  std::atomic<bool> idle_{false};  // the loop waits for a commit
  std::atomic<bool> failed_{false};
  Counter syncs_, sync_nanoseconds_;  // the loop's thread counts
  std::string failure_;               // written once, before failed_

  std::mutex mutex_;
  std::condition_variable wake_;
  std::vector<std::pair<Version, Ticket>> waiting_;
  bool stopping_ = false;
  std::thread thread_;
};

}  // namespace partita
