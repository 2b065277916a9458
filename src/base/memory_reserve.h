// MemoryReserve: memory put aside so that what has begun can be finished when memory runs out.
//
// A commit that has changed its first row must not fail at its second. It asks fill() before it
// begins, and is refused as a whole when not even the reserve can be had. From there on small
// allocations of this thread that would fail take from the reserve instead; so do those of reads
// and deletions, which go on while writes are refused. A thread that serves clients fills it before
// its first request and after those that took from it.
//
// The reserve belongs to a thread, because memory freed by one thread need not be found by another.
// It consists of small blocks, which are found again in a fragmented heap. It works in programs
// that call install(), which sets the process's new-handler; elsewhere fill() is true and nothing
// is reserved.
#pragma once

#include <array>
#include <cstddef>

namespace partita {

class MemoryReserve {
 public:
  // Once, while the program has one thread.
  static void install();

  // Whether this thread's reserve is whole; tries to make it so.
  static bool fill() { return state_of_thread().count == kBlocks || refill(); }

 private:
  static constexpr std::size_t kBlocks = 64;
  static constexpr std::size_t kBlockBytes = 16 * 1024;

  struct State {
    std::array<void*, kBlocks> blocks{};
    std::size_t count = 0;
    ~State();
  };
  static State& state_of_thread() {
    thread_local State state;
    return state;
  }
  static bool refill();
  static void on_failed_allocation();  // the new-handler
};

}  // namespace partita
