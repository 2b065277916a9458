// InlineText: text that grows at the end and allocates only beyond N bytes. Keys and expressions
// are written into it.
#pragma once

#include <cstddef>
#include <cstring>
#include <string>
#include <string_view>

namespace partita::model {

template <std::size_t N>
class InlineText {
 public:
  InlineText() = default;
  InlineText(const InlineText& other) { append(other.view()); }
  InlineText& operator=(const InlineText& other) {
    if (this != &other) clear(), append(other.view());
    return *this;
  }

  // Room for `count` more bytes, to be written by the caller.
  char* extend(std::size_t count) {
    if (!is_long() && size_ + count <= N) [[likely]] {
      char* const at = short_ + size_;
      size_ += count;
      return at;
    }
    if (!is_long()) long_.assign(short_, size_);
    long_.resize(size_ + count);
    char* const at = long_.data() + size_;
    size_ += count;
    return at;
  }
  void append(std::string_view text) {
    if (!text.empty()) std::memcpy(extend(text.size()), text.data(), text.size());
  }
  void append(char c) { *extend(1) = c; }
  void clear() {
    size_ = 0;
    long_.clear();
  }

  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  std::string_view view() const { return {is_long() ? long_.data() : short_, size_}; }

 private:
  bool is_long() const { return !long_.empty(); }

  std::size_t size_ = 0;
  std::string long_;
  char short_[N];
};

}  // namespace partita::model
