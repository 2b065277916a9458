#include "server/chunked_body.h"

#include <algorithm>
#include <cstring>

namespace partita {
namespace {

constexpr std::size_t kFramingBytesMax = 8 * 1024;
constexpr std::size_t kSizeDigitsMax = 8;

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

bool is_text(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return (byte >= 0x20 && byte != 0x7F) || byte == '\t';
}

// As in the name of a header.
bool may_name_trailer(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
         (c != '\0' && std::strchr("!#$%&'*+-.^_`|~", c) != nullptr);
}

}  // namespace

void ChunkedBody::reset(std::size_t body_bytes_max) {
  state_ = State::SizeFirst;
  chunk_left_ = 0;
  size_digits_ = 0;
  framing_left_ = kFramingBytesMax;
  body_left_ = body_bytes_max;
}

ChunkedBody::Progress ChunkedBody::decode(char* bytes, std::size_t size, std::size_t& decoded,
                                          std::size_t& consumed) {
  decoded = consumed = 0;
  while (consumed < size) {
    if (state_ == State::Data) {
      const std::size_t take = std::min(chunk_left_, size - consumed);
      std::memmove(bytes + decoded, bytes + consumed, take);
      decoded += take;
      consumed += take;
      chunk_left_ -= take;
      if (chunk_left_ == 0) state_ = State::DataCr;
      continue;
    }
    const Progress progress = step(bytes[consumed++]);
    if (progress != Progress::NeedMore) return progress;
  }
  return Progress::NeedMore;
}

ChunkedBody::Progress ChunkedBody::step(char c) {
  const auto expect = [&](char wanted, State next) {
    if (c != wanted) return Progress::Malformed;
    state_ = next;
    return Progress::NeedMore;
  };
  switch (state_) {
    case State::SizeFirst:
    case State::Size:
      if (const int digit = hex_digit(c); digit >= 0) {
        if (++size_digits_ > kSizeDigitsMax) return Progress::Malformed;
        chunk_left_ = chunk_left_ * 16 + static_cast<std::size_t>(digit);
        state_ = State::Size;
        return Progress::NeedMore;
      }
      if (state_ == State::SizeFirst) return Progress::Malformed;
      if (c == ';') return expect(';', State::Extension);
      return expect('\r', State::SizeLf);
    case State::Extension:
      if (c == '\r') return expect('\r', State::SizeLf);
      return is_text(c) && framing_left_-- > 0 ? Progress::NeedMore : Progress::Malformed;
    case State::SizeLf:
      return c == '\n' ? end_size_line() : Progress::Malformed;
    case State::DataCr:
      return expect('\r', State::DataLf);
    case State::DataLf:
      size_digits_ = 0;
      return expect('\n', State::SizeFirst);
    case State::TrailerStart:
      if (c == '\r') return expect('\r', State::EndLf);
      // Neither a folded line nor one that could be the next request's.
      if (!may_name_trailer(c)) return Progress::Malformed;
      state_ = State::TrailerName;
      [[fallthrough]];
    case State::TrailerName:
      if (c == ':') state_ = State::Trailer;
      return (c == ':' || may_name_trailer(c)) && framing_left_-- > 0 ? Progress::NeedMore
                                                                      : Progress::Malformed;
    case State::Trailer:
      if (c == '\r') return expect('\r', State::TrailerLf);
      return is_text(c) && framing_left_-- > 0 ? Progress::NeedMore : Progress::Malformed;
    case State::TrailerLf:
      return expect('\n', State::TrailerStart);
    case State::EndLf:
      if (c != '\n') return Progress::Malformed;
      state_ = State::Done;
      return Progress::Complete;
    case State::Data:
    case State::Done:
      break;
  }
  return Progress::Malformed;
}

ChunkedBody::Progress ChunkedBody::end_size_line() {
  if (chunk_left_ > body_left_) return Progress::TooLarge;
  body_left_ -= chunk_left_;
  state_ = chunk_left_ == 0 ? State::TrailerStart : State::Data;
  return Progress::NeedMore;
}

}  // namespace partita
