// ByteBuffer: bytes that grow at the end, in memory of the caller's choosing.
//
// Unlike std::pmr::string it hands out room to write into (`extend`) without filling it first, and
// it keeps that room when cleared, which is what a writer used for one request after another wants.
#pragma once

#include <cassert>
#include <cstddef>
#include <cstring>
#include <memory_resource>
#include <string_view>
#include <utility>

namespace partita {

class ByteBuffer {
 public:
  // As many bytes behind the end may be read, so that short pieces can be loaded by the word.
  static constexpr std::size_t kSlackBytes = 16;

  explicit ByteBuffer(std::pmr::memory_resource* memory) : memory_(memory) {}
  ~ByteBuffer() {
    if (data_ != nullptr) memory_->deallocate(data_, capacity_ + kSlackBytes, 1);
  }
  ByteBuffer(ByteBuffer&& other) noexcept
      : memory_(other.memory_),
        data_(std::exchange(other.data_, nullptr)),
        size_(std::exchange(other.size_, 0)),
        capacity_(std::exchange(other.capacity_, 0)) {}
  ByteBuffer& operator=(ByteBuffer&&) = delete;

  // Room for `count` more bytes, to be written by the caller. Moves the buffer when it has to grow.
  char* extend(std::size_t count) {
    if (capacity_ - size_ < count) [[unlikely]]
      reserve(grown_capacity(count));
    char* const at = data_ + size_;
    size_ += count;
    return at;
  }
  void push_back(char byte) { *extend(1) = byte; }
  void append(std::string_view bytes) {
    if (!bytes.empty()) std::memcpy(extend(bytes.size()), bytes.data(), bytes.size());
  }

  // With a buffer of the same memory.
  void swap(ByteBuffer& other) {
    assert(memory_ == other.memory_);
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    std::swap(capacity_, other.capacity_);
  }
  void clear() { size_ = 0; }
  void truncate(std::size_t size) { size_ = size; }  // `size` is at most size()
  void reserve(std::size_t capacity) {
    if (capacity <= capacity_) return;
    char* const data = static_cast<char*>(memory_->allocate(capacity + kSlackBytes, 1));
    if (data_ != nullptr) {
      std::memcpy(data, data_, size_);
      memory_->deallocate(data_, capacity_ + kSlackBytes, 1);
    }
    data_ = data;
    capacity_ = capacity;
  }

  char* data() { return data_; }
  const char* data() const { return data_; }
  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  std::string_view view() const { return {data_, size_}; }

 private:
  std::size_t grown_capacity(std::size_t count) const {
    const std::size_t doubled = capacity_ < 128 ? 256 : 2 * capacity_;
    return size_ + count > doubled ? size_ + count : doubled;
  }

  std::pmr::memory_resource* memory_;
  char* data_ = nullptr;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
};

}  // namespace partita
