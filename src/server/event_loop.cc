#include "server/event_loop.h"

#include <algorithm>
#include <utility>

#include <unistd.h>

#include "base/clock.h"
#include "base/memory_reserve.h"

namespace partita {
namespace {

// Fine enough that the shortest timeout is kept to an eighth, coarse enough to cost nothing.
std::chrono::milliseconds tick_length(const ServerLimits& limits) {
  const auto shortest = std::min({limits.idle_timeout, limits.head_timeout, limits.body_timeout,
                                  limits.write_timeout, limits.linger_timeout});
  return std::clamp(shortest / 8, std::chrono::milliseconds(10), std::chrono::milliseconds(1000));
}

// How much is served before it is sent: enough that code and data of serving stay in the
// processor's caches for several requests, as do the kernel's of sending, but not so much that the
// first answer waits noticeably or large ones pile up.
constexpr std::size_t kTurnsTogether = 4;
constexpr std::size_t kBytesTogether = 64 * 1024;
constexpr std::chrono::microseconds kTimeTogether{200};

}  // namespace

EventLoop::EventLoop(const ServerOptions& options, LoopMetrics& metrics, const OperatorPages& pages,
                     SideThreads& side_threads)
    : options_(options),
      routes_{options, pages},
      metrics_(metrics),
      request_log_(options),
      side_threads_(side_threads),
      tick_(tick_length(options.limits)),
      tick_timer_(poller_, [this] { tick(); }),
      stop_timer_(poller_, [this] { give_up(); }),
      buffer_budget_{.bytes_max = options.limits.buffered_bytes_max},
      doorkeeper_(options),
      mailbox_(std::make_unique<DurabilityMailbox>(
          [this] { poller_.post([this] { release_durable(); }); })) {}

EventLoop::~EventLoop() {
  join();
  connections_.clear();
  mailbox_->close();
  // Somebody's disk hangs and will call back, if ever, after we are gone: leave them the mailbox.
  if (mailbox_->parked_count() > 0) static_cast<void>(mailbox_.release());
}

bool EventLoop::runs_aside(const RequestHead& head) const {
  const auto& targets = options_.waiting_targets;
  if (targets.empty()) [[likely]]
    return false;
  return std::find(targets.begin(), targets.end(), head.amz_target()) != targets.end();
}

void EventLoop::start() {
  thread_ = std::thread([this] { run(); });
}

void EventLoop::run() {
  while (!done_) {
    // Whole before memory is short, and again after reads took from it.
    static_cast<void>(MemoryReserve::fill());
    poller_.wait(when_idle());
    end_round();
  }
}

Poller::WhenIdle EventLoop::when_idle() const {
  if (!resumed_.empty()) return Poller::WhenIdle::Return;
  // A disk takes longer than polling lasts, and the thread that syncs may need this core.
  if (mailbox_->parked_count() > 0) return Poller::WhenIdle::Sleep;
  return Poller::WhenIdle::PollThenSleep;
}

void EventLoop::end_round() {
  resuming_.swap(resumed_);
  for (Connection* connection : resuming_) {
    connection->resume_pending = false;
    run_guarded(*connection, &Connection::on_resume);
  }
  resuming_.clear();
  run_turns();
  // Not those that asked for a further turn just before they closed: resumed_ has their address.
  std::erase_if(closed_, [](const auto& connection) { return !connection->resume_pending; });
  if (stopping_ && connections_.empty() && mailbox_->parked_count() == 0) done_ = true;
}

// Serves first and sends then, a handful of connections at a time.
void EventLoop::run_turns() {
  std::size_t first = 0;
  std::size_t bytes = 0;
  std::chrono::nanoseconds sent_at{0};
  round_age_ = {};
  for (std::size_t i = 0; i < turns_.size(); ++i) {
    run_guarded(*turns_[i], &Connection::serve_turn);
    bytes += turns_[i]->unsent_bytes();
    if (i + 1 - first < kTurnsTogether && bytes < kBytesTogether &&
        round_age_ - sent_at < kTimeTogether) {
      continue;
    }
    finish_turns(first, i + 1);
    first = i + 1;
    bytes = 0;
    sent_at = round_age_;
  }
  finish_turns(first, turns_.size());
  turns_.clear();
}

void EventLoop::finish_turns(std::size_t first, std::size_t last) {
  for (std::size_t i = first; i < last; ++i) {
    turns_[i]->has_turn = false;
    run_guarded(*turns_[i], &Connection::finish_turn);
  }
}

void EventLoop::stop() {
  poller_.post([this] { begin_stop(); });
}

void EventLoop::join() {
  if (thread_.joinable()) thread_.join();
}

void EventLoop::adopt(int socket) {
  connection_count_.fetch_add(1, std::memory_order_relaxed);
  poller_.post([this, socket] { add(socket); });
}

void EventLoop::add(int socket) {
  Connection* added = nullptr;
  try {
    connections_.reserve(connections_.size() + 1);
    closed_.reserve(connections_.size() + 1);  // so that closing needs no memory
    turns_.reserve(connections_.size() + 1);   // nor does giving a turn
    added = connections_.emplace_back(std::make_unique<Connection>(*this, socket)).get();
  } catch (...) {
    ::close(socket);
    connection_count_.fetch_sub(1, std::memory_order_relaxed);
    return;
  }
  added->loop_index = connections_.size() - 1;
  schedule_tick();
  run_guarded(*added, &Connection::begin);
}

void EventLoop::run_guarded(Connection& connection, void (Connection::*handler)()) {
  try {
    (connection.*handler)();
  } catch (...) {
    connection.close();
  }
}

void EventLoop::give_turn(Connection& connection) {
  if (!std::exchange(connection.has_turn, true)) turns_.push_back(&connection);
}

void EventLoop::resume_later(Connection& connection) {
  if (!std::exchange(connection.resume_pending, true)) resumed_.push_back(&connection);
}

void EventLoop::connection_closed(Connection& connection) {
  connection_count_.fetch_sub(1, std::memory_order_relaxed);
  metrics_.connections_closed.add();
  const std::size_t index = connection.loop_index;
  std::swap(connections_[index], connections_.back());
  connections_[index]->loop_index = index;
  closed_.push_back(std::move(connections_.back()));
  connections_.pop_back();
}

void EventLoop::release_durable() {
  for (ParkedAnswer* parked = mailbox_->take_delivered(); parked != nullptr;) {
    ParkedAnswer* const next = parked->next;
    if (Connection* const connection = parked->connection; connection != nullptr) {
      try {
        connection->on_durability_known(*parked);
      } catch (...) {  // memory is short
        connection->close();
      }
      resume_later(*connection);
    }
    mailbox_->recycle(*parked);
    parked = next;
  }
}

void EventLoop::schedule_tick() {
  if (ticking_) return;
  ticking_ = true;
  heads_.set_time(std::chrono::system_clock::to_time_t(machine_time()));
  tick_timer_.set(tick_);
}

void EventLoop::tick() {
  ticking_ = false;
  wheel_.advance([this](TimerEntry& entry) {
    run_guarded(static_cast<Connection&>(entry), &Connection::on_deadline);
  });
  if (!connections_.empty()) schedule_tick();
}

void EventLoop::begin_stop() {
  if (std::exchange(stopping_, true)) return;
  stop_timer_.set(limits().stop_timeout);
  // An idle connection closes, unless a request has just arrived on it. Backwards, as closing one
  // moves the last into its place.
  for (std::size_t i = connections_.size(); i-- > 0;) {
    run_guarded(*connections_[i], &Connection::on_readable);
  }
}

void EventLoop::give_up() {
  for (std::size_t i = connections_.size(); i-- > 0;) {
    run_guarded(*connections_[i], &Connection::close);
  }
  done_ = true;
}

}  // namespace partita
