// The least a server can do: it receives whatever comes and sends the same bytes each time, without
// looking at the request. What the load reaches against it is the most that can be measured here.
//
//   bench_least_server PORT BODY_BYTES
#include <array>
#include <cstdlib>
#include <iostream>
#include <string>

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

namespace {

int listen_on(int port) {
  const int listener = ::socket(AF_INET, SOCK_STREAM, 0);
  const int on = 1;
  ::setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (::bind(listener, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0 ||
      ::listen(listener, 512) != 0) {
    std::perror("bench_least_server");
    std::exit(1);
  }
  return listener;
}

void watch(int epoll, int socket) {
  epoll_event event{};
  event.events = EPOLLIN;
  event.data.fd = socket;
  ::epoll_ctl(epoll, EPOLL_CTL_ADD, socket, &event);
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 3) return std::cerr << "bench_least_server PORT BODY_BYTES\n", 2;
  const std::string body(static_cast<std::size_t>(std::atoi(arguments[2])), 'x');
  // As many bytes of head as Partita sends.
  const std::string answer =
      "HTTP/1.1 200 OK\r\nServer: Server\r\nDate: Thu, 01 Jan 2026 00:00:00 GMT\r\n"
      "Content-Type: application/x-amz-json-1.0\r\nContent-Length: " +
      std::to_string(body.size()) +
      "\r\nConnection: keep-alive\r\nx-amzn-RequestId: " + std::string(52, 'A') +
      "\r\nx-amz-crc32: 1234567890\r\n\r\n" + body;
  const int listener = listen_on(std::atoi(arguments[1]));
  const int epoll = ::epoll_create1(0);
  watch(epoll, listener);
  std::array<epoll_event, 128> events;
  std::array<char, 65536> received;
  for (;;) {
    const int ready = ::epoll_wait(epoll, events.data(), static_cast<int>(events.size()), -1);
    for (int i = 0; i < ready; ++i) {
      int socket = events[static_cast<std::size_t>(i)].data.fd;
      if (socket == listener) {
        socket = ::accept4(listener, nullptr, nullptr, SOCK_NONBLOCK);
        const int on = 1;
        ::setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
        watch(epoll, socket);
      } else if (::recv(socket, received.data(), received.size(), 0) <= 0) {
        ::close(socket);
      } else {
        static_cast<void>(::send(socket, answer.data(), answer.size(), MSG_NOSIGNAL));
      }
    }
  }
}
