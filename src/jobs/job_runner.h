// JobRunner: work nobody waits for, done again and again by one thread.
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace partita {

class JobRunner {
 public:
  struct Job {
    std::chrono::milliseconds interval;
    // Returns how soon it wants to run again if that is sooner than the interval. Work that takes
    // long is done in pieces, so that other jobs get their turn.
    std::function<std::chrono::milliseconds()> run;
  };
  static constexpr std::chrono::milliseconds kNextInterval = std::chrono::milliseconds::max();

  // Runs each job about once per interval until destroyed. A job under way is finished first.
  explicit JobRunner(std::vector<Job> jobs);
  ~JobRunner();
  JobRunner(const JobRunner&) = delete;
  JobRunner& operator=(const JobRunner&) = delete;

  // There is something to do: every job is run now.
  void wake();

 private:
  void loop();

  std::vector<Job> jobs_;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool stop_ = false;
  bool woken_ = false;
  std::thread thread_;  // last: it uses all of the above
};

}  // namespace partita
