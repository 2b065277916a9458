// TextBuffer: text that grows at the end, for answers from a few bytes to megabytes.
//
// What std::string would do with three differences: room that is about to be written is not filled
// first, a large buffer grows by moving pages rather than bytes (realloc), and a writer may work in
// the spare room directly (`room`, `set_size`).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <new>
#include <string_view>
#include <utility>

namespace partita {

class TextBuffer {
 public:
  TextBuffer() = default;
  ~TextBuffer() { std::free(data_); }
  TextBuffer(TextBuffer&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)),
        size_(std::exchange(other.size_, 0)),
        capacity_(std::exchange(other.capacity_, 0)) {}
  TextBuffer& operator=(TextBuffer&& other) noexcept {
    TextBuffer taken(std::move(other));
    std::swap(data_, taken.data_);
    std::swap(size_, taken.size_);
    std::swap(capacity_, taken.capacity_);
    return *this;
  }

  char* data() { return data_; }
  const char* data() const { return data_; }
  std::size_t size() const { return size_; }
  std::size_t capacity() const { return capacity_; }
  bool empty() const { return size_ == 0; }
  std::string_view view() const { return {data_, size_}; }

  // Room for `count` bytes behind the end, whose content is undefined. Moves the text when it has
  // to grow; throws std::bad_alloc when it cannot.
  char* room(std::size_t count) {
    if (capacity_ - size_ < count) [[unlikely]]
      grow(count);
    return data_ + size_;
  }
  // At most capacity(); bytes that become part of the text were written through `room`.
  void set_size(std::size_t size) { size_ = size; }
  void clear() { size_ = 0; }

  TextBuffer& append(std::string_view text) {
    char* const at = room(text.size());
    if (!text.empty()) std::memcpy(at, text.data(), text.size());
    size_ += text.size();
    return *this;
  }
  void push_back(char byte) {
    *room(1) = byte;
    ++size_;
  }
  void erase_front(std::size_t count) {
    std::memmove(data_, data_ + count, size_ - count);
    size_ -= count;
  }

 private:
  void grow(std::size_t count) {
    constexpr std::size_t kBytesMore = 512;  // small pieces follow a large one
    const std::size_t needed = size_ + count + kBytesMore;
    std::size_t capacity = std::max(needed, 2 * capacity_);
    void* larger = nullptr;
    while ((larger = std::realloc(data_, capacity)) == nullptr) {
      if (capacity > needed) {  // memory is short: no more than must be
        capacity = needed;
        continue;
      }
      const std::new_handler handler = std::get_new_handler();  // as operator new does it
      if (handler == nullptr) throw std::bad_alloc();
      handler();
    }
    data_ = static_cast<char*>(larger);
    capacity_ = capacity;
  }

  char* data_ = nullptr;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
};

}  // namespace partita
