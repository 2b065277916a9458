// SpareBuffers: memory for answers that the connections of one thread lend each other.
//
// A connection without an answer to send holds none, so ten thousand idle ones cost nothing here.
// The buffer given back last is taken first: it is in the processor's caches.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "base/text_buffer.h"

namespace partita {

class SpareBuffers {
 public:
  SpareBuffers() { kept_.reserve(kBuffersMax); }

  TextBuffer take() {
    if (kept_.empty()) return {};
    TextBuffer buffer = std::move(kept_.back());
    kept_.pop_back();
    kept_bytes_ -= buffer.capacity();
    return buffer;
  }
  // Freed when enough are kept.
  void give_back(TextBuffer buffer) {
    const std::size_t bytes = kept_bytes_ + buffer.capacity();
    if (buffer.capacity() == 0 || kept_.size() == kBuffersMax || bytes > kBytesMax) return;
    buffer.clear();
    kept_bytes_ = bytes;
    kept_.push_back(std::move(buffer));
  }

  std::size_t count() const { return kept_.size(); }

 private:
  static constexpr std::size_t kBuffersMax = 64;
  static constexpr std::size_t kBytesMax = 4 * 1024 * 1024;

  std::vector<TextBuffer> kept_;
  std::size_t kept_bytes_ = 0;
};

}  // namespace partita
