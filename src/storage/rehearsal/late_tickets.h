// LateTickets: durability as a network store has it. A version becomes durable some time after it
// was committed, and whoever waits is told on a thread it does not know.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include "storage/engine.h"

namespace partita {

class LateTickets {
 public:
  LateTickets();
  ~LateTickets();  // answers every ticket first

  void committed(Version version);
  void when_durable(Version version, std::function<void(Result<void>)> done);
  Version durable() const { return durable_.load(std::memory_order_acquire); }
  std::uint64_t rounds() const { return rounds_.load(std::memory_order_relaxed); }

 private:
  struct Ticket {
    Version version;
    std::function<void(Result<void>)> done;
  };
  void run();

  std::atomic<Version> durable_ = 0;
  std::atomic<std::uint64_t> rounds_ = 0;
  std::mutex mutex_;
  std::condition_variable changed_;
  Version committed_ = 0;
  std::vector<Ticket> waiting_;
  bool stopping_ = false;
  std::thread thread_;
};

}  // namespace partita
