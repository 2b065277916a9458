// What operators and their tools ask a server for, all with GET:
//
//   /health    the process is alive and answers
//   /ready     it takes requests, writes included; else 503 and one sentence that says what to do
//   /metrics   everything it counts, in Prometheus' text format
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/text_buffer.h"
#include "server/server.h"

namespace partita {

class ServerMetrics;

struct OperatorPage {
  int status = 200;
  std::string_view content_type;
};

class OperatorPages {
 public:
  // Both outlive it. Any thread may ask.
  OperatorPages(const ServerOptions& options, const ServerMetrics& metrics)
      : options_(options), metrics_(metrics) {}

  // Appends the page's text; empty when the path names none of ours.
  std::optional<OperatorPage> find(std::string_view path, TextBuffer& out) const;

 private:
  OperatorPage write_readiness(TextBuffer& out) const;
  OperatorPage write_metrics(TextBuffer& out) const;

  const ServerOptions& options_;
  const ServerMetrics& metrics_;
};

}  // namespace partita
