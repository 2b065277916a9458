// StaleViews: the past few moments of the engine, for reads that need not be consistent.
//
// On AWS such reads may miss the newest writes, and programs that rely on seeing them pass every
// test against a database that is never stale. With Options::stale_reads a write stays unseen by
// them for that long.
#pragma once

#include <chrono>
#include <deque>
#include <memory>
#include <mutex>

#include "base/clock.h"
#include "storage/engine.h"

namespace partita {

class StaleViews {
 public:
  // What there is now is old enough for everybody. The engine has views.
  StaleViews(Engine& engine, std::chrono::milliseconds age, TimePoint now);

  // Keeps the present moment. Called about once per interval(); what is written in between is seen
  // that much later.
  void take(TimePoint now);
  std::chrono::milliseconds interval() const;

  // The newest moment that is at least `age` in the past.
  std::shared_ptr<const View> at(TimePoint now);

 private:
  struct Moment {
    TimePoint time;
    std::shared_ptr<const View> view;
  };
  void forget_outdated(TimePoint now);

  Engine& engine_;
  const std::chrono::milliseconds age_;
  std::mutex mutex_;
  std::deque<Moment> moments_;  // ascending; never empty
};

}  // namespace partita
