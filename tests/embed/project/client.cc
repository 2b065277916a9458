// The same Api over HTTP: what reads a database in this process reads one behind a server.
#include <iostream>

#include <partita/client/endpoint.h>

int main() {
  partita::client::Endpoint nobody({.url = "http://127.0.0.1:1", .attempts_max = 1});
  partita::Api& api = nobody;
  const auto listed = api.list_tables({});
  const bool told = !listed && listed.error().code() == partita::ErrorCode::ServiceUnavailable;
  std::cout << (told ? "nobody is there" : "somebody is there") << '\n';
}
