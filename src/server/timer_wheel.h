// TimerWheel: coarse deadlines for many connections at almost no cost per request.
//
// An entry hangs in the slot of some tick at or before its deadline. Moving a deadline later only
// writes a number; when its slot comes round, an entry that is not due is hung further ahead.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace partita {

class TimerEntry {
 public:
  TimerEntry() = default;
  TimerEntry(const TimerEntry&) = delete;
  TimerEntry& operator=(const TimerEntry&) = delete;

 private:
  friend class TimerWheel;
  std::uint64_t deadline_ = 0;  // in ticks
  std::uint64_t slot_tick_ = 0;
  TimerEntry* next_ = nullptr;
  TimerEntry* previous_ = nullptr;  // null: hangs nowhere
};

class TimerWheel {
 public:
  TimerWheel() {
    for (TimerEntry& slot : slots_) slot.next_ = slot.previous_ = &slot;
  }

  std::uint64_t now() const { return now_; }

  void set(TimerEntry& entry, std::uint64_t ticks_from_now) {
    // The current tick is partly over, so one more makes sure that the whole time has passed.
    entry.deadline_ = now_ + ticks_from_now + 1;
    if (entry.previous_ != nullptr) {
      if (entry.slot_tick_ <= entry.deadline_) return;
      unlink(entry);
    }
    link(entry);
  }
  void clear(TimerEntry& entry) {
    if (entry.previous_ != nullptr) unlink(entry);
  }

  // One tick has passed: calls `expired(entry)` for every entry whose deadline is reached. The
  // entry hangs nowhere then and may be set again or destroyed.
  template <typename Expired>
  void advance(Expired expired) {
    ++now_;
    TimerEntry& slot = slots_[now_ % kSlots];
    TimerEntry due;  // the slot's list, moved aside: entries hung again may land in the same slot
    take_all(slot, due);
    while (due.next_ != &due) {
      TimerEntry& entry = *due.next_;
      unlink(entry);
      if (entry.deadline_ > now_) {
        link(entry);
      } else {
        expired(entry);
      }
    }
  }

 private:
  static constexpr std::uint64_t kSlots = 256;

  void link(TimerEntry& entry) {
    const std::uint64_t farthest = now_ + kSlots - 1;
    entry.slot_tick_ = entry.deadline_ < farthest ? entry.deadline_ : farthest;
    TimerEntry& slot = slots_[entry.slot_tick_ % kSlots];
    entry.previous_ = slot.previous_;
    entry.next_ = &slot;
    slot.previous_->next_ = &entry;
    slot.previous_ = &entry;
  }
  static void unlink(TimerEntry& entry) {
    entry.previous_->next_ = entry.next_;
    entry.next_->previous_ = entry.previous_;
    entry.next_ = entry.previous_ = nullptr;
  }
  static void take_all(TimerEntry& slot, TimerEntry& into) {
    if (slot.next_ == &slot) {
      into.next_ = into.previous_ = &into;
      return;
    }
    into.next_ = slot.next_;
    into.previous_ = slot.previous_;
    into.next_->previous_ = &into;
    into.previous_->next_ = &into;
    slot.next_ = slot.previous_ = &slot;
  }

  std::uint64_t now_ = 0;
  std::array<TimerEntry, kSlots> slots_;
};

}  // namespace partita
