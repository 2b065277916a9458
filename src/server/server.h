// Server: DynamoDB's HTTP interface over any Api.
//
//   auto server = partita::Server::start({.find_database = [&](const auto&) { return &database;
//   }}); if (!server) { std::cerr << server.error().message() << '\n'; return 1; }
//   (*server)->wait();
//
// One event loop per thread. A request is read, served and answered on the loop that owns its
// connection; an answer whose write is not durable yet waits there while the loop serves others.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "partita/api.h"
#include "partita/clock.h"
#include "partita/figures.h"
#include "partita/result.h"

#include "server/http_parser.h"

namespace partita {

class CallerBook;
class Log;
class TlsBook;

// The database a request is for, or null when it names none. Called on every loop's thread; what it
// returns must outlive the server.
using DatabaseFinder = std::function<Api*(const RequestHead&)>;

struct ServerLimits {
  std::size_t body_bytes_max = 16 * 1024 * 1024;
  // Large requests that have arrived in part may take so much on each loop, further ones answer
  // 503. 0: together a quarter of the memory, and on each loop at least four times body_bytes_max.
  std::size_t buffered_bytes_max = 0;
  // Further ones wait to be accepted. No more than the process may have descriptors, less some for
  // the database's files.
  std::size_t connections_max = 50'000;
  // A connection with this much unsent or unfinished gets no further request served until it is
  // read.
  std::size_t unsent_bytes_max = 1024 * 1024;
  std::size_t unsent_answers_max = 256;

  std::chrono::milliseconds idle_timeout{180'000};  // between requests
  std::chrono::milliseconds head_timeout{10'000};  // from a request's first byte to its last header
  std::chrono::milliseconds body_timeout{30'000};  // for every 64 KB of a body
  std::chrono::milliseconds write_timeout{30'000};  // a client that does not read
  std::chrono::milliseconds linger_timeout{5'000};  // for a client to see the last answer
  std::chrono::milliseconds stop_timeout{10'000};   // stop() waits this long for what is under way
};

struct ServerOptions {
  std::string host = "127.0.0.1";  // an address or a name
  std::uint16_t port = 8000;       // 0: any free one, see Server::port
  unsigned threads = 0;            // 0: one per core
  ServerLimits limits = {};
  DatabaseFinder find_database = nullptr;
  // Whose signatures are accepted; outlives the server. Null: nobody's is compared with anything,
  // and find_database serves everyone.
  const CallerBook* callers = nullptr;
  // Serve HTTPS with this certificate; outlives the server. Null: HTTP. The process must then
  // ignore SIGPIPE.
  const TlsBook* tls = nullptr;
  // Serve requests that carry no signature. Otherwise one must be there and complete, as AWS wants
  // it, though nobody compares it with a secret.
  bool serve_unsigned = false;
  Log* log = nullptr;  // null: the server says nothing; else it outlives the server
  // X-Amz-Targets of operations that wait before they answer: event loops leave them to other
  // threads.
  std::vector<std::string> waiting_targets = {};
  std::chrono::milliseconds slow_request{1'000};  // from here on a request is logged; 0: never

  // What /metrics and /ready tell (operator_pages.h); null: nothing of the database. Called on the
  // loops' threads.
  std::string version{};
  std::function<DatabaseFigures()> figures = nullptr;
  std::function<Result<void>()> accepts_writes = nullptr;

  // The admin API (admin_api.h): the clock it moves, which outlives the server; null: none. The
  // addresses of other machines that may use it, or "any", and names by which they call this one.
  MovableClock* clock = nullptr;
  std::vector<std::string> admin_hosts = {};
};

class Server {
 public:
  // Listens and serves. Fails with one sentence for a person (ErrorCode::CannotOpen).
  static Result<std::unique_ptr<Server>> start(ServerOptions options);

  ~Server();  // stop() and wait()

  std::uint16_t port() const;
  // Stops accepting and lets what is under way finish; returns at once. From any thread.
  void stop();
  // Until the server has stopped.
  void wait();

 private:
  struct Parts;
  explicit Server(std::unique_ptr<Parts> parts);
  std::unique_ptr<Parts> parts_;
};

}  // namespace partita
