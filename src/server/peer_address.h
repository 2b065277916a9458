// Who is at the other end of a connection.
#pragma once

#include <optional>
#include <string>

namespace partita {

struct PeerAddress {
  std::string host;  // "127.0.0.1", "::1"; an IPv4 address also when it came in over IPv6
  std::string port;

  bool is_loopback() const;
  std::string text() const;  // "127.0.0.1:50312", "[::1]:50312"
};

// Nobody when the client has gone.
std::optional<PeerAddress> peer_of(int socket);

// "127.0.0.1", "::1": an address, not a name.
bool is_ip_address(const std::string& host);

}  // namespace partita
