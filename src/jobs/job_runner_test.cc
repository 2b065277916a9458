#include "jobs/job_runner.h"

#include <atomic>
#include <future>

#include <gtest/gtest.h>

namespace partita {
namespace {

using namespace std::chrono_literals;

TEST(JobRunner, runs_jobs_again_and_again) {
  std::atomic<int> runs = 0;
  std::promise<void> third;
  JobRunner runner({{1ms, [&] {
                       if (++runs == 3) third.set_value();
                       return JobRunner::kNextInterval;
                     }}});
  EXPECT_EQ(third.get_future().wait_for(30s), std::future_status::ready);
}

TEST(JobRunner, stops_without_waiting_for_the_next_turn) {
  std::atomic<bool> ran = false;
  {
    JobRunner runner({{1h, [&] {
                         ran = true;
                         return JobRunner::kNextInterval;
                       }}});
  }
  EXPECT_FALSE(ran);
}

TEST(JobRunner, finishes_the_job_under_way) {
  std::atomic<bool> begun = false, finished = false;
  {
    JobRunner runner({{1ms, [&] {
                         begun = true;
                         std::this_thread::sleep_for(20ms);
                         finished = true;
                         return JobRunner::kNextInterval;
                       }}});
    while (!begun) std::this_thread::yield();
  }
  EXPECT_TRUE(finished);
}

TEST(JobRunner, a_job_with_more_to_do_runs_again_before_its_interval_and_lets_others_run) {
  std::promise<void> done, other;
  int left = 100;
  JobRunner runner({{1h,
                     [&] {
                       if (--left == 0) done.set_value();
                       return left > 0 ? 0ms : JobRunner::kNextInterval;
                     }},
                    {1h, [&] {
                       other.set_value();
                       return JobRunner::kNextInterval;
                     }}});
  runner.wake();
  EXPECT_EQ(done.get_future().wait_for(30s), std::future_status::ready);
  EXPECT_EQ(other.get_future().wait_for(30s), std::future_status::ready);
}

}  // namespace
}  // namespace partita
