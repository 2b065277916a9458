// What `partita serve` was asked to do.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "partita/options.h"
#include "partita/result.h"

#include "base/log.h"
#include "push/stream_pusher.h"

namespace partita {

struct ServeOptions {
  std::string host = "127.0.0.1";
  std::uint16_t port = 8000;
  unsigned threads = 0;  // one per core
  std::size_t connections_max = 50'000;
  std::chrono::milliseconds slow_request{1000};
  Options database{};
  std::string stream_target;  // targets to be told of changes (push/stream_pusher.h)
  PushOptions push{};
  LogLevel log_level = LogLevel::Warning;
  std::string credentials{};                 // a file; empty: none
  std::string tls_certificate{}, tls_key{};  // files; empty: no TLS
  bool allow_anonymous = false;
  std::vector<std::string> admin_hosts;  // who else may use the admin API

  bool help = false;
  bool print_config = false;
  std::string effective_config;       // as a configuration file, with the origin of each setting
  std::vector<std::string> warnings;  // sentences about what was probably not meant
};

// The flags of serve that are no settings.
struct ServeCommandFlag {
  std::string_view flag;
  std::string_view placeholder;
  std::string_view meaning;
};
std::span<const ServeCommandFlag> serve_command_flags();

// `environment` has "NAME=value" entries. Fails with one sentence for the user.
Result<ServeOptions> parse_serve_options(std::span<const std::string_view> words,
                                         std::span<const std::string_view> environment = {});

}  // namespace partita
