#include "cli/serve.h"

#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <memory>
#include <thread>

#include <signal.h>
#include <sys/resource.h>

#include "partita/database.h"

#include "base/log.h"
#include "cli/serve_options.h"
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
  auto options = parse_serve_options(words);
  if (!options) return fail(kUsage, options.error().message());
  if (options->help) {
    std::cout << kServeHelp;
    return 0;
  }
  const sigset_t signals = block_stop_signals();
  allow_many_files();
  Log log(options->log_level);

  auto database = Database::open(options->database);
  if (!database) return fail(kFailure, database.error().message());

  Api* const api = database->get();
  auto server = Server::start({.host = options->host,
                               .port = options->port,
                               .threads = options->threads,
                               .find_database = [api](const RequestHead&) { return api; },
                               .log = &log,
                               .version = std::string(version()),
                               .figures = [&] { return (*database)->figures(); },
                               .accepts_writes = [&] { return (*database)->accepts_writes(); }});
  if (!server) return fail(kFailure, server.error().message());

  greet(*options, (*server)->port());
  stop_on_signal(**server, signals);
  (*server)->wait();
  return 0;
}

}  // namespace partita
