// DurabilityMailbox: how a sync thread tells an event loop which parked answers may leave.
//
// The loop parks an answer and hands its address to Api::when_durable; the callback, on whatever
// thread, delivers it here. However many answers one sync sets free, the loop is woken once: by the
// first delivery it has not looked at yet.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>

#include "partita/result.h"

#include "server/served_request.h"

namespace partita {

class Connection;

// An answer that was made by another thread than its loop's.
struct SideAnswer;

struct ParkedAnswer {
  Connection* connection = nullptr;    // null once the connection is gone; the loop's thread only
  std::uint64_t number = 0;            // in its AnswerQueue
  ParkedAnswer* next = nullptr;        // among the delivered, or among the free
  ServedRequest request{};             // to be counted when the answer leaves
  std::shared_ptr<SideAnswer> side{};  // takes the place of what is parked
  std::optional<Error> failure{};      // why it is not durable
};

class DurabilityMailbox {
 public:
  // `wake` makes the loop call take_delivered soon; called from any thread.
  explicit DurabilityMailbox(std::function<void()> wake) : wake_(std::move(wake)) {}

  // The loop's thread.
  ParkedAnswer& park(Connection& connection, std::uint64_t number, const ServedRequest& request);
  ParkedAnswer* take_delivered();  // a list, linked by next
  void recycle(ParkedAnswer& parked);
  std::size_t parked_count() const { return parked_count_; }
  // No more wakes: the loop is about to end.
  void close();

  // Any thread, once per parked answer.
  void deliver(ParkedAnswer& parked, const Result<void>& outcome);

 private:
  std::deque<ParkedAnswer> answers_;
  ParkedAnswer* free_ = nullptr;
  std::size_t parked_count_ = 0;

  std::mutex mutex_;  // guards what follows
  ParkedAnswer* delivered_ = nullptr;
  std::function<void()> wake_;
};

}  // namespace partita
