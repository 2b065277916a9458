// ReceiveBuffer: the bytes of one connection that have arrived and are not served yet.
//
// A request lies in one piece, from start() on, followed by kBodyPaddingBytes that may be read (the
// JSON parser does). The buffer grows with what has arrived, never with what a client announces,
// and gives large memory back once it is empty. What large requests take all together is limited.
#pragma once

#include <cstddef>
#include <cstring>
#include <memory>
#include <string_view>

#include "wire/dispatch.h"

namespace partita {

// What large requests of one loop's connections may take until they are complete and served.
struct BufferBudget {
  std::size_t bytes_max = 0;
  std::size_t bytes_taken = 0;

  bool take(std::size_t bytes) {
    if (bytes > bytes_max - bytes_taken) return false;
    bytes_taken += bytes;
    return true;
  }
  void give_back(std::size_t bytes) { bytes_taken -= bytes; }
};

class ReceiveBuffer {
 public:
  explicit ReceiveBuffer(BufferBudget& budget) : budget_(budget) {}
  ~ReceiveBuffer() { give_back(); }
  ReceiveBuffer(const ReceiveBuffer&) = delete;
  ReceiveBuffer& operator=(const ReceiveBuffer&) = delete;

  char* start() { return bytes_.get() + start_; }
  std::size_t size() const { return end_ - start_; }
  bool empty() const { return start_ == end_; }
  std::string_view view() const { return {bytes_.get() + start_, size()}; }

  // Makes room for more and returns how much; what is there may move. None: the budget is spent.
  std::size_t make_room() {
    if (end_ == capacity_) {
      if (start_ > 0 && size() <= capacity_ / 2) {
        std::memmove(bytes_.get(), start(), size());
      } else {
        const std::size_t capacity = capacity_ == 0 ? kBytesFirst : capacity_ * 2;
        // Left uninitialised: recv fills it.
        std::unique_ptr<char[]> larger(new char[capacity + kBodyPaddingBytes]);
        if (!budget_.take(budgeted(capacity) - budgeted(capacity_))) return 0;
        if (size() > 0) std::memcpy(larger.get(), start(), size());
        bytes_ = std::move(larger);
        capacity_ = capacity;
      }
      end_ -= start_;
      start_ = 0;
    }
    return capacity_ - end_;
  }
  char* room() { return bytes_.get() + end_; }
  void received(std::size_t count) { end_ += count; }

  // Drops the first `count` bytes: a request that has been served.
  void consume(std::size_t count) {
    start_ += count;
    if (start_ != end_) return;
    start_ = end_ = 0;
    if (capacity_ > kBytesKept) give_back();
  }

  // Frees the memory of an empty buffer.
  void give_back() {
    budget_.give_back(budgeted(capacity_));
    bytes_.reset();
    capacity_ = 0;
  }

  // Drops `count` bytes in the middle: chunk headers around data that has moved down.
  void remove(std::size_t offset, std::size_t count) {
    char* const hole = start() + offset;
    std::memmove(hole, hole + count, size() - offset - count);
    end_ -= count;
  }

 private:
  static constexpr std::size_t kBytesFirst = 8 * 1024;
  static constexpr std::size_t kBytesKept = 16 * 1024;

  // Small buffers belong to the price of a connection.
  static constexpr std::size_t budgeted(std::size_t capacity) {
    return capacity > kBytesKept ? capacity : 0;
  }

  BufferBudget& budget_;
  std::unique_ptr<char[]> bytes_;
  std::size_t capacity_ = 0;  // without the padding
  std::size_t start_ = 0;
  std::size_t end_ = 0;
};

}  // namespace partita
