#include "server/poller.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <limits>
#include <system_error>
#include <utility>

#include <sched.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

namespace partita {
namespace {

constexpr std::size_t kTasksReserved = 64;

epoll_event event_of(Pollable* pollable, Interest interest) {
  epoll_event event{};
  if (interest.read) event.events |= EPOLLIN;
  if (interest.write) event.events |= EPOLLOUT;
  event.data.ptr = pollable;
  return event;
}

Readiness readiness_of(const epoll_event& event) {
  return {.readable = (event.events & EPOLLIN) != 0,
          .writable = (event.events & EPOLLOUT) != 0,
          .broken = (event.events & (EPOLLERR | EPOLLHUP)) != 0};
}

[[noreturn]] void fail(const char* what) {
  throw std::system_error(errno, std::generic_category(), what);
}

}  // namespace

Poller::Poller()
    : epoll_(::epoll_create1(EPOLL_CLOEXEC)), wake_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
  // Null stands for our own eventfd.
  epoll_event event = event_of(nullptr, {.read = true});
  if (epoll_ < 0 || wake_ < 0 || ::epoll_ctl(epoll_, EPOLL_CTL_ADD, wake_, &event) != 0) {
    const int reason = errno;
    if (epoll_ >= 0) ::close(epoll_);
    if (wake_ >= 0) ::close(wake_);
    errno = reason;
    fail("epoll");
  }
  // Posting from a thread that must not fail (a sync that is done) finds room.
  tasks_.reserve(kTasksReserved);
  under_way_.reserve(kTasksReserved);
}

Poller::~Poller() {
  ::close(wake_);
  ::close(epoll_);
}

void Poller::post(std::function<void()> task) {
  const std::lock_guard lock(mutex_);
  tasks_.push_back(std::move(task));
  if (tasks_.size() > 1) return;  // the thread has been told already
  const std::uint64_t one = 1;
  static_cast<void>(::write(wake_, &one, sizeof one));  // its counter cannot be full
}

void Poller::wait(WhenIdle when_idle) {
  std::array<epoll_event, kEventsPerRound> events;
  const int count = await(events, when_idle);
  bool tasks_waiting = false;
  for (int i = 0; i < count; ++i) {
    const epoll_event& event = events[static_cast<std::size_t>(i)];
    if (event.data.ptr == nullptr) {
      tasks_waiting = true;
    } else {
      static_cast<Pollable*>(event.data.ptr)->on_ready(readiness_of(event));
    }
  }
  if (tasks_waiting) run_tasks();
  run_due_timers();
}

int Poller::await(std::span<epoll_event> events, WhenIdle when_idle) {
  const auto ask = [&](int timeout) {
    const int count = ::epoll_wait(epoll_, events.data(), static_cast<int>(events.size()), timeout);
    now_ = std::chrono::steady_clock::now();
    return count;
  };
  if (when_idle == WhenIdle::Return) return ask(0);
  if (when_idle == WhenIdle::PollThenSleep && !idle_polling_.pays()) {
    idle_polling_.slept();
  } else if (when_idle == WhenIdle::PollThenSleep) {
    if (const int count = ask(0); count > 0) return count;
    const SteadyTime end = now_ + IdlePolling::kLongest;
    do {
      ::sched_yield();  // whoever we wait for may need this very core
      if (const int count = ask(0); count > 0) return idle_polling_.met_something(), count;
    } while (now_ < end);
    idle_polling_.was_in_vain();
  }
  return ask(milliseconds_until_due());
}

void Poller::watch(int socket, Pollable& pollable, Interest interest) {
  epoll_event event = event_of(&pollable, interest);
  if (::epoll_ctl(epoll_, EPOLL_CTL_ADD, socket, &event) != 0) fail("epoll_ctl");
}

void Poller::change(int socket, Pollable& pollable, Interest interest) {
  epoll_event event = event_of(&pollable, interest);
  if (::epoll_ctl(epoll_, EPOLL_CTL_MOD, socket, &event) != 0) fail("epoll_ctl");
}

void Poller::run_tasks() {
  std::uint64_t ignored = 0;
  static_cast<void>(::read(wake_, &ignored, sizeof ignored));
  {
    const std::lock_guard lock(mutex_);
    under_way_.swap(tasks_);
  }
  for (const auto& task : under_way_) task();
  under_way_.clear();
}

int Poller::milliseconds_until_due() const {
  if (timers_.empty()) return -1;
  SteadyTime next = SteadyTime::max();
  for (const Timer* timer : timers_) next = std::min(next, timer->due_);
  const auto left = next - now_;
  const auto rounded = std::chrono::ceil<std::chrono::milliseconds>(left).count();
  return static_cast<int>(std::clamp<decltype(rounded)>(rounded, 0, 60'000));
}

void Poller::run_due_timers() {
  if (timers_.empty()) return;
  // A call may set and cancel timers, its own too, so the list is looked through anew each time.
  for (;;) {
    const auto next = std::min_element(
        timers_.begin(), timers_.end(),
        [](const Timer* left, const Timer* right) { return left->due_ < right->due_; });
    if (next == timers_.end() || (*next)->due_ > now_) return;
    Timer& timer = **next;
    timer.cancel();
    timer.call_();
  }
}

void Poller::Timer::set(std::chrono::milliseconds delay) {
  // Never due within the round that sets it, so that a timer which sets itself ends the round.
  due_ = poller_.now() + std::max(delay, std::chrono::milliseconds(1));
  if (!std::exchange(set_, true)) poller_.timers_.push_back(this);
}

void Poller::Timer::cancel() {
  if (std::exchange(set_, false)) std::erase(poller_.timers_, this);
}

}  // namespace partita
