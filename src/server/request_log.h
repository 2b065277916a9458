// RequestLog: what is said about single requests. One per event loop, used by its thread alone.
//
//   debug     every request, and those turned away before they were understood
//   warning   answers of status 500 and above, and slow requests; at most kLinesPerSecondMax of
//             them, and the next line says how many were left out
//
// Nothing of what a request or an answer holds is ever written, and no credentials.
#pragma once

#include <chrono>
#include <cstdint>

#include "base/log.h"
#include "server/served_request.h"
#include "server/server.h"

namespace partita {

class RequestLog {
 public:
  static constexpr int kLinesPerSecondMax = 10;

  explicit RequestLog(const ServerOptions& options)
      : options_(options),
        every_request_(options.log != nullptr && options.log->writes(LogLevel::Debug)),
        warnings_(options.log != nullptr && options.log->writes(LogLevel::Warning)),
        slow_(options.slow_request.count() > 0 ? options.slow_request
                                               : std::chrono::nanoseconds::max()) {}

  // The request's answer may leave, to the client at the other end of `socket`.
  void note(const ServedRequest& request, std::chrono::nanoseconds duration, int socket) {
    if (every_request_ || request.status >= 500 || duration >= slow_) [[unlikely]] {
      write(request, duration, socket);
    }
  }
  void note_refusal(RequestId id, int status, int socket);

 private:
  void write(const ServedRequest& request, std::chrono::nanoseconds duration, int socket);
  bool one_more_this_second();

  const ServerOptions& options_;
  const bool every_request_;
  const bool warnings_;
  const std::chrono::nanoseconds slow_;
  std::chrono::steady_clock::time_point second_began_{};
  int lines_this_second_ = 0;
  std::uint64_t left_out_ = 0;
};

}  // namespace partita
