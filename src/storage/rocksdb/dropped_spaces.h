// Which spaces were dropped: a bit each, read without a lock on every request.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "storage/engine.h"

namespace partita {

class DroppedSpaces {
 public:
  bool contains(SpaceId space) const {
    if (!any_.load(std::memory_order_acquire)) [[likely]]
      return false;
    const Page* page = pages_[space / kPageBits].load(std::memory_order_acquire);
    return page != nullptr &&
           ((*page)[space % kPageBits / 64].load(std::memory_order_acquire) & bit(space)) != 0;
  }

  void add(SpaceId space) {
    const std::lock_guard lock(mutex_);
    std::atomic<Page*>& slot = pages_[space / kPageBits];
    if (slot.load(std::memory_order_relaxed) == nullptr) {
      owned_.push_back(std::make_unique<Page>());
      slot.store(owned_.back().get(), std::memory_order_release);
    }
    (*slot.load(std::memory_order_relaxed))[space % kPageBits / 64].fetch_or(
        bit(space), std::memory_order_release);
    any_.store(true, std::memory_order_release);
  }

 private:
  static constexpr std::uint32_t kPageBits = 1U
                                             << 18;  // ids are given out in order: one page, mostly
  static constexpr std::size_t kPageCount = (std::uint64_t{1} << 32) / kPageBits;
  using Page = std::array<std::atomic<std::uint64_t>, kPageBits / 64>;

  static std::uint64_t bit(SpaceId space) { return std::uint64_t{1} << (space % 64); }

  std::atomic<bool> any_{false};
  std::mutex mutex_;
  std::vector<std::unique_ptr<Page>> owned_;
  std::unique_ptr<std::atomic<Page*>[]> pages_ = std::make_unique<std::atomic<Page*>[]>(kPageCount);
};

}  // namespace partita
