// HTTP/1.1 request heads, parsed strictly and in place.
//
//   head         := request-line CRLF { field-line CRLF } CRLF
//   request-line := token SP target SP ("HTTP/1.1" | "HTTP/1.0")
//   field-line   := token ":" OWS value OWS
//
// Whatever two servers could read in two ways is refused, because a proxy in front of us might read
// it the other way (request smuggling): bare LF, folded lines, blanks before the colon, repeated or
// malformed Content-Length, Content-Length beside Transfer-Encoding, any coding but chunked, and
// other headers we act on when they are repeated.
//
// The parser allocates nothing and may be given a growing head any number of times: how the bytes
// were split on their way never changes the outcome.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace partita {

// DynamoDB's limit, above which it answers 400.
inline constexpr std::size_t kHeadBytesMax = 16 * 1024;
inline constexpr std::size_t kHeaderCountMax = 64;

// Where a piece of the head lies, counted from its first byte: the buffer may move while the head
// is still arriving.
struct HeadSlice {
  std::uint32_t offset = 0;
  std::uint32_t length = 0;
};

struct HeaderSlices {
  HeadSlice name;
  HeadSlice value;
};

// What a request says before its body. Views into the connection's buffer, valid while the request
// is being served.
class RequestHead {
 public:
  std::string_view method() const { return view(method_); }
  std::string_view target() const { return view(target_); }  // "/path?query"
  std::string_view path() const;                             // without the query
  std::string_view query() const;                            // what follows the "?"
  std::string_view host() const { return view(host_); }
  std::string_view content_type() const { return view(content_type_); }
  std::string_view amz_target() const { return view(amz_target_); }
  std::string_view authorization() const { return view(authorization_); }
  std::string_view origin() const { return view(origin_); }
  std::string_view content_encoding() const { return view(content_encoding_); }
  std::string_view date() const { return view(amz_date_.length > 0 ? amz_date_ : date_); }

  std::size_t header_count() const { return header_count_; }
  std::string_view header_name(std::size_t index) const { return view(headers_[index].name); }
  std::string_view header_value(std::size_t index) const { return view(headers_[index].value); }
  // The first header of that name, whatever its case; empty when there is none.
  std::string_view find_header(std::string_view name) const;

  bool is_http_1_0() const { return http_1_0_; }
  bool keep_alive() const { return http_1_0_ ? connection_keep_alive_ : !connection_close_; }
  bool chunked() const { return has_transfer_encoding_; }
  bool has_content_length() const { return has_content_length_; }
  std::uint64_t content_length() const { return content_length_; }
  bool expects_continue() const { return expects_continue_ && !http_1_0_; }

 private:
  friend class HttpParser;

  std::string_view view(HeadSlice slice) const { return {base_ + slice.offset, slice.length}; }

  const char* base_ = nullptr;
  HeadSlice method_, target_, host_, content_type_, amz_target_, authorization_, origin_,
      content_encoding_, amz_date_, date_;
  std::uint64_t content_length_ = 0;
  bool http_1_0_ = false;
  bool has_host_ = false;
  bool has_content_length_ = false;
  bool has_transfer_encoding_ = false;
  bool connection_close_ = false;
  bool connection_keep_alive_ = false;
  bool expects_continue_ = false;
  std::uint32_t header_count_ = 0;
  std::array<HeaderSlices, kHeaderCountMax> headers_;
};

class HttpParser {
 public:
  enum class Progress : std::uint8_t { NeedMore, Complete, Refused };

  void reset();

  // `bytes` starts at the request's first byte and holds all that has arrived so far, perhaps with
  // a body and further requests behind the head.
  Progress parse(std::string_view bytes);

  const RequestHead& head() const { return head_; }
  // The buffer moved after the head was complete.
  void rebase(const char* start) { head_.base_ = start; }

  std::size_t head_bytes() const { return line_; }        // once Complete: the body starts here
  int refusal_status() const { return refusal_status_; }  // once Refused: 400, 417, 501, 505

 private:
  Progress refuse(int status) {
    refusal_status_ = status;
    return Progress::Refused;
  }
  Progress finish_head();
  // Each returns 0, or the status to refuse with.
  int parse_request_line(std::string_view line);
  int parse_target(std::string_view target);
  int parse_header_line(std::string_view line);
  int note_known_header(std::string_view name, HeadSlice value);
  int note_content_length(std::string_view value);
  int note_transfer_encoding(std::string_view value);
  int note_connection(std::string_view value);
  int note_host(HeadSlice value);
  // For a header that means something only once.
  static int note_once(HeadSlice value, HeadSlice& noted);

  HeadSlice slice(std::string_view part) const {
    return {static_cast<std::uint32_t>(part.data() - head_.base_),
            static_cast<std::uint32_t>(part.size())};
  }

  RequestHead head_;
  std::size_t line_ = 0;  // where the first line not parsed yet starts
  bool has_request_line_ = false;
  bool skipped_empty_line_ = false;
  int refusal_status_ = 0;
};

// The start of the first control character (tab excepted) in [at, end), or end.
const char* find_control_character(const char* at, const char* end);

}  // namespace partita
