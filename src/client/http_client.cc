#include "client/http_client.h"

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <memory>
#include <optional>
#include <utility>

#include <netdb.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

namespace partita {
namespace {

using Steady = std::chrono::steady_clock;
constexpr std::size_t kReplyBytesMax = 1 << 20;

Error unreachable(const HttpUrl& url, std::string_view why) {
  return Error(ErrorCode::ServiceUnavailable,
               "http://" + url.host + ":" + url.port + ": " + std::string(why));
}

// When to give up.
struct Patience {
  Steady::time_point deadline;
  const std::atomic<bool>& cancelled;

  bool is_over() const { return cancelled || Steady::now() >= deadline; }
};

class Socket {
 public:
  explicit Socket(int fd) : fd_(fd) {}
  Socket(Socket&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  Socket(const Socket&) = delete;
  Socket& operator=(const Socket&) = delete;
  ~Socket() {
    if (fd_ >= 0) ::close(fd_);
  }

  bool wait(short events, const Patience& patience) const {
    constexpr int kSliceMs = 50;
    while (!patience.is_over()) {
      pollfd waited{fd_, events, 0};
      if (::poll(&waited, 1, kSliceMs) == 1) return true;
    }
    return false;
  }
  int fd() const { return fd_; }

 private:
  int fd_;
};

Result<Socket> connect_to(const HttpUrl& url, const Patience& patience) {
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  addrinfo* found = nullptr;
  if (const int failure = ::getaddrinfo(url.host.c_str(), url.port.c_str(), &hints, &found)) {
    return unreachable(url, ::gai_strerror(failure));
  }
  const std::unique_ptr<addrinfo, void (*)(addrinfo*)> addresses(found, ::freeaddrinfo);
  int reason = ETIMEDOUT;
  for (const addrinfo* address = found; address; address = address->ai_next) {
    Socket socket(::socket(address->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    if (socket.fd() < 0) return unreachable(url, std::strerror(errno));
    if (::connect(socket.fd(), address->ai_addr, address->ai_addrlen) == 0) return socket;
    reason = errno;
    if (reason != EINPROGRESS) continue;
    if (!socket.wait(POLLOUT, patience)) return unreachable(url, "no connection in time");
    socklen_t length = sizeof reason;
    ::getsockopt(socket.fd(), SOL_SOCKET, SO_ERROR, &reason, &length);
    if (reason == 0) return socket;
  }
  return unreachable(url, std::strerror(reason));
}

Result<void> send_all(const Socket& socket, const HttpUrl& url, std::string_view bytes,
                      const Patience& patience) {
  while (!bytes.empty()) {
    const ssize_t sent = ::send(socket.fd(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent > 0) {
      bytes.remove_prefix(static_cast<std::size_t>(sent));
    } else if (errno != EAGAIN && errno != EINTR) {
      return unreachable(url, std::strerror(errno));
    } else if (!socket.wait(POLLOUT, patience)) {
      return unreachable(url, "the request could not be sent in time");
    }
  }
  return {};
}

// The value of a header; names are compared without regard to case.
std::optional<std::string_view> header(std::string_view head, std::string_view name) {
  for (std::size_t at = head.find("\r\n"); at != std::string_view::npos;) {
    const std::string_view line = head.substr(at + 2, head.find("\r\n", at + 2) - at - 2);
    const auto same = [](char left, char right) {
      return std::tolower(static_cast<unsigned char>(left)) == right;
    };
    if (line.size() > name.size() && line[name.size()] == ':' &&
        std::equal(name.begin(), name.end(), line.begin(),
                   [&](char want, char have) { return same(have, want); })) {
      std::string_view value = line.substr(name.size() + 1);
      while (!value.empty() && value.front() == ' ') value.remove_prefix(1);
      return value;
    }
    at = head.find("\r\n", at + 2);
  }
  return std::nullopt;
}

template <typename Number>
std::optional<Number> number_in(std::string_view text, int base = 10) {
  Number number = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), number, base);
  if (failure != std::errc() || end == text.data()) return std::nullopt;
  return number;
}

// Nothing while chunks are missing.
std::optional<std::string> joined_chunks(std::string_view body) {
  std::string joined;
  for (;;) {
    const std::size_t line = body.find("\r\n");
    if (line == std::string_view::npos) return std::nullopt;
    const auto size = number_in<std::size_t>(body.substr(0, line), 16);
    if (!size || body.size() < line + 2 + *size + 2) return std::nullopt;
    if (*size == 0) return joined;
    joined.append(body.substr(line + 2, *size));
    body.remove_prefix(line + 2 + *size + 2);
  }
}

// The reply as far as it has come; nothing while it is not complete.
std::optional<HttpReply> complete_reply(std::string_view bytes, bool ended) {
  const std::size_t end_of_head = bytes.find("\r\n\r\n");
  constexpr std::string_view kVersion = "HTTP/1.1 ";
  if (end_of_head == std::string_view::npos || bytes.size() < kVersion.size() + 3) {
    return std::nullopt;
  }
  const std::string_view head = bytes.substr(0, end_of_head), body = bytes.substr(end_of_head + 4);
  const auto status = number_in<int>(bytes.substr(kVersion.size(), 3));
  if (!bytes.starts_with("HTTP/1.") || !status) return std::nullopt;
  if (*status < 200) return complete_reply(body, ended);  // 100 Continue
  const auto length = header(head, "content-length");
  const auto expected = length ? number_in<std::size_t>(*length) : std::nullopt;
  if (const auto coding = header(head, "transfer-encoding"); coding == "chunked") {
    auto joined = joined_chunks(body);
    if (!joined) return std::nullopt;
    return HttpReply{*status, *std::move(joined)};
  }
  if (expected ? body.size() >= *expected : ended || *status == 204) {
    return HttpReply{*status, std::string(body.substr(0, expected.value_or(body.size())))};
  }
  return std::nullopt;
}

Result<HttpReply> receive(const Socket& socket, const HttpUrl& url, const Patience& patience) {
  std::string bytes;
  for (;;) {
    char room[16 * 1024];
    const ssize_t got = ::recv(socket.fd(), room, sizeof room, 0);
    if (got > 0) bytes.append(room, static_cast<std::size_t>(got));
    const bool ended = got == 0 || bytes.size() > kReplyBytesMax;
    if (got >= 0) {
      if (auto reply = complete_reply(bytes, ended)) return *std::move(reply);
      if (ended) return unreachable(url, "the connection ended without a proper reply");
    } else if (errno != EAGAIN && errno != EINTR) {
      return unreachable(url, std::strerror(errno));
    } else if (!socket.wait(POLLIN, patience)) {
      return unreachable(url, "no reply in time");
    }
  }
}

}  // namespace

Result<HttpUrl> parse_http_url(std::string_view url) {
  constexpr std::string_view kScheme = "http://";
  if (!url.starts_with(kScheme)) {
    return Error::validation("'" + std::string(url) + "' is not an http:// address.");
  }
  const std::string_view rest = url.substr(kScheme.size());
  const std::size_t slash = std::min(rest.find_first_of("/?"), rest.size());
  const std::string_view authority = rest.substr(0, slash);
  const std::size_t bracket = authority.rfind(']');  // [::1]:8080
  const std::size_t colon = authority.find(':', bracket == std::string_view::npos ? 0 : bracket);
  HttpUrl parsed;
  parsed.host = authority.substr(0, colon);
  if (parsed.host.starts_with('[')) parsed.host = parsed.host.substr(1, parsed.host.size() - 2);
  parsed.port = colon == std::string_view::npos ? "80" : authority.substr(colon + 1);
  parsed.path = rest.substr(slash);
  if (!parsed.path.starts_with('/')) parsed.path.insert(0, "/");
  const auto port = number_in<std::uint16_t>(parsed.port);
  if (parsed.host.empty() || !port || *port == 0) {
    return Error::validation("'" + std::string(url) + "' is not an http:// address.");
  }
  return parsed;
}

Result<HttpReply> http_post(const HttpUrl& url, std::string_view content_type,
                            std::string_view body, std::chrono::milliseconds timeout,
                            const std::atomic<bool>& cancelled) {
  const Patience patience{Steady::now() + timeout, cancelled};
  PARTITA_TRY(const Socket socket, connect_to(url, patience));
  std::string request = "POST " + url.path + " HTTP/1.1\r\nHost: " + url.host + ":" + url.port;
  request.append("\r\nContent-Type: ").append(content_type);
  request.append("\r\nContent-Length: ").append(std::to_string(body.size()));
  request.append("\r\nConnection: close\r\n\r\n").append(body);
  PARTITA_CHECK(send_all(socket, url, request, patience));
  return receive(socket, url, patience);
}

}  // namespace partita
