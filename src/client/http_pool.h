// HttpPool: requests to one address over connections that stay open, any number at the same time
// (libcurl).
//
// https:// targets prove who they are by a certificate. Proxies are those of the environment
// (http_proxy, https_proxy, no_proxy); this machine itself is reached without one.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <limits>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "partita/result.h"

namespace partita::client {

struct HttpSettings {
  std::string url{};
  std::chrono::milliseconds connect_timeout{};
  std::chrono::milliseconds request_timeout{};  // all of it, connecting included
  std::size_t idle_connections_max = 1;
  std::size_t body_bytes_max = std::numeric_limits<std::size_t>::max();  // what is kept of one
  std::string
      certificate_authorities{};  // a file in PEM format; empty: SSL_CERT_FILE, the system's
  bool verify_certificate = true;
};

struct HttpRequest {
  bool get = false;  // GET without a body, else POST
  std::span<const std::string> headers{};
  std::string_view body{};
  // Set by another thread: give up within two seconds, unless the answer comes first.
  const std::atomic<bool>* cancelled = nullptr;
};

struct HttpAnswer {
  int status = 0;
  std::string body{};  // followed by kJsonPaddingBytes within its capacity
};

class HttpPool {
 public:
  explicit HttpPool(HttpSettings settings);
  ~HttpPool();
  HttpPool(const HttpPool&) = delete;
  HttpPool& operator=(const HttpPool&) = delete;

  // Any status is an answer. An error says why there is none: ErrorCode::ServiceUnavailable when
  // that may be better in a moment, CannotOpen when it will not be (an address that is none, a
  // certificate nobody vouches for).
  Result<HttpAnswer> send(const HttpRequest& request);

 private:
  void* take_connection();  // a CURL*, which keeps its connection open between requests
  void give_back(void* connection);
  void* new_connection() const;

  const HttpSettings settings_;
  bool on_this_machine_ = false;
  std::mutex mutex_;
  std::vector<void*> idle_;  // the one used last is at the end
};

}  // namespace partita::client
