// Arena: the memory of one request after another.
//
// Allocations come from a buffer that is part of the arena and spill to the heap when it is full;
// release() gives the spill back and starts over in the same buffer. Nothing in it outlives the
// release. For one thread at a time.
#pragma once

#include <array>
#include <cstddef>
#include <memory_resource>

namespace partita {

class Arena {
 public:
  Arena() : resource_(buffer_.data(), buffer_.size()) {}
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;

  std::pmr::memory_resource* memory() { return &resource_; }
  void release() { resource_.release(); }

 private:
  static constexpr std::size_t kBufferBytes = 16 * 1024;

  alignas(std::max_align_t) std::array<std::byte, kBufferBytes> buffer_;
  std::pmr::monotonic_buffer_resource resource_;
};

}  // namespace partita
