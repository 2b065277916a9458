#include "jobs/job_runner.h"

#include <algorithm>

namespace partita {

JobRunner::JobRunner(std::vector<Job> jobs) : jobs_(std::move(jobs)), thread_([this] { loop(); }) {}

JobRunner::~JobRunner() {
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
  }
  stopping_.notify_one();
  thread_.join();
}

void JobRunner::loop() {
  using Clock = std::chrono::steady_clock;
  std::vector<Clock::time_point> due;
  for (const Job& job : jobs_) due.push_back(Clock::now() + job.interval);

  std::unique_lock lock(mutex_);
  while (!stop_) {
    const auto next = std::min_element(due.begin(), due.end());
    if (next == due.end()) return;  // no jobs
    if (stopping_.wait_until(lock, *next, [this] { return stop_; })) return;
    const Job& job = jobs_[static_cast<std::size_t>(next - due.begin())];
    lock.unlock();
    job.run();
    lock.lock();
    *next = Clock::now() + job.interval;
  }
}

}  // namespace partita
