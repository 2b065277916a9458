#include "execution/open_transactions.h"

namespace partita {

bool OpenTransactions::find(const ItemPlace& place) const {
  const std::lock_guard lock(mutex_);
  return find_locked(place);
}

bool OpenTransactions::find_locked(const ItemPlace& place) const {
  for (const Entry* entry = buckets_[place.hash() % kBuckets]; entry; entry = entry->next) {
    if (*entry->place == place) return true;
  }
  return false;
}

std::vector<std::size_t> OpenTransactions::find_open(std::span<const ItemPlace> places) const {
  if (!any()) return {};
  const std::lock_guard lock(mutex_);
  return find_locked(places);
}

std::vector<std::size_t> OpenTransactions::find_locked(std::span<const ItemPlace> places) const {
  std::vector<std::size_t> found;
  if (!any()) return found;
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (find_locked(places[i])) found.push_back(i);
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
  entries_.reserve(places.size());
  for (const ItemPlace& place : places) {
    Entry*& first = all_.bucket_of(place);
    first = &entries_.emplace_back(Entry{&place, first});
  }
  all_.open_.fetch_add(1, std::memory_order_relaxed);
  return busy;
}

OpenTransactions::Transaction::~Transaction() {
  if (entries_.empty() && token_.empty()) return;
  const std::lock_guard lock(all_.mutex_);
  for (const Entry& entry : entries_) {
    Entry** at = &all_.bucket_of(*entry.place);
    while (*at != &entry) at = &(*at)->next;
    *at = entry.next;
  }
  if (!entries_.empty()) all_.open_.fetch_sub(1, std::memory_order_relaxed);
  if (!token_.empty()) all_.tokens_.erase(token_);
}

}  // namespace partita
