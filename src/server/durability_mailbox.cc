#include "server/durability_mailbox.h"

#include <utility>

namespace partita {

ParkedAnswer& DurabilityMailbox::park(Connection& connection, std::uint64_t number,
                                      const ServedRequest& request) {
  ParkedAnswer* parked = free_;
  if (parked != nullptr) {
    free_ = parked->next;
  } else {
    parked = &answers_.emplace_back();
  }
  *parked = {&connection, number, nullptr, request, nullptr, std::nullopt};
  ++parked_count_;
  return *parked;
}

ParkedAnswer* DurabilityMailbox::take_delivered() {
  const std::lock_guard lock(mutex_);
  return std::exchange(delivered_, nullptr);
}

void DurabilityMailbox::recycle(ParkedAnswer& parked) {
  parked.connection = nullptr;
  parked.side = nullptr;
  parked.next = free_;
  free_ = &parked;
  --parked_count_;
}

void DurabilityMailbox::close() {
  const std::lock_guard lock(mutex_);
  wake_ = nullptr;
}

void DurabilityMailbox::deliver(ParkedAnswer& parked, const Result<void>& outcome) {
  const std::lock_guard lock(mutex_);
  if (!outcome) parked.failure.emplace(outcome.error().code(), outcome.error().message());
  parked.next = delivered_;
  const bool loop_knows = delivered_ != nullptr;
  delivered_ = &parked;
  if (!loop_knows && wake_) wake_();
}

}  // namespace partita
