// OpenBatches: the items of batches that are being written, for transactions that meet them.
//
// Single writes tell by their latch (key_latches.h); a batch has many items and few come at a time,
// so a list of batches will do.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <mutex>
#include <span>

#include "execution/item_place.h"

namespace partita {

class OpenBatches {
 public:
  // Open from its construction until it is destroyed. Borrows its places; those at the positions
  // `left_out`, ascending, are not written.
  class Batch {
   public:
    Batch(OpenBatches& all, std::span<const ItemPlace> places,
          std::span<const std::size_t> left_out)
        : all_(all), places_(places), left_out_(left_out) {
      const std::lock_guard lock(all_.mutex_);
      next_ = all_.first_.load(std::memory_order_relaxed);
      if (next_) next_->previous_ = this;
      all_.first_.store(this, std::memory_order_relaxed);
    }
    ~Batch() {
      const std::lock_guard lock(all_.mutex_);
      if (next_) next_->previous_ = previous_;
      if (previous_) {
        previous_->next_ = next_;
      } else {
        all_.first_.store(next_, std::memory_order_relaxed);
      }
    }
    Batch(const Batch&) = delete;
    Batch& operator=(const Batch&) = delete;

   private:
    friend class OpenBatches;
    bool writes(const ItemPlace& place) const {
      const auto found = std::find(places_.begin(), places_.end(), place);
      return found != places_.end() &&
             !std::binary_search(left_out_.begin(), left_out_.end(),
                                 static_cast<std::size_t>(found - places_.begin()));
    }

    OpenBatches& all_;
    std::span<const ItemPlace> places_;
    std::span<const std::size_t> left_out_;
    Batch* previous_ = nullptr;
    Batch* next_ = nullptr;
  };

  // One load while there is no batch.
  bool contains(const ItemPlace& place) const {
    if (first_.load(std::memory_order_relaxed) == nullptr) return false;
    const std::lock_guard lock(mutex_);
    for (const Batch* batch = first_.load(std::memory_order_relaxed); batch; batch = batch->next_) {
      if (batch->writes(place)) return true;
    }
    return false;
  }

 private:
  mutable std::mutex mutex_;  // held to change the list, and to walk it
  std::atomic<Batch*> first_ = nullptr;
};

}  // namespace partita
