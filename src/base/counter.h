// Counter and DurationHistogram: figures that one thread keeps and any thread reads.
//
// The writer loads, adds and stores without a locked instruction, so counting on a hot path costs a
// few nanoseconds and never makes two cores fight over a line. Who wants a total sums the counters
// of all writers.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <chrono>
#include <cstddef>
#include <cstdint>

namespace partita {

class Counter {
 public:
  // The owning thread alone.
  void add(std::uint64_t amount = 1) {
    value_.store(value_.load(std::memory_order_relaxed) + amount, std::memory_order_relaxed);
  }
  std::uint64_t value() const { return value_.load(std::memory_order_relaxed); }

 private:
  std::atomic<std::uint64_t> value_ = 0;
};

// Bin 0 holds what took less than 16.4 µs; each further bin ends at twice the time, the last one
// nowhere.
class DurationHistogram {
 public:
  static constexpr std::size_t kBins = 21;
  static constexpr std::chrono::nanoseconds end_of_bin(std::size_t bin) {
    return std::chrono::nanoseconds(std::int64_t{1} << (kFirstBinBits + bin));
  }

  // The owning thread alone.
  void record(std::chrono::nanoseconds duration) {
    const auto nanoseconds =
        static_cast<std::uint64_t>(std::max<std::int64_t>(0, duration.count()));
    const auto bin = static_cast<std::size_t>(std::bit_width(nanoseconds >> kFirstBinBits));
    bins_[std::min(bin, kBins - 1)].add();
    nanoseconds_.add(nanoseconds);
  }
  std::uint64_t count_in(std::size_t bin) const { return bins_[bin].value(); }
  std::uint64_t nanoseconds() const { return nanoseconds_.value(); }

 private:
  static constexpr std::size_t kFirstBinBits = 14;

  std::array<Counter, kBins> bins_;
  Counter nanoseconds_;
};

}  // namespace partita
