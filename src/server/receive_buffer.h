// ReceiveBuffer: the bytes of one connection that have arrived and are not served yet.
//
// A request lies in one piece, from start() on, followed by kBodyPaddingBytes that may be read (the
// JSON parser does). The buffer grows with what has arrived, never with what a client announces,
// and gives large memory back once it is empty.
#pragma once

#include <cstddef>
#include <cstring>
#include <memory>
#include <string_view>

#include "wire/dispatch.h"

namespace partita {

class ReceiveBuffer {
 public:
  char* start() { return bytes_.get() + start_; }
  std::size_t size() const { return end_ - start_; }
  bool empty() const { return start_ == end_; }
  std::string_view view() const { return {bytes_.get() + start_, size()}; }

  // Makes room for more and returns how much; what is there may move.
  std::size_t make_room() {
    if (end_ == capacity_) {
      if (start_ > 0 && size() <= capacity_ / 2) {
        std::memmove(bytes_.get(), start(), size());
      } else {
        capacity_ = capacity_ == 0 ? kBytesFirst : capacity_ * 2;
        // Left uninitialised: recv fills it.
        std::unique_ptr<char[]> larger(new char[capacity_ + kBodyPaddingBytes]);
        if (size() > 0) std::memcpy(larger.get(), start(), size());
        bytes_ = std::move(larger);
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

  std::unique_ptr<char[]> bytes_;
  std::size_t capacity_ = 0;  // without the padding
  std::size_t start_ = 0;
  std::size_t end_ = 0;
};

}  // namespace partita
