#include "storage/rehearsal/late_tickets.h"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <utility>

namespace partita {
namespace {

constexpr std::chrono::microseconds kDelay{300};

}  // namespace

LateTickets::LateTickets() : thread_([this] { run(); }) {}

LateTickets::~LateTickets() {
  {
    std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  changed_.notify_one();
  thread_.join();
  for (Ticket& ticket : waiting_) {
    ticket.done(Error::internal("the engine was closed before that version was committed"));
  }
}

void LateTickets::committed(Version version) {
  std::lock_guard lock(mutex_);
  committed_ = std::max(committed_, version);
  changed_.notify_one();
}

void LateTickets::when_durable(Version version, std::function<void(Result<void>)> done) {
  std::lock_guard lock(mutex_);
  waiting_.push_back({version, std::move(done)});
  changed_.notify_one();
}

void LateTickets::run() {
  std::unique_lock lock(mutex_);
  auto ready = [this](const Ticket& ticket) { return ticket.version <= committed_; };
  auto work = [&] {
    return durable_ < committed_ || std::any_of(waiting_.begin(), waiting_.end(), ready);
  };
  while (true) {
    changed_.wait(lock, [&] { return stopping_ || work(); });
    if (!work()) return;
    const Version reached = committed_;
    const auto late = std::stable_partition(waiting_.begin(), waiting_.end(),
                                            [&](const Ticket& ticket) { return !ready(ticket); });
    std::vector<Ticket> answered(std::make_move_iterator(late),
                                 std::make_move_iterator(waiting_.end()));
    waiting_.erase(late, waiting_.end());
    lock.unlock();
    std::this_thread::sleep_for(kDelay);
    durable_.store(reached, std::memory_order_release);
    rounds_.fetch_add(1, std::memory_order_relaxed);
    for (Ticket& ticket : answered) ticket.done({});
    lock.lock();
  }
}

}  // namespace partita
