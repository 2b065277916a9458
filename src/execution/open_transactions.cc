#include "execution/open_transactions.h"

namespace partita {

bool OpenTransactions::find(const ItemPlace& place) const {
  const std::lock_guard lock(mutex_);
  return places_.contains(&place);
}

std::vector<std::size_t> OpenTransactions::find_open(std::span<const ItemPlace> places) const {
  if (!any()) return {};
  const std::lock_guard lock(mutex_);
  return find_locked(places);
}

std::vector<std::size_t> OpenTransactions::find_locked(std::span<const ItemPlace> places) const {
  std::vector<std::size_t> found;
  if (places_.empty()) return found;
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (places_.contains(&places[i])) found.push_back(i);
  }
  return found;
}

bool OpenTransactions::Transaction::claim_token(std::string_view token) {
  const std::lock_guard lock(all_.mutex_);
  if (!all_.tokens_.insert(token).second) return false;
  token_ = token;
  return true;
}

std::vector<std::size_t> OpenTransactions::Transaction::claim(std::span<const ItemPlace> places) {
  const std::lock_guard lock(all_.mutex_);
  std::vector<std::size_t> busy = all_.find_locked(places);
  if (!busy.empty()) return busy;
  for (const ItemPlace& place : places) all_.places_.insert(&place);
  all_.open_.fetch_add(1, std::memory_order_relaxed);
  places_ = places;
  return busy;
}

OpenTransactions::Transaction::~Transaction() {
  if (places_.empty() && token_.empty()) return;
  const std::lock_guard lock(all_.mutex_);
  for (const ItemPlace& place : places_) all_.places_.erase(&place);
  if (!places_.empty()) all_.open_.fetch_sub(1, std::memory_order_relaxed);
  if (!token_.empty()) all_.tokens_.erase(token_);
}

}  // namespace partita
