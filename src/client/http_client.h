// A POST over HTTP/1.1, on a connection of its own.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

#include "partita/result.h"

namespace partita {

struct HttpUrl {
  std::string host;
  std::string port;
  std::string path;  // with the query
};

// "http://host[:port][/path]". There is no TLS here.
Result<HttpUrl> parse_http_url(std::string_view url);

struct HttpReply {
  int status = 0;
  std::string body;  // the first mebibyte of it
};

// Fails in one sentence when there is no proper reply in time, or soon after `cancelled` is set.
Result<HttpReply> http_post(const HttpUrl& url, std::string_view content_type,
                            std::string_view body, std::chrono::milliseconds timeout,
                            const std::atomic<bool>& cancelled);

}  // namespace partita
