#include "jobs/job_runner.h"

#include <algorithm>

namespace partita {

JobRunner::JobRunner(std::vector<Job> jobs) : jobs_(std::move(jobs)), thread_([this] { loop(); }) {}

JobRunner::~JobRunner() {
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
  }
  changed_.notify_one();
  thread_.join();
}

void JobRunner::wake() {
  {
    const std::lock_guard lock(mutex_);
    woken_ = true;
  }
  changed_.notify_one();
}

void JobRunner::loop() {
  using Clock = std::chrono::steady_clock;
  if (jobs_.empty()) return;
  std::vector<Clock::time_point> due;
  for (const Job& job : jobs_) due.push_back(Clock::now() + job.interval);

  std::unique_lock lock(mutex_);
  for (;;) {
    const auto next = std::min_element(due.begin(), due.end());
    changed_.wait_until(lock, *next, [this] { return stop_ || woken_; });
    if (stop_) return;
    if (woken_) {
      woken_ = false;
      std::fill(due.begin(), due.end(), Clock::now());
      continue;
    }
    const Job& job = jobs_[static_cast<std::size_t>(next - due.begin())];
    lock.unlock();
    const std::chrono::milliseconds pause = std::min(job.run(), job.interval);
    lock.lock();
    *next = Clock::now() + pause;
  }
}

}  // namespace partita
