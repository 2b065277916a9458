// What a server counts. Each event loop owns a LoopMetrics and is the only one to write to it;
// whoever reads (operator_pages.h) sums over the loops. Counting takes no lock, allocates nothing
// and touches no line another core writes.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/counter.h"
#include "server/served_request.h"

namespace partita {

// How requests of one operation ended, and how long they took.
class OperationMetrics {
 public:
  // Success, every ErrorCode, and answers with a bad status but no error code (a wrong path).
  static constexpr std::size_t kOutcomes = 66;

  void record(const ServedRequest& request, std::chrono::nanoseconds duration) {
    outcomes_[outcome_of(request)].add();
    durations_.record(duration);
  }

  std::uint64_t count(std::size_t outcome) const { return outcomes_[outcome].value(); }
  const DurationHistogram& durations() const { return durations_; }

  static std::string_view result_of(std::size_t outcome);  // success, client_error, server_error
  static std::string_view error_of(std::size_t outcome);   // "" for a success

 private:
  static constexpr std::size_t kSuccess = 0, kOtherClientError = 64, kOtherServerError = 65;
  static std::size_t outcome_of(const ServedRequest& request) {
    if (request.status < 400) return kSuccess;
    if (request.error) return 1 + static_cast<std::size_t>(*request.error);
    return request.status < 500 ? kOtherClientError : kOtherServerError;
  }

  std::array<Counter, kOutcomes> outcomes_;
  DurationHistogram durations_;
};

class LoopMetrics {
 public:
  LoopMetrics() : operations_(operation_labels().size()) {}

  // The answer may leave now. Returns how long that took; the clock is read once.
  std::chrono::nanoseconds record(const ServedRequest& request) {
    const std::chrono::nanoseconds duration = std::chrono::steady_clock::now() - request.began;
    operations_[label_of(request)].record(request, duration);
    return duration;
  }
  // A request was turned away before it was understood; the connection ends.
  void refuse(int status) { refused_[refusal_slot(status)].add(); }

  Counter bytes_received, bytes_sent;
  Counter connections_closed, connections_timed_out;

  const std::vector<OperationMetrics>& operations() const { return operations_; }
  std::uint64_t refused(int status) const { return refused_[refusal_slot(status)].value(); }

  // All operations, then two that are none: a name nobody knows, and what is not for the API.
  static const std::vector<std::string_view>& operation_labels();
  static constexpr int kFirstRefusal = 400, kRefusals = 112;  // 400 to 511

 private:
  std::size_t label_of(const ServedRequest& request) const {
    if (request.operation != kNoOperation) return request.operation;
    return operations_.size() - (request.error == ErrorCode::UnknownOperation ? 2 : 1);
  }
  static std::size_t refusal_slot(int status) {
    return static_cast<std::size_t>(status - kFirstRefusal) % kRefusals;
  }

  std::vector<OperationMetrics> operations_;
  std::array<Counter, kRefusals> refused_;
};

class ServerMetrics {
 public:
  explicit ServerMetrics(std::size_t loop_count);

  LoopMetrics& loop(std::size_t index) { return *loops_[index]; }
  const std::vector<std::unique_ptr<LoopMetrics>>& loops() const { return loops_; }

  // The listener's thread counts.
  Counter connections_accepted;
  Counter accepts_failed;         // no descriptor or memory left
  Counter accepts_over_capacity;  // times the listener waited because connections_max was reached

  const TimePoint started = machine_time();
  const std::chrono::steady_clock::time_point started_steady = std::chrono::steady_clock::now();
  std::atomic<bool> stopping = false;

 private:
  std::vector<std::unique_ptr<LoopMetrics>> loops_;  // apart, so that no two share a line
};

}  // namespace partita
