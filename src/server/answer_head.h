// The head of an answer, as DynamoDB writes it:
//
//   HTTP/1.1 200 OK
//   Server: Server
//   Date: Sun, 06 Nov 1994 08:49:37 GMT
//   Content-Type: application/x-amz-json-1.0
//   Content-Length: 2
//   Connection: keep-alive
//   x-amzn-RequestId: 52 letters and digits
//   x-amz-crc32: 2745614147                of the body as it is sent, compressed or not
//
// and, where they are due, Content-Encoding and what lets a web page of any origin read the answer:
//
//   Access-Control-Allow-Origin: *
//   Access-Control-Expose-Headers: x-amzn-RequestId,x-amzn-ErrorType,x-amzn-ErrorMessage,Date
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <ctime>
#include <string>
#include <string_view>

#include "server/answer_queue.h"
#include "server/http_parser.h"

namespace partita {

// "Sun, 06 Nov 1994 08:49:37 GMT".
using HttpDate = std::array<char, 29>;
HttpDate http_date(std::time_t time);

// Drawn at random, 60 bits twice, and sent as x-amzn-RequestId.
struct RequestId {
  std::uint64_t first = 0;
  std::uint64_t second = 0;
};
using RequestIdText = std::array<char, 52>;
RequestIdText request_id_text(RequestId id);

struct AnswerHead {
  int status = 200;
  std::string_view content_type;  // empty: none is sent
  std::string_view body;          // measured, not copied
  bool keep_alive = true;
  std::string_view content_encoding{};  // empty: none is sent
  bool cross_origin = false;
};

// Writes answer heads; one per event loop, used by its thread alone.
class AnswerHeadWriter {
 public:
  AnswerHeadWriter();

  void set_time(std::time_t time) { date_ = http_date(time); }

  // The text is valid until the next call.
  std::string_view write(const AnswerHead& head);
  // The answer to a browser that asks, in `request`, what a web page may send: everything, as
  // DynamoDB says. It is a head alone.
  std::string write_preflight(const RequestHead& request, bool keep_alive);
  // Of the head last written.
  RequestId request_id() const { return request_id_; }

 private:
  std::uint64_t next_random();

  HttpDate date_;
  std::uint64_t random_state_;
  RequestId request_id_;
  std::array<char, AnswerQueue::kHeadBytesMax> text_;
};

}  // namespace partita
