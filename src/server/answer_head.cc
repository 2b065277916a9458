#include "server/answer_head.h"

#include <charconv>
#include <cstring>
#include <random>

#include <libdeflate.h>

#include "base/clock.h"

namespace partita {
namespace {

// Two characters of base 32 for every ten bits.
constexpr std::array<std::array<char, 2>, 1024> make_base32_pairs() {
  constexpr std::string_view digits = "0123456789ABCDEFGHIJKLMNOPQRSTUV";
  std::array<std::array<char, 2>, 1024> pairs{};
  for (std::size_t i = 0; i < pairs.size(); ++i) pairs[i] = {digits[i / 32], digits[i % 32]};
  return pairs;
}
constexpr std::array<std::array<char, 2>, 1024> kBase32Pairs = make_base32_pairs();

// DynamoDB's ids have 52 characters of which about half never change, so some of ours do not
// either.
constexpr std::string_view kRequestIdTail = "PARTITA0DB0VV4KQNSO5AEMVJF66";
constexpr std::size_t kRequestIdRandomBytes = 24;
static_assert(kRequestIdTail.size() + kRequestIdRandomBytes == 52);

constexpr std::string_view kCrossOriginHeaders =
    "\r\nAccess-Control-Allow-Origin: *"
    "\r\nAccess-Control-Expose-Headers: x-amzn-RequestId,x-amzn-ErrorType,x-amzn-ErrorMessage,Date";

std::string_view status_line(int status) {
  switch (status) {
    case 200:
      return "HTTP/1.1 200 OK\r\nServer: Server\r\nDate: ";
    case 400:
      return "HTTP/1.1 400 Bad Request\r\nServer: Server\r\nDate: ";
    case 403:
      return "HTTP/1.1 403 Forbidden\r\nServer: Server\r\nDate: ";
    case 404:
      return "HTTP/1.1 404 Not Found\r\nServer: Server\r\nDate: ";
    case 405:
      return "HTTP/1.1 405 Method Not Allowed\r\nServer: Server\r\nDate: ";
    case 408:
      return "HTTP/1.1 408 Request Timeout\r\nServer: Server\r\nDate: ";
    case 413:
      return "HTTP/1.1 413 Request Entity Too Large\r\nServer: Server\r\nDate: ";
    case 417:
      return "HTTP/1.1 417 Expectation Failed\r\nServer: Server\r\nDate: ";
    case 501:
      return "HTTP/1.1 501 Not Implemented\r\nServer: Server\r\nDate: ";
    case 503:
      return "HTTP/1.1 503 Service Unavailable\r\nServer: Server\r\nDate: ";
    case 505:
      return "HTTP/1.1 505 HTTP Version Not Supported\r\nServer: Server\r\nDate: ";
    default:
      return "HTTP/1.1 500 Internal Server Error\r\nServer: Server\r\nDate: ";
  }
}

char* append(char* at, std::string_view text) {
  std::memcpy(at, text.data(), text.size());
  return at + text.size();
}

char* append_request_id(char* at, RequestId id) {
  static_assert(kRequestIdRandomBytes == 2 * 12);
  for (std::uint64_t bits : {id.first, id.second}) {
    for (int pair = 0; pair < 6; ++pair, bits >>= 10, at += 2) {
      std::memcpy(at, kBase32Pairs[bits % 1024].data(), 2);
    }
  }
  return append(at, kRequestIdTail);
}

char* append_number(char* at, std::uint64_t number) {
  return std::to_chars(at, at + 20, number).ptr;
}

}  // namespace

HttpDate http_date(std::time_t time) {
  std::tm parts{};
  gmtime_r(&time, &parts);
  // Not strftime's %a and %b: they follow the locale of the process we are embedded in.
  constexpr std::string_view days = "SunMonTueWedThuFriSat";
  constexpr std::string_view months = "JanFebMarAprMayJunJulAugSepOctNovDec";
  HttpDate date;
  char* at = append(date.data(), days.substr(static_cast<std::size_t>(parts.tm_wday) * 3, 3));
  const auto two_digits = [&at](int number) {
    *at++ = static_cast<char>('0' + number / 10 % 10);
    *at++ = static_cast<char>('0' + number % 10);
  };
  at = append(at, ", ");
  two_digits(parts.tm_mday);
  *at++ = ' ';
  at = append(at, months.substr(static_cast<std::size_t>(parts.tm_mon) * 3, 3));
  *at++ = ' ';
  two_digits((parts.tm_year + 1900) / 100);
  two_digits((parts.tm_year + 1900) % 100);
  *at++ = ' ';
  two_digits(parts.tm_hour);
  *at++ = ':';
  two_digits(parts.tm_min);
  *at++ = ':';
  two_digits(parts.tm_sec);
  append(at, " GMT");
  return date;
}

RequestIdText request_id_text(RequestId id) {
  RequestIdText text;
  append_request_id(text.data(), id);
  return text;
}

AnswerHeadWriter::AnswerHeadWriter()
    : date_(http_date(std::chrono::system_clock::to_time_t(machine_time()))) {
  std::random_device device;
  random_state_ = (std::uint64_t{device()} << 32) | device();
}

std::uint64_t AnswerHeadWriter::next_random() {  // splitmix64: ids are names, not secrets
  random_state_ += 0x9E3779B97F4A7C15;
  std::uint64_t mixed = random_state_;
  mixed = (mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9;
  mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EB;
  return mixed ^ (mixed >> 31);
}

std::string_view AnswerHeadWriter::write(const AnswerHead& head) {
  char* at = append(text_.data(), status_line(head.status));
  at = append(at, {date_.data(), date_.size()});
  if (!head.content_type.empty()) {
    at = append(at, "\r\nContent-Type: ");
    at = append(at, head.content_type);
  }
  at = append(at, "\r\nContent-Length: ");
  at = append_number(at, head.body.size());
  at = append(at, head.keep_alive ? "\r\nConnection: keep-alive\r\nx-amzn-RequestId: "
                                  : "\r\nConnection: close\r\nx-amzn-RequestId: ");
  request_id_ = {next_random(), next_random()};  // braces: drawn in this order
  at = append_request_id(at, request_id_);
  at = append(at, "\r\nx-amz-crc32: ");
  at = append_number(at, libdeflate_crc32(0, head.body.data(), head.body.size()));
  if (!head.content_encoding.empty()) {
    at = append(at, "\r\nContent-Encoding: ");
    at = append(at, head.content_encoding);
  }
  if (head.cross_origin) at = append(at, kCrossOriginHeaders);
  at = append(at, "\r\n\r\n");
  return {text_.data(), static_cast<std::size_t>(at - text_.data())};
}

std::string AnswerHeadWriter::write_preflight(const RequestHead& request, bool keep_alive) {
  const std::string_view head =
      write({.content_type = {}, .body = {}, .keep_alive = keep_alive, .cross_origin = true});
  std::string text(head.substr(0, head.size() - 2));
  const auto echo = [&](std::string_view asked, std::string_view allowed) {
    const std::string_view value = request.find_header(asked);
    if (!value.empty()) text.append(allowed).append(value).append("\r\n");
  };
  echo("access-control-request-headers", "Access-Control-Allow-Headers: ");
  echo("access-control-request-method", "Access-Control-Allow-Methods: ");
  return text.append("Access-Control-Max-Age: 172800\r\n\r\n");
}

}  // namespace partita
