// Poller: what the thread of an event loop waits for: sockets (epoll), tasks from other threads,
// and a few timers.
//
// Level-triggered, and a socket stays registered from accept to close: a request costs a share of
// one epoll_wait and no epoll_ctl. Whoever does not want to be told again that bytes are waiting
// has to change its interest.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <mutex>
#include <span>
#include <vector>

#include "server/idle_polling.h"

struct epoll_event;

namespace partita {

struct Interest {
  bool read = false;
  bool write = false;
  friend bool operator==(const Interest&, const Interest&) = default;
};

// What happened to a watched socket.
struct Readiness {
  bool readable = false;
  bool writable = false;
  bool broken = false;  // an error, or both directions are closed; told whatever the interest is
};

class Pollable {
 public:
  // An object may hear of what happened before it closed its socket: it must live until the end of
  // the round (Poller::wait).
  virtual void on_ready(Readiness readiness) = 0;

 protected:
  ~Pollable() = default;
};

class Poller {
 public:
  using SteadyTime = std::chrono::steady_clock::time_point;

  Poller();  // throws std::system_error when the process has no descriptors left
  ~Poller();
  Poller(const Poller&) = delete;
  Poller& operator=(const Poller&) = delete;

  // Any thread. Tasks run in order, on the thread that calls wait.
  void post(std::function<void()> task);

  // The rest is for the thread that calls wait, or before there is one.

  // What to do until something happens. Polling is left off where it does not pay (IdlePolling).
  enum class WhenIdle { Return, Sleep, PollThenSleep };

  // One round: waits until something happens and lets everybody concerned know. What they throw
  // passes through.
  void wait(WhenIdle when_idle);

  void watch(int socket, Pollable& pollable, Interest interest);  // throws std::system_error
  void change(int socket, Pollable& pollable, Interest interest);
  // Closing a socket also ends its watch.

  // When this round began: good enough for timers, and no call of the clock.
  SteadyTime now() const { return now_; }

  // A call some time from now. Lives as long as its poller at most.
  class Timer {
   public:
    Timer(Poller& poller, std::function<void()> call) : poller_(poller), call_(std::move(call)) {}
    ~Timer() { cancel(); }
    Timer(const Timer&) = delete;
    Timer& operator=(const Timer&) = delete;
    void set(std::chrono::milliseconds delay);
    void cancel();

   private:
    friend class Poller;
    Poller& poller_;
    std::function<void()> call_;
    SteadyTime due_{};
    bool set_ = false;
  };

 private:
  static constexpr int kEventsPerRound = 128;

  // Fills in what happened and returns how much.
  int await(std::span<epoll_event> events, WhenIdle when_idle);
  int milliseconds_until_due() const;
  void run_tasks();
  void run_due_timers();

  int epoll_ = -1;
  int wake_ = -1;  // an eventfd: tasks are waiting
  IdlePolling idle_polling_;
  SteadyTime now_ = std::chrono::steady_clock::now();
  std::vector<Timer*> timers_;                    // those that are set: a handful
  std::vector<std::function<void()>> under_way_;  // keeps its memory between rounds

  std::mutex mutex_;  // guards what follows
  std::vector<std::function<void()>> tasks_;
};

}  // namespace partita
