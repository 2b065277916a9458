#include "server/server.h"

#include <algorithm>
#include <cstdint>
#include <exception>
#include <thread>
#include <utility>
#include <vector>

#include <sys/resource.h>
#include <unistd.h>

#include "base/log.h"
#include "base/memory_limit.h"
#include "server/event_loop.h"
#include "server/listener.h"
#include "server/metrics.h"
#include "server/operator_pages.h"
#include "server/side_threads.h"

namespace partita {
namespace {

// As many as the process may have descriptors, less what the database may need for its files: an
// engine that cannot open a file stops writing, which is worse than a client that waits.
std::size_t connections_possible() {
  constexpr rlim_t kKeptMax = 700;
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return SIZE_MAX;
  return static_cast<std::size_t>(limit.rlim_cur - std::min(kKeptMax, limit.rlim_cur / 2));
}

}  // namespace

struct Server::Parts {
  ServerOptions options;  // the loops refer to it
  std::unique_ptr<ServerMetrics> metrics;
  std::unique_ptr<OperatorPages> pages;
  std::vector<std::unique_ptr<EventLoop>> loops;
  SideThreads side_threads;  // before the loops whose answers they make
  std::unique_ptr<Listener> listener;
  std::uint16_t port = 0;

  ~Parts() {
    for (auto& loop : loops) loop->join();
    listener.reset();  // before the loop whose poller it uses
  }
};

Server::Server(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}

Result<std::unique_ptr<Server>> Server::start(ServerOptions options) {
  PARTITA_TRY(const int socket, open_listening_socket(options.host, options.port));
  try {  // descriptors and threads may be short
    auto parts = std::make_unique<Parts>();
    parts->options = std::move(options);
    ServerLimits& limits = parts->options.limits;
    limits.connections_max = std::min(limits.connections_max, connections_possible());
    parts->port = port_of_socket(socket);
    const unsigned threads = parts->options.threads != 0
                                 ? parts->options.threads
                                 : std::max(1U, std::thread::hardware_concurrency());
    if (limits.buffered_bytes_max == 0) {
      limits.buffered_bytes_max =
          std::max(4 * limits.body_bytes_max, usable_memory() / 4 / threads);
    }
    parts->metrics = std::make_unique<ServerMetrics>(threads);
    parts->pages = std::make_unique<OperatorPages>(parts->options, *parts->metrics);
    for (unsigned i = 0; i < threads; ++i) {
      parts->loops.push_back(std::make_unique<EventLoop>(parts->options, parts->metrics->loop(i),
                                                         *parts->pages, parts->side_threads));
    }
    parts->listener =
        std::make_unique<Listener>(parts->loops, socket, *parts->metrics, parts->options.log);
    std::unique_ptr<Server> server(new Server(std::move(parts)));
    for (auto& loop : server->parts_->loops) loop->start();
    server->parts_->listener->start();
    if (Log* const log = server->parts_->options.log) {
      log->info(
          "listening",
          {{"host", server->parts_->options.host}, {"port", server->port()}, {"threads", threads}});
    }
    return server;
  } catch (const std::exception& exception) {
    return Error(ErrorCode::CannotOpen,
                 std::string("The server cannot start: ") + exception.what() + ".");
  }
}

Server::~Server() {
  stop();
  wait();
}

std::uint16_t Server::port() const { return parts_->port; }

void Server::stop() {
  if (!parts_->metrics->stopping.exchange(true) && parts_->options.log != nullptr) {
    parts_->options.log->info("stopping");
  }
  // First no new connections, then the loops: a connection handed over is one they know.
  parts_->listener->stop([loops = &parts_->loops] {
    for (auto& loop : *loops) loop->stop();
  });
}

void Server::wait() {
  for (auto& loop : parts_->loops) loop->join();
}

}  // namespace partita
