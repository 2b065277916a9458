// Listener: accepts connections and gives each to the event loop that has the fewest.
//
// One listener for all loops rather than one each (SO_REUSEPORT): with the handful of connections
// an SDK opens, the kernel's hashing often leaves a core without any.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "partita/result.h"

#include "server/event_loop.h"
#include "server/poller.h"

namespace partita {

// A socket that listens on host and port, and does not block.
Result<int> open_listening_socket(const std::string& host, std::uint16_t port);
std::uint16_t port_of_socket(int socket);

class Listener final : public Pollable {
 public:
  // Takes over the socket. Lives on the first loop's thread.
  Listener(std::vector<std::unique_ptr<EventLoop>>& loops, int socket, ServerMetrics& metrics,
           Log* log);
  ~Listener();

  // Any thread.
  void start();
  // Takes what clients have already opened, then closes; `done` runs afterwards.
  void stop(std::function<void()> done);

  void on_ready(Readiness) override;

 private:
  void accept_all();
  void back_off();
  void resume();
  void close();
  EventLoop& least_loaded();
  bool at_capacity() const;

  std::vector<std::unique_ptr<EventLoop>>& loops_;
  Poller& poller_;
  int socket_;  // -1 once closed
  Poller::Timer back_off_timer_;
  ServerMetrics& metrics_;
  Log* log_;
  bool refused_before_ = false;  // the last accept failed, and the log has it
};

}  // namespace partita
