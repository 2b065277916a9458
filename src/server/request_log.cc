#include "server/request_log.h"

#include <string>
#include <utility>
#include <vector>

#include <netdb.h>
#include <sys/socket.h>

namespace partita {
namespace {

// "127.0.0.1:50312", "[::1]:50312"; "unknown" when the client has gone.
std::string peer_of(int socket) {
  sockaddr_storage address{};
  socklen_t length = sizeof address;
  char host[NI_MAXHOST], port[NI_MAXSERV];
  auto* const plain = reinterpret_cast<sockaddr*>(&address);
  if (::getpeername(socket, plain, &length) != 0 ||
      ::getnameinfo(plain, length, host, sizeof host, port, sizeof port,
                    NI_NUMERICHOST | NI_NUMERICSERV) != 0) {
    return "unknown";
  }
  const std::string name = host;
  return (address.ss_family == AF_INET6 ? "[" + name + "]:" : name + ":") + port;
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
                                  {"peer", peer_of(socket)}});
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
      {"peer", peer_of(socket)}};
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
