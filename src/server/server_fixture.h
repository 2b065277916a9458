// For tests: a server over real sockets, with a TestApi behind it.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "server/server.h"
#include "server/test_api.h"
#include "server/test_client.h"

namespace partita {

class ServerTest : public testing::Test {
 protected:
  void start(ServerLimits limits = {}, unsigned threads = 2) {
    ServerOptions options;
    options.port = 0;
    options.threads = threads;
    options.limits = limits;
    options.waiting_targets = waiting_targets_;
    options.serve_unsigned = serve_unsigned_;
    options.find_database = [this](const RequestHead&) { return &api_; };
    auto server = Server::start(std::move(options));
    ASSERT_TRUE(server) << server.error().message();
    server_ = std::move(*server);
  }
  TestClient connect() { return TestClient(server_->port()); }

  TestApi api_;
  std::vector<std::string> waiting_targets_;
  bool serve_unsigned_ = false;
  std::unique_ptr<Server> server_;
};

}  // namespace partita
