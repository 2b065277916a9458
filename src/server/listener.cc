#include "server/listener.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/log.h"

namespace partita {
namespace {

constexpr std::chrono::milliseconds kBackOff{50};
constexpr int kBacklog = 4096;

Error cannot_listen(const std::string& host, std::uint16_t port, int reason) {
  const std::string where = host + ":" + std::to_string(port);
  std::string why;
  switch (reason) {
    case EADDRINUSE:
      why = "the port is already in use by another program; stop it or choose another port";
      break;
    case EACCES:
      why = "this user may not listen there (ports below 1024 usually need root)";
      break;
    case EADDRNOTAVAIL:
      why =
          "this machine has no such address (127.0.0.1 serves this machine, 0.0.0.0 all networks)";
      break;
    default:
      why = std::strerror(reason);
  }
  return Error(ErrorCode::CannotOpen, "Cannot listen on " + where + ": " + why + ".");
}

// Returns the socket, or -1 with errno set.
int listen_on(const addrinfo& address) {
  const int socket = ::socket(address.ai_family, address.ai_socktype | SOCK_NONBLOCK | SOCK_CLOEXEC,
                              address.ai_protocol);
  if (socket < 0) return -1;
  const int on = 1;
  ::setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  if (::bind(socket, address.ai_addr, address.ai_addrlen) != 0 || ::listen(socket, kBacklog) != 0) {
    const int reason = errno;
    ::close(socket);
    errno = reason;
    return -1;
  }
  return socket;
}

}  // namespace

Result<int> open_listening_socket(const std::string& host, std::uint16_t port) {
  addrinfo hints{};
  hints.ai_family = AF_UNSPEC;
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = AI_PASSIVE | AI_NUMERICSERV;
  addrinfo* found = nullptr;
  const int failure = ::getaddrinfo(host.c_str(), std::to_string(port).c_str(), &hints, &found);
  if (failure != 0) {
    return Error(ErrorCode::CannotOpen,
                 "Cannot listen on " + host + ": " + ::gai_strerror(failure) + ".");
  }
  const std::unique_ptr<addrinfo, decltype(&::freeaddrinfo)> addresses(found, &::freeaddrinfo);
  int reason = EADDRNOTAVAIL;
  for (const addrinfo* address = found; address != nullptr; address = address->ai_next) {
    if (const int socket = listen_on(*address); socket >= 0) return socket;
    reason = errno;
  }
  return cannot_listen(host, port, reason);
}

std::uint16_t port_of_socket(int socket) {
  sockaddr_storage address{};
  socklen_t length = sizeof address;
  ::getsockname(socket, reinterpret_cast<sockaddr*>(&address), &length);
  return ntohs(address.ss_family == AF_INET6
                   ? reinterpret_cast<const sockaddr_in6&>(address).sin6_port
                   : reinterpret_cast<const sockaddr_in&>(address).sin_port);
}

Listener::Listener(std::vector<std::unique_ptr<EventLoop>>& loops, int socket,
                   ServerMetrics& metrics, Log* log)
    : loops_(loops),
      poller_(loops.front()->poller()),
      socket_(socket),
      back_off_timer_(poller_, [this] { resume(); }),
      metrics_(metrics),
      log_(log) {
  poller_.watch(socket_, *this, {});
}

Listener::~Listener() { close(); }

void Listener::start() {
  poller_.post([this] { resume(); });
}

void Listener::stop(std::function<void()> done) {
  poller_.post([this, done = std::move(done)] {
    if (socket_ >= 0) accept_all();
    close();
    done();
  });
}

void Listener::close() {
  back_off_timer_.cancel();
  if (socket_ >= 0) ::close(std::exchange(socket_, -1));
}

void Listener::on_ready(Readiness) {
  if (socket_ >= 0) accept_all();
}

void Listener::resume() {
  if (socket_ >= 0) poller_.change(socket_, *this, {.read = true});
}

// As long as there is no room, being told of waiting clients would only spin.
void Listener::back_off() {
  poller_.change(socket_, *this, {});
  back_off_timer_.set(kBackOff);
}

void Listener::accept_all() {
  while (true) {
    if (at_capacity()) {
      metrics_.accepts_over_capacity.add();
      return back_off();
    }
    const int socket = ::accept4(socket_, nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (socket < 0) {
      if (errno == EAGAIN || errno == EWOULDBLOCK) return;
      if (errno == EINTR || errno == ECONNABORTED) continue;
      // No descriptors or memory left: the connection stays queued and the socket readable.
      metrics_.accepts_failed.add();
      if (!std::exchange(refused_before_, true) && log_ != nullptr) {
        log_->warning("cannot accept connections", {{"reason", std::strerror(errno)}});
      }
      return back_off();
    }
    refused_before_ = false;
    metrics_.connections_accepted.add();
    const int on = 1;
    ::setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    least_loaded().adopt(socket);
  }
}

EventLoop& Listener::least_loaded() {
  return **std::min_element(loops_.begin(), loops_.end(), [](const auto& left, const auto& right) {
    return left->connection_count() < right->connection_count();
  });
}

bool Listener::at_capacity() const {
  std::size_t count = 0;
  for (const auto& loop : loops_) count += loop->connection_count();
  return count >= loops_.front()->limits().connections_max;
}

}  // namespace partita
