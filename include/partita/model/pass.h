// Pass: a range-for over what comes one by one and is gone through once.
//
// A source has advance(), which makes its next row the current one and is false at the end, and
// current(). Where it failed, it ends, and says so in status().
#pragma once

#include <cstddef>
#include <iterator>

namespace partita::model::detail {

template <typename Source, typename Row>
class Pass {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = Row;
  using difference_type = std::ptrdiff_t;
  using pointer = const Row*;
  using reference = const Row&;

  explicit Pass(Source* source = nullptr) : source_(source) {}
  static Pass start(Source& source) { return Pass(source.advance() ? &source : nullptr); }

  reference operator*() const { return source_->current(); }
  pointer operator->() const { return &source_->current(); }
  Pass& operator++() {
    if (!source_->advance()) source_ = nullptr;
    return *this;
  }
  void operator++(int) { ++*this; }
  friend bool operator==(const Pass& left, const Pass& right) {
    return left.source_ == right.source_;
  }

 private:
  Source* source_;
};

}  // namespace partita::model::detail
