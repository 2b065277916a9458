#include "cli/admin_client.h"

#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <cstring>

#include <netdb.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include "auth/sigv4.h"
#include "base/clock.h"
#include "base/time_text.h"

namespace partita {
namespace {

constexpr timeval kPatience{10, 0};

std::string place_of(const AdminRequest& request) {
  const bool v6 = request.host.find(':') != std::string::npos;
  return (v6 ? "[" + request.host + "]" : request.host) + ":" + request.port;
}

Error nobody_at(const AdminRequest& request, const std::string& why) {
  return Error(ErrorCode::CannotOpen, "no server answers at " + place_of(request) + " (" + why +
                                          "); --host and --port say where it is.");
}

std::string from_environment(const char* name, const char* otherwise) {
  const char* const value = std::getenv(name);
  return value != nullptr && *value != '\0' ? value : otherwise;
}

// "20270131T120000Z".
std::string date_time() {
  std::string text = time_text(machine_time()).substr(0, 19) + "Z";
  std::erase_if(text, [](char c) { return c == '-' || c == ':'; });
  return text;
}

// Header lines that sign the request, if the environment has a key for it.
std::string signature(const AdminRequest& request) {
  const std::string id = from_environment("AWS_ACCESS_KEY_ID", "");
  const std::string secret = from_environment("AWS_SECRET_ACCESS_KEY", "");
  if (id.empty() || secret.empty()) return {};
  const std::string now = date_time(), host = place_of(request);
  const std::string region =
      from_environment("AWS_REGION", from_environment("AWS_DEFAULT_REGION", "us-east-1").c_str());
  const SignatureScope scope{std::string_view(now).substr(0, 8), region, "dynamodb"};
  const HeaderField headers[] = {{"host", host}, {"x-amz-date", now}};
  const RequestToSign to_sign{.method = request.method,
                              .path = request.path,
                              .query = {},
                              .headers = headers,
                              .body = request.body};
  return "X-Amz-Date: " + now + "\r\nAuthorization: " +
         authorization_of(to_sign, id, SigningKey(secret, scope), now, scope) + "\r\n";
}

class Socket {
 public:
  explicit Socket(int descriptor) : descriptor_(descriptor) {}
  Socket(const Socket&) = delete;
  Socket& operator=(const Socket&) = delete;
  ~Socket() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }
  int get() const { return descriptor_; }

 private:
  int descriptor_;
};

// The first of the host's addresses that answers; -1 and errno for none.
int connect_to(const addrinfo* addresses) {
  int connected = -1;
  for (const addrinfo* one = addresses; one != nullptr && connected < 0; one = one->ai_next) {
    const int candidate = ::socket(one->ai_family, one->ai_socktype, one->ai_protocol);
    if (candidate < 0) continue;
    ::setsockopt(candidate, SOL_SOCKET, SO_RCVTIMEO, &kPatience, sizeof kPatience);
    ::setsockopt(candidate, SOL_SOCKET, SO_SNDTIMEO, &kPatience, sizeof kPatience);
    if (::connect(candidate, one->ai_addr, one->ai_addrlen) == 0) {
      connected = candidate;
    } else {
      ::close(candidate);
    }
  }
  return connected;
}

// All it sends until it closes. Empty when that fails.
std::string exchange(int socket, std::string_view request) {
  while (!request.empty()) {
    const ssize_t sent = ::send(socket, request.data(), request.size(), MSG_NOSIGNAL);
    if (sent <= 0) return {};
    request.remove_prefix(static_cast<std::size_t>(sent));
  }
  std::string answer;
  char part[4096];
  for (;;) {
    const ssize_t received = ::recv(socket, part, sizeof part, 0);
    if (received < 0 && errno == EINTR) continue;
    if (received <= 0) return received == 0 ? answer : std::string();
    answer.append(part, static_cast<std::size_t>(received));
  }
}

}  // namespace

Result<AdminResponse> ask_admin(const AdminRequest& request) {
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  addrinfo* addresses = nullptr;
  const int found = ::getaddrinfo(request.host.c_str(), request.port.c_str(), &hints, &addresses);
  if (found != 0) return nobody_at(request, ::gai_strerror(found));
  const Socket socket(connect_to(addresses));
  const std::string why = std::strerror(errno);
  ::freeaddrinfo(addresses);
  if (socket.get() < 0) return nobody_at(request, why);

  const std::string answer = exchange(
      socket.get(),
      request.method + " " + request.path + " HTTP/1.1\r\nHost: " + place_of(request) +
          "\r\nX-Partita-Admin: 1\r\n" + signature(request) + "Connection: close" +
          "\r\nContent-Length: " + std::to_string(request.body.size()) + "\r\n\r\n" + request.body);
  const std::size_t body = answer.find("\r\n\r\n");
  AdminResponse response;
  constexpr std::size_t kStatusAt = std::string_view("HTTP/1.1 ").size();
  if (body == std::string::npos || !answer.starts_with("HTTP/1.1 ") ||
      std::from_chars(answer.data() + kStatusAt, answer.data() + body, response.status).ec !=
          std::errc()) {
    return nobody_at(request, "what is there does not speak HTTP as Partita does");
  }
  response.body = answer.substr(body + 4);
  return response;
}

}  // namespace partita
