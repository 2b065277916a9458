// AnswerQueue: the answers of one connection, in the order of their requests, until they are sent.
//
// All answers share one buffer, which is borrowed from the loop: a queue with nothing in it gives
// it back (SpareBuffers). A body is written straight into it behind a
// gap, and the head, which needs the body's length, is then placed against the body from the left.
// An answer that must not leave yet (its write is not durable) is parked and holds back those
// behind it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include <sys/uio.h>

#include "base/text_buffer.h"
#include "server/spare_buffers.h"

namespace partita {

struct ParkedAnswer;

class AnswerQueue {
 public:
  static constexpr std::size_t kHeadBytesMax = 640;

  explicit AnswerQueue(SpareBuffers& spare) : spare_(spare) {}

  // Opens an answer: its body is to be appended to the returned buffer.
  TextBuffer& open();
  std::string_view body() const { return bytes_.view().substr(body_start_); }
  void drop_body() { bytes_.set_size(body_start_); }
  // Closes it. With `parked` the answer stays until release or replace_and_release.
  void close(std::string_view head, ParkedAnswer* parked = nullptr);
  // The number close will give to the answer now open.
  std::uint64_t next_number() const { return first_number_ + count(); }

  // Text between answers that has no body ("100 Continue").
  void add_text(std::string_view text);

  void release(std::uint64_t number);
  // The answer just closed by close() takes the place of the parked one.
  void replace_by_last(std::uint64_t number);

  bool empty() const { return first_ == segments_.size(); }
  bool has_sendable() const { return !empty() && segments_[first_].parked == nullptr; }
  std::size_t count() const { return segments_.size() - first_; }
  std::size_t bytes() const { return bytes_.size() - sent_bytes_; }

  // The longest sendable stretch; returns how many of `vectors` were filled.
  std::size_t gather(std::span<iovec> vectors);
  void sent(std::size_t count);

  // Visits what is parked: the connection ends and nobody will wait for it.
  template <typename Visitor>
  void for_each_parked(Visitor visit) {
    for (std::size_t i = first_; i < segments_.size(); ++i) {
      if (segments_[i].parked != nullptr) visit(*segments_[i].parked);
    }
  }

 private:
  struct Segment {
    std::size_t offset;
    std::size_t length;
    ParkedAnswer* parked;
  };

  Segment& segment(std::uint64_t number) {
    return segments_[first_ + static_cast<std::size_t>(number - first_number_)];
  }
  void reclaim();

  SpareBuffers& spare_;
  TextBuffer bytes_;
  std::vector<Segment> segments_;
  std::size_t first_ = 0;           // segments before it are sent
  std::uint64_t first_number_ = 0;  // the number of segments_[first_]
  std::size_t body_start_ = 0;
  std::size_t sent_bytes_ = 0;  // a prefix of bytes_ that nobody needs any more
};

}  // namespace partita
