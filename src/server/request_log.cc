#include "server/request_log.h"

#include <string>
#include <utility>
#include <vector>

#include "server/peer_address.h"

namespace partita {
namespace {

std::string peer_text(int socket) {
  const auto peer = peer_of(socket);
  return peer ? peer->text() : "unknown";
}

}  // namespace

bool RequestLog::one_more_this_second() {
  const auto now = std::chrono::steady_clock::now();
  if (now - second_began_ >= std::chrono::seconds(1)) {
    second_began_ = now;
    lines_this_second_ = 0;
  }
  if (lines_this_second_++ < kLinesPerSecondMax) return true;
  ++left_out_;
  return false;
}

void RequestLog::note_refusal(RequestId id, int status, int socket) {
  if (!every_request_) return;
  const RequestIdText text = request_id_text(id);
  options_.log->debug("refused", {{"request_id", std::string_view(text.data(), text.size())},
                                  {"status", status},
                                  {"peer", peer_text(socket)}});
}

void RequestLog::write(const ServedRequest& request, std::chrono::nanoseconds duration,
                       int socket) {
  const bool slow = duration >= slow_;
  const bool warn = request.status >= 500 || slow;
  if (!every_request_ && (!warnings_ || !one_more_this_second())) return;

  const bool known = request.operation != kNoOperation;
  const RequestIdText id = request_id_text(request.id);
  const auto microseconds = std::chrono::duration_cast<std::chrono::microseconds>(duration);
  std::vector<LogField> fields = {
      {"request_id", std::string_view(id.data(), id.size())},
      {"operation", known ? operation_names()[request.operation] : std::string_view("none")},
      {"status", request.status},
      {"duration_us", microseconds.count()},
      {"bytes_in", request.bytes_in},
      {"bytes_out", request.bytes_out},
      {"peer", peer_text(socket)}};
  if (request.error) fields.emplace_back("error", error_name(*request.error));
  if (slow) fields.emplace_back("slow", true);
  if (request.status >= 500 && options_.accepts_writes) {
    const Result<void> accepted = options_.accepts_writes();
    if (!accepted) fields.emplace_back("reason", accepted.error().message());
  }
  if (left_out_ > 0) fields.emplace_back("lines_left_out", std::exchange(left_out_, 0));
  options_.log->write(warn ? LogLevel::Warning : LogLevel::Debug, "request", fields);
}

}  // namespace partita
