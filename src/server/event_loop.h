// EventLoop: one thread, the connections it owns, and what they share.
//
// Everything here runs on the loop's own thread, except where a comment says otherwise.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "auth/tls.h"
#include "base/arena.h"
#include "server/answer_head.h"
#include "server/connection.h"
#include "server/doorkeeper.h"
#include "server/durability_mailbox.h"
#include "server/metrics.h"
#include "server/operator_pages.h"
#include "server/poller.h"
#include "server/request_log.h"
#include "server/server.h"
#include "server/side_threads.h"
#include "server/spare_buffers.h"
#include "server/timer_wheel.h"

namespace partita {

class EventLoop {
 public:
  EventLoop(const ServerOptions& options, LoopMetrics& metrics, const OperatorPages& pages,
            SideThreads& side_threads);
  ~EventLoop();

  // Any thread.
  void start();
  void stop();  // gracefully, within limits().stop_timeout
  void join();
  void adopt(int socket);  // takes over an accepted socket
  std::size_t connection_count() const { return connection_count_.load(std::memory_order_relaxed); }
  Poller& poller() { return poller_; }

  // For connections.
  const ServerOptions& options() const { return options_; }
  const ServerLimits& limits() const { return options_.limits; }
  const Routes& routes() const { return routes_; }
  LoopMetrics& metrics() { return metrics_; }
  // An answer may leave: counts its request, and logs it if the log wants it.
  void served(const ServedRequest& request, int socket) {
    const std::chrono::nanoseconds duration = metrics_.record(request);
    round_age_ = duration;  // nearly always: a request counts from when its round began
    request_log_.note(request, duration, socket);
  }
  // The head last written turns a request away before it was understood.
  void refused(int status, int socket) {
    metrics_.refuse(status);
    request_log_.note_refusal(heads_.request_id(), status, socket);
  }
  bool stopping() const { return stopping_; }
  AnswerHeadWriter& heads() { return heads_; }
  Doorkeeper& doorkeeper() { return doorkeeper_; }
  DurabilityMailbox& mailbox() { return *mailbox_; }
  // Does this request wait before it answers? Then it runs there.
  bool runs_aside(const RequestHead& head) const;
  SideThreads& side_threads() { return side_threads_; }
  // For a new connection; null: in the clear.
  std::shared_ptr<const TlsContext> tls_context() const {
    return options_.tls != nullptr ? options_.tls->current() : nullptr;
  }
  Arena& arena() { return arena_; }  // of the request being served
  SpareBuffers& spare_buffers() { return spare_buffers_; }
  std::span<char> scratch() { return scratch_; }
  BufferBudget& buffer_budget() { return buffer_budget_; }
  void set_timer(Connection& connection, std::chrono::milliseconds delay) {
    wheel_.set(connection, static_cast<std::uint64_t>((delay + tick_ - kMillisecond) / tick_));
  }
  void clear_timer(Connection& connection) { wheel_.clear(connection); }
  // Lets it serve and send at the end of the round.
  void give_turn(Connection& connection);
  // Calls on_resume at the end of the round.
  void resume_later(Connection& connection);
  // Destroys it at the end of the round.
  void connection_closed(Connection& connection);
  // Calls one of the connection's handlers; what it throws (memory is short) ends the connection.
  void run_guarded(Connection& connection, void (Connection::*handler)());

 private:
  static constexpr std::chrono::milliseconds kMillisecond{1};

  void run();
  Poller::WhenIdle when_idle() const;
  void add(int socket);
  void end_round();
  void run_turns();
  void finish_turns(std::size_t first, std::size_t last);
  void release_durable();
  void begin_stop();
  void give_up();
  void schedule_tick();
  void tick();

  const ServerOptions& options_;
  const Routes routes_;
  LoopMetrics& metrics_;
  RequestLog request_log_;
  SideThreads& side_threads_;
  const std::chrono::milliseconds tick_;
  Poller poller_;
  Poller::Timer tick_timer_;
  Poller::Timer stop_timer_;
  std::thread thread_;

  BufferBudget buffer_budget_;
  std::atomic<std::size_t> connection_count_ = 0;  // those on their way to us included
  std::vector<std::unique_ptr<Connection>> connections_;
  std::vector<std::unique_ptr<Connection>> closed_;  // in this round
  std::vector<Connection*> turns_;                   // those that have one in this round
  std::chrono::nanoseconds round_age_{0};            // when an answer was last made
  std::vector<Connection*> resumed_;                 // to be resumed at the end of this round
  std::vector<Connection*> resuming_;
  TimerWheel wheel_;
  AnswerHeadWriter heads_;
  Doorkeeper doorkeeper_;
  std::unique_ptr<DurabilityMailbox> mailbox_;
  bool ticking_ = false;
  bool stopping_ = false;
  bool done_ = false;

  Arena arena_;
  SpareBuffers spare_buffers_;
  std::array<char, 64 * 1024> scratch_;
};

}  // namespace partita
