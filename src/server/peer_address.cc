#include "server/peer_address.h"

#include <array>
#include <string_view>

#include <arpa/inet.h>
#include <netdb.h>
#include <sys/socket.h>

namespace partita {

std::optional<PeerAddress> peer_of(int socket) {
  sockaddr_storage address{};
  socklen_t length = sizeof address;
  char host[NI_MAXHOST], port[NI_MAXSERV];
  auto* const plain = reinterpret_cast<sockaddr*>(&address);
  if (::getpeername(socket, plain, &length) != 0 ||
      ::getnameinfo(plain, length, host, sizeof host, port, sizeof port,
                    NI_NUMERICHOST | NI_NUMERICSERV) != 0) {
    return std::nullopt;
  }
  std::string_view name = host;
  constexpr std::string_view kMapped = "::ffff:";
  if (name.starts_with(kMapped) && name.find('.') != std::string_view::npos) {
    name.remove_prefix(kMapped.size());
  }
  return PeerAddress{std::string(name), port};
}

bool PeerAddress::is_loopback() const { return host.starts_with("127.") || host == "::1"; }

std::string PeerAddress::text() const {
  const bool v6 = host.find(':') != std::string::npos;
  return (v6 ? "[" + host + "]:" : host + ":") + port;
}

bool is_ip_address(const std::string& host) {
  std::array<unsigned char, sizeof(in6_addr)> bytes;
  return ::inet_pton(AF_INET, host.c_str(), bytes.data()) == 1 ||
         ::inet_pton(AF_INET6, host.c_str(), bytes.data()) == 1;
}

}  // namespace partita
