#include "server/event_loop.h"

#include <algorithm>
#include <ctime>
#include <utility>

#include "server/asio.h"

namespace partita {
namespace {

// Fine enough that the shortest timeout is kept to an eighth, coarse enough to cost nothing.
std::chrono::milliseconds tick_length(const ServerLimits& limits) {
  const auto shortest = std::min({limits.idle_timeout, limits.head_timeout, limits.body_timeout,
                                  limits.write_timeout, limits.linger_timeout});
  return std::clamp(shortest / 8, std::chrono::milliseconds(10), std::chrono::milliseconds(1000));
}

}  // namespace

// All I/O of a loop's sockets happens on its own thread, so Asio need not lock them.
EventLoop::EventLoop(const ServerOptions& options)
    : options_(options),
      tick_(tick_length(options.limits)),
      context_(ASIO_CONCURRENCY_HINT_UNSAFE_IO),
      work_(context_.get_executor()),
      tick_timer_(context_),
      stop_timer_(context_),
      mailbox_(std::make_unique<DurabilityMailbox>(
          [this] { asio::post(context_, [this] { release_durable(); }); })) {}

EventLoop::~EventLoop() {
  join();
  connections_.clear();
  mailbox_->close();
  // Somebody's disk hangs and will call back, if ever, after we are gone: leave them the mailbox.
  if (mailbox_->parked_count() > 0) static_cast<void>(mailbox_.release());
}

void EventLoop::start() {
  thread_ = std::thread([this] { run(); });
}

void EventLoop::run() { context_.run(); }

void EventLoop::stop() {
  asio::post(context_, [this] { begin_stop(); });
}

void EventLoop::join() {
  if (thread_.joinable()) thread_.join();
}

void EventLoop::adopt(int socket) {
  connection_count_.fetch_add(1, std::memory_order_relaxed);
  asio::post(context_, [this, socket] { add(LoopSocket(context_, socket)); });
}

void EventLoop::add(LoopSocket socket) {
  auto connection = std::make_unique<Connection>(*this, std::move(socket));
  connection->loop_index = connections_.size();
  Connection& added = *connections_.emplace_back(std::move(connection));
  schedule_tick();
  run_guarded(added, &Connection::on_readable);
}

void EventLoop::run_guarded(Connection& connection, void (Connection::*handler)()) {
  try {
    (connection.*handler)();
  } catch (...) {
    connection.close();
  }
  if (connection.finished()) bury(connection);
}

void EventLoop::connection_closed(Connection&) {
  connection_count_.fetch_sub(1, std::memory_order_relaxed);
}

void EventLoop::bury(Connection& connection) {
  const std::size_t index = connection.loop_index;
  std::swap(connections_[index], connections_.back());
  connections_[index]->loop_index = index;
  connections_.pop_back();
  end_if_done();
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
      if (!std::exchange(connection->resume_pending, true)) resumed_.push_back(connection);
    }
    mailbox_->recycle(*parked);
    parked = next;
  }
  for (Connection* connection : resumed_) {
    connection->resume_pending = false;
    run_guarded(*connection, &Connection::on_resume);
  }
  resumed_.clear();
  end_if_done();
}

void EventLoop::schedule_tick() {
  if (ticking_) return;
  ticking_ = true;
  heads_.set_time(std::time(nullptr));
  tick_timer_.expires_after(tick_);
  tick_timer_.async_wait([this](const asio::error_code& error) {
    ticking_ = false;
    if (!error) tick();
  });
}

void EventLoop::tick() {
  wheel_.advance([this](TimerEntry& entry) {
    run_guarded(static_cast<Connection&>(entry), &Connection::on_deadline);
  });
  if (!connections_.empty()) schedule_tick();
}

void EventLoop::begin_stop() {
  if (std::exchange(stopping_, true)) return;
  stop_timer_.expires_after(limits().stop_timeout);
  stop_timer_.async_wait([this](const asio::error_code& error) {
    if (!error) give_up();
  });
  // An idle connection closes, unless a request has just arrived on it. Backwards, as burying one
  // moves the last into its place.
  for (std::size_t i = connections_.size(); i-- > 0;) {
    run_guarded(*connections_[i], &Connection::on_readable);
  }
  end_if_done();
}

void EventLoop::give_up() {
  for (std::size_t i = connections_.size(); i-- > 0;) {
    run_guarded(*connections_[i], &Connection::close);
  }
  context_.stop();
}

void EventLoop::end_if_done() {
  if (stopping_ && connections_.empty() && mailbox_->parked_count() == 0) context_.stop();
}

}  // namespace partita
