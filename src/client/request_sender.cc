#include "client/request_sender.h"

#include <algorithm>
#include <thread>

#include "client/answer_error.h"

namespace partita::client {
namespace {

constexpr int kStatusOk = 200;

std::string address_of(const HttpUrl& url) {
  return url.scheme + "://" + url.authority + url.path + (url.query.empty() ? "" : "?") + url.query;
}

}  // namespace

RequestSender::RequestSender(const EndpointOptions& options, const HttpUrl& url,
                             RandomSource& random)
    : options_(options),
      random_(random),
      address_(address_of(url)),
      signer_(url, options.region, options.credentials),
      http_({.url = address_,
             .connect_timeout = options.connect_timeout,
             .request_timeout = options.request_timeout,
             .idle_connections_max = options.idle_connections_max,
             .certificate_authorities = options.certificate_authorities,
             .verify_certificate = options.verify_certificate}) {}

Result<HttpAnswer> RequestSender::send(std::string_view target, std::string_view body) {
  for (int attempt = 1;; ++attempt) {
    auto answer = send_once(target, body);
    if (answer || attempt >= options_.attempts_max ||
        !is_worth_another_attempt(answer.error().code())) {
      return answer;
    }
    const std::chrono::milliseconds delay = delay_after(attempt);
    options_.wait ? options_.wait(delay) : std::this_thread::sleep_for(delay);
  }
}

// Signed anew each time: a signature has the time in it.
Result<HttpAnswer> RequestSender::send_once(std::string_view target, std::string_view body) {
  const auto headers = signer_.headers(
      "POST", {{"Content-Type", "application/x-amz-json-1.0"}, {"X-Amz-Target", target}}, body,
      machine_time());
  auto answer = http_.send({.headers = headers, .body = body});
  if (!answer) {
    const Error& error = answer.error();
    return Error(error.code(), "no answer from " + address_ + ": " + error.message());
  }
  if (answer->status != kStatusOk) return read_error(answer->status, answer->body);
  return answer;
}

// Full jitter: anything up to a limit that doubles, so that clients do not come back together.
std::chrono::milliseconds RequestSender::delay_after(int attempt) {
  const int doublings = std::min(attempt - 1, 20);
  const std::int64_t limit = std::min<std::int64_t>(options_.retry_delay_base.count() << doublings,
                                                    options_.retry_delay_max.count());
  const auto choices = static_cast<std::uint64_t>(std::max<std::int64_t>(limit, 0)) + 1;
  return std::chrono::milliseconds(random_.next() % choices);
}

}  // namespace partita::client
