// What scripts run against: a database of our own on some engine, or any endpoint.
#pragma once

#include <memory>
#include <string>

#include "transport.h"

namespace partita::testing {

class Target {
 public:
  virtual ~Target() = default;
  virtual Transport& transport() = 0;
};

struct TargetOptions {
  std::string engine = "memory";  // memory, rocksdb (in a directory of its own), rehearsal
  bool http = false;              // through a server in this process
  bool client = false;            // through client::Endpoint and a server in this process
  bool lagged = false;            // global indexes follow an hour later, or when they are told to
};

// Fresh and empty. On failure null, and `problem` says why.
std::unique_ptr<Target> start_target(const TargetOptions& options, std::string& problem);

}  // namespace partita::testing
