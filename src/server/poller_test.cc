#include "server/poller.h"

#include <array>
#include <chrono>
#include <thread>
#include <vector>

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

namespace partita {
namespace {

using std::chrono::milliseconds;
using WhenIdle = Poller::WhenIdle;

// Two connected sockets, the first of them watched.
class Watched final : public Pollable {
 public:
  explicit Watched(Poller& poller, Interest interest) : poller_(poller) {
    EXPECT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, sockets_.data()), 0);
    poller_.watch(sockets_[0], *this, interest);
  }
  ~Watched() {
    ::close(sockets_[0]);
    if (sockets_[1] >= 0) ::close(sockets_[1]);
  }
  void on_ready(Readiness readiness) override { seen.push_back(readiness); }
  void change(Interest interest) { poller_.change(sockets_[0], *this, interest); }
  void peer_sends() { EXPECT_EQ(::send(sockets_[1], "x", 1, 0), 1); }
  void take_bytes() {
    char byte = 0;
    while (::recv(sockets_[0], &byte, 1, 0) == 1) ++taken;
  }
  void peer_closes() { ::close(std::exchange(sockets_[1], -1)); }

  std::vector<Readiness> seen;
  int taken = 0;

 private:
  Poller& poller_;
  std::array<int, 2> sockets_{};
};

TEST(Poller, tells_of_unread_bytes_until_they_are_of_no_interest) {
  Poller poller;
  Watched watched(poller, {.read = true});
  poller.wait(WhenIdle::Return);
  EXPECT_TRUE(watched.seen.empty());
  watched.peer_sends();
  poller.wait(WhenIdle::Return);
  poller.wait(WhenIdle::Return);
  ASSERT_EQ(watched.seen.size(), 2U);
  EXPECT_TRUE(watched.seen[0].readable);
  EXPECT_FALSE(watched.seen[0].writable);
  EXPECT_FALSE(watched.seen[0].broken);
  watched.change({});
  poller.wait(WhenIdle::Return);
  EXPECT_EQ(watched.seen.size(), 2U);
  watched.change({.read = false, .write = true});
  poller.wait(WhenIdle::Return);
  ASSERT_EQ(watched.seen.size(), 3U);
  EXPECT_TRUE(watched.seen[2].writable);
  EXPECT_FALSE(watched.seen[2].readable);
}

TEST(Poller, tells_of_a_broken_connection_whatever_the_interest_is) {
  Poller poller;
  Watched watched(poller, {});
  watched.peer_closes();
  poller.wait(WhenIdle::Return);
  ASSERT_EQ(watched.seen.size(), 1U);
  EXPECT_TRUE(watched.seen[0].broken);
}

TEST(Poller, tasks_of_other_threads_run_here_and_in_order) {
  Poller poller;
  std::vector<int> ran;
  std::thread other([&] {
    for (int i = 0; i < 100; ++i) poller.post([&ran, i] { ran.push_back(i); });
  });
  while (ran.size() < 100) poller.wait(WhenIdle::Sleep);
  other.join();
  for (int i = 0; i < 100; ++i) EXPECT_EQ(ran[static_cast<std::size_t>(i)], i);
}

TEST(Poller, who_polls_before_it_sleeps_misses_nothing) {
  Poller poller;
  Watched watched(poller, {.read = true});
  bool stop = false;
  // Some of these come while it polls and some while it sleeps.
  std::thread other([&] {
    for (int i = 0; i < 200; ++i) {
      watched.peer_sends();
      std::this_thread::sleep_for(std::chrono::microseconds(i % 20 * 20));
    }
    poller.post([&] { stop = true; });
  });
  while (!stop) {
    poller.wait(WhenIdle::PollThenSleep);
    watched.take_bytes();
  }
  other.join();
  watched.take_bytes();
  EXPECT_EQ(watched.taken, 200);
}

TEST(Poller, timers_ring_for_who_polls_before_it_sleeps) {
  Poller poller;
  int rang = 0;
  Poller::Timer timer(poller, [&] { ++rang; });
  for (int i = 1; i <= 5; ++i) {
    timer.set(milliseconds(1));
    while (rang < i) poller.wait(WhenIdle::PollThenSleep);
  }
}

TEST(Poller, a_task_may_post_another) {
  Poller poller;
  bool second = false;
  poller.post([&] { poller.post([&] { second = true; }); });
  poller.wait(WhenIdle::Sleep);
  EXPECT_FALSE(second) << "a task that posts itself must not keep the sockets waiting";
  poller.wait(WhenIdle::Sleep);
  EXPECT_TRUE(second);
}

TEST(Poller, timers_ring_once_in_order_and_not_when_cancelled) {
  Poller poller;
  std::vector<int> rang;
  Poller::Timer late(poller, [&] { rang.push_back(2); });
  Poller::Timer soon(poller, [&] { rang.push_back(1); });
  Poller::Timer never(poller, [&] { rang.push_back(3); });
  late.set(milliseconds(30));
  soon.set(milliseconds(5));
  never.set(milliseconds(10));
  never.cancel();
  while (rang.size() < 2) poller.wait(WhenIdle::Sleep);
  EXPECT_EQ(rang, (std::vector<int>{1, 2}));
}

TEST(Poller, a_timer_may_set_itself_again) {
  Poller poller;
  int rang = 0;
  Poller::Timer* self = nullptr;
  Poller::Timer timer(poller, [&] {
    if (++rang < 3) self->set(milliseconds(0));
  });
  self = &timer;
  timer.set(milliseconds(0));
  while (rang < 3) {
    const int before = rang;
    poller.wait(WhenIdle::Sleep);
    EXPECT_LE(rang, before + 1);
  }
}

}  // namespace
}  // namespace partita
