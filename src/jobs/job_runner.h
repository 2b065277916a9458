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
    std::function<void()> run;
  };

  // Runs each job about once per interval until destroyed. A job under way is finished first.
  explicit JobRunner(std::vector<Job> jobs);
  ~JobRunner();
  JobRunner(const JobRunner&) = delete;
  JobRunner& operator=(const JobRunner&) = delete;

 private:
  void loop();

  std::vector<Job> jobs_;
  std::mutex mutex_;
  std::condition_variable stopping_;
  bool stop_ = false;
  std::thread thread_;  // last: it uses all of the above
};

}  // namespace partita
