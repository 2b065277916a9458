#include "cli/serve.h"

#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <memory>
#include <thread>

#include <malloc.h>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include "partita/database.h"

#include "base/log.h"
#include "base/memory_reserve.h"
#include "cli/serve_options.h"
#include "cli/service_notice.h"
#include "cli/settings_text.h"
#include "cli/version.h"
#include "server/server.h"

namespace partita {
namespace {

constexpr int kFailure = 1;
constexpr int kUsage = 2;

int fail(int status, const std::string& sentence) {
  std::cerr << "partita: " << sentence << '\n';
  return status;
}

std::vector<std::string_view> environment() {
  std::vector<std::string_view> entries;
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    entries.emplace_back(*entry);
  }
  return entries;
}

// Must run before any thread starts: all of them inherit the mask, so that the signals wait for
// the thread that asks for them.
sigset_t block_stop_signals() {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGINT);
  sigaddset(&signals, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  signal(SIGPIPE, SIG_IGN);
  return signals;
}

// The first signal lets what is under way finish, the second ends the program where it stands.
void stop_on_signal(Server& server, const sigset_t& signals) {
  int number = 0;
  sigwait(&signals, &number);
  notify_service_manager("STOPPING=1");
  server.stop();
  std::thread([signals] {
    int again = 0;
    sigwait(&signals, &again);
    std::_Exit(128 + again);
  }).detach();
}

// Every connection is a file descriptor, and so is every file of the database.
void allow_many_files() {
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < limit.rlim_max) {
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_NOFILE, &limit);
  }
}

// A page of 1 MB takes some buffers of that size and gives them back with its answer. By default
// malloc returns them to the kernel each time, and half of a Scan's time goes into page faults.
void keep_freed_memory() {
  constexpr int kKeptBytesMax = 32 * 1024 * 1024;
  mallopt(M_MMAP_THRESHOLD, kKeptBytesMax);
  mallopt(M_TRIM_THRESHOLD, kKeptBytesMax);
}

std::string where_data_is(const Options& database) {
  if (database.engine != EngineKind::Rocksdb) return "data in memory only";
  std::error_code ignored;
  std::string path = std::filesystem::absolute(database.data_directory, ignored).lexically_normal();
  const bool relaxed = database.durability == Durability::Relaxed;
  return "data in " + path + (relaxed ? " (relaxed durability)" : "");
}

void greet(const ServeOptions& options, std::uint16_t port) {
  const bool v6 = options.host.find(':') != std::string::npos;
  const std::string host = v6 ? "[" + options.host + "]" : options.host;
  const std::string url = "http://" + host + ":" + std::to_string(port);
  std::cout << "Partita " << version() << " listens on " << url << ", "
            << where_data_is(options.database) << ".\n"
            << "Try: AWS_ACCESS_KEY_ID=any AWS_SECRET_ACCESS_KEY=any aws dynamodb list-tables "
               "--region "
            << options.database.region << " --endpoint-url " << url << std::endl;
}

}  // namespace

int serve(const std::vector<std::string_view>& words) {
  auto options = parse_serve_options(words, environment());
  if (!options) return fail(kUsage, options.error().message());
  if (options->help || options->print_config) {
    std::cout << (options->help ? serve_help() : options->effective_config);
    return 0;
  }
  const sigset_t signals = block_stop_signals();
  allow_many_files();
  MemoryReserve::install();
  keep_freed_memory();
  Log log(options->log_level);
  for (const std::string& warning : options->warnings) {
    log.warning("environment", {{"message", warning}});
  }

  auto database = Database::open(options->database);
  if (!database) return fail(kFailure, database.error().message());

  Api* const api = database->get();
  std::vector<std::string> waiting_targets;
  if (options->database.transaction_hold.count() > 0) {
    waiting_targets.push_back("DynamoDB_20120810.TransactWriteItems");
  }
  auto server = Server::start({.host = options->host,
                               .port = options->port,
                               .threads = options->threads,
                               .limits = {.connections_max = options->connections_max},
                               .find_database = [api](const RequestHead&) { return api; },
                               .serve_unsigned = options->allow_anonymous,
                               .log = &log,
                               .waiting_targets = std::move(waiting_targets),
                               .slow_request = options->slow_request,
                               .version = std::string(version()),
                               .figures = [&] { return (*database)->figures(); },
                               .accepts_writes = [&] { return (*database)->accepts_writes(); }});
  if (!server) return fail(kFailure, server.error().message());

  log.info("opened", {{"data", where_data_is(options->database)}, {"version", version()}});
  greet(*options, (*server)->port());
  notify_service_manager("READY=1");
  stop_on_signal(**server, signals);
  (*server)->wait();
  server->reset();
  database->reset();  // what is left is written out
  log.info("stopped");
  return 0;
}

}  // namespace partita
