// An http:// or https:// address, in its parts.
#pragma once

#include <string>
#include <string_view>

#include "partita/result.h"

namespace partita::client {

struct HttpUrl {
  std::string scheme{};     // "http" or "https"
  std::string host{};       // "[::1]" for an address of IPv6
  std::string authority{};  // the host, and the port if it was given
  std::string path{};       // begins with "/"
  std::string query{};      // without "?"
};

// Fails in one sentence for a person.
Result<HttpUrl> parse_http_url(std::string_view text);

}  // namespace partita::client
