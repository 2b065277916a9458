#include "server/operator_pages.h"

#include <array>
#include <functional>

#include "base/process_usage.h"
#include "server/metrics.h"
#include "server/metrics_text.h"

namespace partita {
namespace {

constexpr std::string_view kText = "text/plain; charset=utf-8";
constexpr std::string_view kPrometheusText = "text/plain; version=0.0.4; charset=utf-8";

using Loops = std::vector<std::unique_ptr<LoopMetrics>>;

template <typename Figure>
std::uint64_t sum_over(const Loops& loops, Figure figure) {
  std::uint64_t sum = 0;
  for (const auto& loop : loops) sum += std::invoke(figure, *loop);
  return sum;
}

void write_requests(MetricsText& text, const Loops& loops) {
  const auto& labels = LoopMetrics::operation_labels();
  text.begin("partita_requests_total", "counter",
             "Requests answered, by operation, result and error type.");
  for (std::size_t operation = 0; operation < labels.size(); ++operation) {
    for (std::size_t outcome = 0; outcome < OperationMetrics::kOutcomes; ++outcome) {
      const std::uint64_t count = sum_over(loops, [&](const LoopMetrics& loop) {
        return loop.operations()[operation].count(outcome);
      });
      if (count == 0) continue;
      text.sample(count, {{"operation", labels[operation]},
                          {"result", OperationMetrics::result_of(outcome)},
                          {"error", OperationMetrics::error_of(outcome)}});
    }
  }
}

void write_durations_of(MetricsText& text, const Loops& loops, std::size_t operation) {
  const std::string_view label = LoopMetrics::operation_labels()[operation];
  std::array<std::uint64_t, DurationHistogram::kBins> bins{};
  std::uint64_t count = 0, nanoseconds = 0;
  for (const auto& loop : loops) {
    const DurationHistogram& durations = loop->operations()[operation].durations();
    for (std::size_t bin = 0; bin < bins.size(); ++bin) bins[bin] += durations.count_in(bin);
    nanoseconds += durations.nanoseconds();
  }
  for (const std::uint64_t bin : bins) count += bin;
  if (count == 0) return;
  std::uint64_t up_to_here = 0;
  for (std::size_t bin = 0; bin + 1 < bins.size(); ++bin) {
    up_to_here += bins[bin];
    const double end = std::chrono::duration<double>(DurationHistogram::end_of_bin(bin)).count();
    std::array<char, 32> digits;
    const auto written = std::to_chars(digits.data(), digits.data() + digits.size(), end);
    const std::string_view bound(digits.data(),
                                 static_cast<std::size_t>(written.ptr - digits.data()));
    text.sample(up_to_here, {{"operation", label}, {"le", bound}}, "_bucket");
  }
  text.sample(count, {{"operation", label}, {"le", "+Inf"}}, "_bucket");
  text.sample(static_cast<double>(nanoseconds) / 1e9, {{"operation", label}}, "_sum");
  text.sample(count, {{"operation", label}}, "_count");
}

void write_traffic(MetricsText& text, const ServerMetrics& metrics) {
  const Loops& loops = metrics.loops();
  text.begin("partita_http_refused_total", "counter",
             "Requests turned away before they were understood, by HTTP status.");
  for (int i = 0; i < LoopMetrics::kRefusals; ++i) {
    const int status = LoopMetrics::kFirstRefusal + i;
    const std::uint64_t count =
        sum_over(loops, [&](const LoopMetrics& loop) { return loop.refused(status); });
    if (count > 0) text.sample(count, {{"status", std::to_string(status)}});
  }
  text.single("partita_received_bytes_total", "counter", "Bytes received from clients.",
              sum_over(loops, [](const LoopMetrics& loop) { return loop.bytes_received.value(); }));
  text.single("partita_sent_bytes_total", "counter", "Bytes sent to clients.",
              sum_over(loops, [](const LoopMetrics& loop) { return loop.bytes_sent.value(); }));
  const std::uint64_t closed =
      sum_over(loops, [](const LoopMetrics& loop) { return loop.connections_closed.value(); });
  const std::uint64_t accepted = metrics.connections_accepted.value();  // read last: never less
  text.single("partita_connections_open", "gauge", "Connections open now.", accepted - closed);
  text.single("partita_connections_accepted_total", "counter", "Connections accepted.", accepted);
  text.single(
      "partita_connections_timed_out_total", "counter",
      "Connections closed because their client was idle or too slow.",
      sum_over(loops, [](const LoopMetrics& loop) { return loop.connections_timed_out.value(); }));
  text.begin("partita_accepts_refused_total", "counter",
             "Times new connections had to wait, by reason.");
  text.sample(metrics.accepts_failed.value(), {{"reason", "no_descriptor_or_memory"}});
  text.sample(metrics.accepts_over_capacity.value(), {{"reason", "connections_max"}});
}

void write_database(MetricsText& text, const DatabaseFigures& figures) {
  text.single("partita_engine_lookups_total", "counter", "Rows asked for by their key.",
              figures.lookups);
  text.single("partita_engine_cursors_total", "counter", "Ranges read: pages of Query and Scan.",
              figures.cursors);
  text.single("partita_engine_commits_total", "counter", "Commits.", figures.commits);
  text.single("partita_engine_syncs_total", "counter",
              "Syncs of the log; commits per sync is how many writers share one.", figures.syncs);
  text.single("partita_engine_sync_seconds_total", "counter", "Time spent in syncs.",
              std::chrono::duration<double>(figures.sync_time).count());
  text.single("partita_engine_unsynced_versions", "gauge",
              "Commits that a power cut now would lose; their answers wait.",
              figures.unsynced_versions);
  text.single("partita_accepts_writes", "gauge",
              "0 while writes fail because the disk is full or a sync failed; /ready says more.",
              figures.accepts_writes ? 1 : 0);
  text.begin("partita_table_items", "gauge", "Items in a table.");
  for (const TableFigures& table : figures.tables)
    text.sample(table.items, {{"table", table.name}});
  text.begin("partita_table_bytes", "gauge", "Size of a table's items, as DynamoDB counts it.");
  for (const TableFigures& table : figures.tables)
    text.sample(table.bytes, {{"table", table.name}});
  for (const EngineFigure& figure : figures.engine) {
    const std::string name = "partita_" + std::string(figure.name);
    text.single(name, "gauge", figure.meaning, figure.value);
  }
}

// Under the names every Prometheus client library gives them.
void write_process(MetricsText& text, const ServerOptions& options, const ServerMetrics& metrics) {
  const ProcessUsage usage = process_usage();
  text.single("process_resident_memory_bytes", "gauge", "Resident memory size in bytes.",
              usage.resident_bytes);
  text.single("process_virtual_memory_bytes", "gauge", "Virtual memory size in bytes.",
              usage.virtual_bytes);
  text.single("process_cpu_seconds_total", "counter",
              "Total user and system CPU time spent in seconds.", usage.cpu_seconds);
  text.single("process_open_fds", "gauge", "Number of open file descriptors.", usage.open_files);
  text.single("process_max_fds", "gauge", "Maximum number of open file descriptors.",
              usage.open_files_max);
  const std::chrono::duration<double> started = metrics.started.time_since_epoch();
  text.single("process_start_time_seconds", "gauge",
              "Start time of the server since unix epoch in seconds.", started.count());
  const std::chrono::duration<double> uptime =
      std::chrono::steady_clock::now() - metrics.started_steady;
  if (options.clock != nullptr) {
    const std::chrono::duration<double> ahead = options.clock->read().ahead;
    text.single("partita_clock_ahead_seconds", "gauge",
                "How far the database's clock was moved ahead of the machine's.", ahead.count());
  }
  text.single("partita_uptime_seconds", "gauge", "Time since the server started.", uptime.count());
}

}  // namespace

std::optional<OperatorPage> OperatorPages::find(std::string_view path, TextBuffer& out) const {
  if (path == "/health") {
    out.append("alive\n");
    return OperatorPage{200, kText};
  }
  if (path == "/ready") return write_readiness(out);
  if (path == "/metrics") return write_metrics(out);
  return std::nullopt;
}

OperatorPage OperatorPages::write_readiness(TextBuffer& out) const {
  if (metrics_.stopping) {
    out.append("not ready: the server is stopping; send requests elsewhere.\n");
    return {503, kText};
  }
  if (options_.accepts_writes) {
    if (const Result<void> accepted = options_.accepts_writes(); !accepted) {
      out.append("not ready: ").append(accepted.error().message()).append("\n");
      return {503, kText};
    }
  }
  out.append("ready\n");
  return {200, kText};
}

OperatorPage OperatorPages::write_metrics(TextBuffer& out) const {
  MetricsText text(out);
  text.begin("partita_build_info", "gauge", "1; the labels say what runs.");
  text.sample(1, {{"version", options_.version}});
  write_requests(text, metrics_.loops());
  text.begin("partita_request_duration_seconds", "histogram",
             "From a request's last byte to the moment its answer may leave, the sync of a write "
             "included.");
  for (std::size_t i = 0; i < LoopMetrics::operation_labels().size(); ++i) {
    write_durations_of(text, metrics_.loops(), i);
  }
  write_traffic(text, metrics_);
  if (options_.figures) write_database(text, options_.figures());
  write_process(text, options_, metrics_);
  return {200, kPrometheusText};
}

}  // namespace partita
