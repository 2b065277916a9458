#include "server/answer_queue.h"

#include <algorithm>
#include <cassert>
#include <utility>

namespace partita {
namespace {

constexpr std::size_t kReclaimBytes = 256 * 1024;  // a sent prefix worth moving the rest for

}  // namespace

TextBuffer& AnswerQueue::open() {
  if (bytes_.capacity() == 0) bytes_ = spare_.take();
  bytes_.room(kHeadBytesMax);
  body_start_ = bytes_.size() + kHeadBytesMax;
  bytes_.set_size(body_start_);
  return bytes_;
}

void AnswerQueue::close(std::string_view head, ParkedAnswer* parked) {
  assert(head.size() <= kHeadBytesMax);
  const std::size_t start = body_start_ - head.size();
  std::copy(head.begin(), head.end(), bytes_.data() + start);  // of an answer made aside: none yet
  segments_.push_back({start, bytes_.size() - start, parked});
}

void AnswerQueue::add_text(std::string_view text) {
  segments_.push_back({bytes_.size(), text.size(), nullptr});
  bytes_.append(text);
}

void AnswerQueue::release(std::uint64_t number) { segment(number).parked = nullptr; }

void AnswerQueue::replace_by_last(std::uint64_t number) {
  const Segment last = segments_.back();
  segments_.pop_back();
  segment(number) = last;
}

std::size_t AnswerQueue::gather(std::span<iovec> vectors) {
  std::size_t filled = 0;
  for (std::size_t i = first_; i < segments_.size() && filled < vectors.size(); ++i) {
    const Segment& segment = segments_[i];
    if (segment.parked != nullptr) break;
    vectors[filled++] = {bytes_.data() + segment.offset, segment.length};
  }
  return filled;
}

void AnswerQueue::sent(std::size_t count) {
  while (count > 0) {
    Segment& segment = segments_[first_];
    const std::size_t taken = std::min(count, segment.length);
    segment.offset += taken;
    segment.length -= taken;
    count -= taken;
    if (segment.length > 0) break;
    ++first_;
    ++first_number_;
  }
  reclaim();
}

void AnswerQueue::reclaim() {
  if (empty()) {
    segments_.clear();
    first_ = 0;
    sent_bytes_ = 0;
    return spare_.give_back(std::move(bytes_));
  }
  // Under steady pipelining the queue may never be empty, so its sent front is cut off now and
  // then.
  std::size_t needed_from = bytes_.size();
  for (std::size_t i = first_; i < segments_.size(); ++i) {
    needed_from = std::min(needed_from, segments_[i].offset);
  }
  sent_bytes_ = needed_from;
  if (needed_from < kReclaimBytes || needed_from < bytes_.size() / 2) return;
  bytes_.erase_front(needed_from);
  segments_.erase(segments_.begin(), segments_.begin() + static_cast<std::ptrdiff_t>(first_));
  first_ = 0;
  sent_bytes_ = 0;
  for (Segment& segment : segments_) segment.offset -= needed_from;
}

}  // namespace partita
