// What `partita serve` was asked to do.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "partita/options.h"
#include "partita/result.h"

#include "base/log.h"

namespace partita {

struct ServeOptions {
  std::string host = "127.0.0.1";
  std::uint16_t port = 8000;
  unsigned threads = 0;  // one per core
  Options database{};
  LogLevel log_level = LogLevel::Warning;
  bool help = false;
};

inline constexpr std::string_view kServeHelp =
    R"(Serves the DynamoDB API over HTTP until it is told to stop (Ctrl-C or SIGTERM).

Usage: partita serve [flags]

  --host HOST            address to listen on (127.0.0.1)
  --port PORT            port to listen on, 0 for any free one (8000)
  --data DIR             where the data is kept (./partita-data)
  --in-memory            keep nothing: the data is gone when the server stops
  --durability MODE      synced: an answered write survives a power cut (default)
                         relaxed: faster; a power cut may lose the last moments
  --engine ENGINE        rocksdb (default) or memory, which is --in-memory
  --table-delay-ms N     tables stay CREATING and DELETING this long, as on AWS (0)
  --threads N            event loops (one per core)
  --log-level LEVEL      debug, info, warning (default), error or off
  --allow-anonymous      serve other machines although there are no credentials yet
  --help                 this text

A value may also be written --flag=value.
)";

// Fails with one sentence for the user.
Result<ServeOptions> parse_serve_options(std::span<const std::string_view> words);

}  // namespace partita
