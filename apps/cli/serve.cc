#include "cli/serve.h"

#include <cstdlib>
#include <filesystem>
#include <functional>
#include <iostream>
#include <memory>
#include <system_error>
#include <thread>

#include <malloc.h>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include "partita/database.h"

#include "auth/tls.h"
#include "base/log.h"
#include "base/memory_limit.h"
#include "base/memory_reserve.h"
#include "cli/commands.h"
#include "cli/credentials_file.h"
#include "cli/serve_options.h"
#include "cli/service_notice.h"
#include "cli/settings_text.h"
#include "cli/version.h"
#include "server/callers.h"
#include "server/server.h"

namespace partita {
namespace {

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
sigset_t block_signals(bool reloads) {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGINT);
  sigaddset(&signals, SIGTERM);
  if (reloads) sigaddset(&signals, SIGHUP);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  signal(SIGPIPE, SIG_IGN);
  return signals;
}

// SIGHUP reads files again. The first other signal lets what is under way finish, the second ends
// the program where it stands.
void stop_on_signal(Server& server, const sigset_t& signals, const std::function<void()>& reload) {
  int number = 0;
  while (sigwait(&signals, &number) != 0 || number == SIGHUP) reload();
  notify_service_manager("STOPPING=1");
  server.stop();
  try {
    std::thread([signals] {
      int again = 0;
      while (sigwait(&signals, &again) != 0 || again == SIGHUP) continue;
      std::_Exit(128 + again);
    }).detach();
  } catch (const std::system_error&) {  // no memory for a thread: then it takes its time
  }
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

Result<std::shared_ptr<const Callers>> read_callers(const ServeOptions& options, Api& api) {
  return read_credentials_file(options.credentials,
                               {api, options.database.region, options.database.account_id});
}

// Secrets that everybody on this machine can read are none.
void warn_of_readable(const std::string& path, Log& log) {
  std::error_code ignored;
  const auto permissions = std::filesystem::status(path, ignored).permissions();
  if ((permissions & std::filesystem::perms::others_read) != std::filesystem::perms::none) {
    log.warning("permissions",
                {{"message", "every user of this machine can read " + path + "; chmod 600 it"}});
  }
}

// What is read again while the server runs; each is null unless it is wanted.
struct Reloadable {
  std::unique_ptr<CallerBook> callers;
  std::unique_ptr<TlsBook> tls;
};

Result<Reloadable> load(const ServeOptions& options, Api& api) {
  if (options.tls_certificate.empty() != options.tls_key.empty()) {
    return Error(ErrorCode::CannotOpen, "--tls-cert and --tls-key go together; give both or none.");
  }
  Reloadable loaded;
  if (!options.credentials.empty()) {
    PARTITA_TRY(auto callers, read_callers(options, api));
    loaded.callers = std::make_unique<CallerBook>(std::move(callers));
  }
  if (!options.tls_certificate.empty()) {
    PARTITA_TRY(auto context, TlsContext::load(options.tls_certificate, options.tls_key));
    loaded.tls = std::make_unique<TlsBook>(std::move(context));
  }
  return loaded;
}

// All or nothing: what cannot be read leaves everything as it was.
void reload(const ServeOptions& options, Api& api, Reloadable& loaded, Log& log) {
  auto again = load(options, api);
  if (!again) return log.error("reload", {{"message", again.error().message()}});
  if (loaded.callers) loaded.callers->replace(again->callers->current());
  if (loaded.tls) loaded.tls->replace(again->tls->current());
  log.info("reloaded");
}

void greet(const ServeOptions& options, std::uint16_t port) {
  const bool v6 = options.host.find(':') != std::string::npos;
  const std::string host = v6 ? "[" + options.host + "]" : options.host;
  const std::string url = (options.tls_certificate.empty() ? "http://" : "https://") + host + ":" +
                          std::to_string(port);
  std::cout << "Partita " << version() << " listens on " << url << ", "
            << where_data_is(options.database) << ".\n"
            << "Try: "
            << (options.credentials.empty() ? "AWS_ACCESS_KEY_ID=any AWS_SECRET_ACCESS_KEY=any "
                                            : "")
            << "aws dynamodb list-tables --region " << options.database.region << " --endpoint-url "
            << url << std::endl;
}

// What must not keep an event loop waiting: everything that meets a write that is held open.
std::vector<std::string> waiting_targets(const Options& database) {
  std::vector<std::string> targets;
  const bool writes_wait = database.write_hold.count() > 0;
  if (writes_wait || database.transaction_hold.count() > 0) {
    targets.push_back("DynamoDB_20120810.TransactWriteItems");
  }
  if (!writes_wait) return targets;
  for (const char* operation : {"PutItem", "UpdateItem", "DeleteItem", "BatchWriteItem"}) {
    targets.push_back(std::string("DynamoDB_20120810.") + operation);
  }
  return targets;
}

}  // namespace

int serve(const std::vector<std::string_view>& words) {
  auto options = parse_serve_options(words, environment());
  if (!options) return fail(kExitUsage, options.error().message());
  if (options->help || options->print_config) {
    std::cout << (options->help ? serve_help() : options->effective_config);
    return 0;
  }
  const sigset_t signals = block_signals(
      /*reloads=*/!options->credentials.empty() || !options->tls_certificate.empty());
  allow_many_files();
  MemoryReserve::install();
  keep_freed_memory();
  share_freed_memory_among_threads();
  Log log(options->log_level);
  for (const std::string& warning : options->warnings) {
    log.warning("environment", {{"message", warning}});
  }

  auto database = Database::open(options->database);
  if (!database) return fail(kExitFailure, database.error().message());

  auto targets = parse_push_targets(options->stream_target);
  if (!targets) return fail(kExitUsage, "--stream-target: " + targets.error().message());

  Api* const api = database->get();
  auto loaded = load(*options, *api);
  if (!loaded) return fail(kExitFailure, loaded.error().message());
  for (const std::string& path : {options->credentials, options->tls_key}) {
    if (!path.empty()) warn_of_readable(path, log);
  }
  auto server = Server::start({.host = options->host,
                               .port = options->port,
                               .threads = options->threads,
                               .limits = {.connections_max = options->connections_max},
                               .find_database = [api](const RequestHead&) { return api; },
                               .callers = loaded->callers.get(),
                               .tls = loaded->tls.get(),
                               .serve_unsigned = options->allow_anonymous,
                               .log = &log,
                               .waiting_targets = waiting_targets(options->database),
                               .slow_request = options->slow_request,
                               .version = std::string(version()),
                               .figures = [&] { return (*database)->figures(); },
                               .accepts_writes = [&] { return (*database)->accepts_writes(); },
                               .clock = &(*database)->clock(),
                               .admin_hosts = options->admin_hosts});
  if (!server) return fail(kExitFailure, server.error().message());

  std::vector<std::unique_ptr<StreamPusher>> pushers;
  for (PushTarget& target : *targets) {
    auto pusher = StreamPusher::start(**database, std::move(target), options->push, log);
    if (!pusher) return fail(kExitFailure, pusher.error().message());
    pushers.push_back(*std::move(pusher));
  }

  fail_before_control_group_kills();
  log.info("opened", {{"data", where_data_is(options->database)}, {"version", version()}});
  greet(*options, (*server)->port());
  notify_service_manager("READY=1");
  stop_on_signal(**server, signals, [&] { reload(*options, *api, *loaded, log); });
  (*server)->wait();
  server->reset();
  pushers.clear();
  database->reset();  // what is left is written out
  log.info("stopped");
  return 0;
}

}  // namespace partita
