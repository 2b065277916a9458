// SideThreads: where requests run that wait (transactions held open for tests), so that event loops
// do not.
//
// A thread is started when all others are busy, up to a limit; without such requests there are
// none.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace partita {

class SideThreads {
 public:
  SideThreads() = default;
  ~SideThreads();  // finishes what it was given
  SideThreads(const SideThreads&) = delete;
  SideThreads& operator=(const SideThreads&) = delete;

  // From any thread. Work does not throw.
  void run(std::function<void()> work);

 private:
  static constexpr std::size_t kThreadsMax = 128;

  void loop();

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::function<void()>> waiting_;
  std::size_t idle_ = 0;
  bool ending_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace partita
