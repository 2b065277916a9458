// IdlePolling: does it pay to go on asking for events for a moment before the thread sleeps?
//
// Falling asleep and being woken costs more than serving a request, on both sides, and in a virtual
// machine several times more. A client that sends one request after the other meets a sleeping
// thread each time. So the thread asks on for a moment, but only while that is seen to pay: each
// time it polled in vain it sleeps more often before it tries again.
#pragma once

#include <algorithm>
#include <chrono>

namespace partita {

class IdlePolling {
 public:
  static constexpr std::chrono::microseconds kLongest{100};
  // Where it never pays, it costs 100 µs for every 64 sleeps.
  static constexpr int kMostSleepsBetween = 64;

  bool pays() const { return sleeps_before_next_ == 0; }

  // What came of polling,
  void met_something() { sleeps_between_ = 1; }
  void was_in_vain() {
    sleeps_between_ = std::min(2 * sleeps_between_, kMostSleepsBetween);
    sleeps_before_next_ = sleeps_between_;
  }
  // or that the thread slept without it.
  void slept() { --sleeps_before_next_; }

 private:
  int sleeps_between_ = 1;
  int sleeps_before_next_ = 0;
};

}  // namespace partita
