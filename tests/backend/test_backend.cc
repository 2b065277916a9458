#include "backend/test_backend.h"

#include <cstdlib>
#include <string>
#include <string_view>

#include "partita/client/endpoint.h"
#include "partita/database.h"

#include "server/server.h"

namespace partita {
namespace {

bool over_http() {
  const char* const backend = std::getenv("PARTITA_TEST_BACKEND");
  return backend != nullptr && std::string_view(backend) == "http";
}

std::unique_ptr<Server> serve(Api& api) {
  ServerOptions options;
  options.port = 0;
  options.threads = 1;
  options.find_database = [&api](const RequestHead&) { return &api; };
  return Server::start(std::move(options)).value();
}

}  // namespace

struct TestBackend::Parts {
  std::unique_ptr<Database> database = Database::in_memory();
  std::unique_ptr<Server> server{};  // null: in this process
  std::unique_ptr<Api> endpoint{};
};

TestBackend::TestBackend() : parts_(std::make_unique<Parts>()) {
  if (!over_http()) return;
  parts_->server = serve(*parts_->database);
  parts_->endpoint = std::make_unique<client::Endpoint>(
      client::EndpointOptions{.url = "http://127.0.0.1:" + std::to_string(parts_->server->port()),
                              .credentials = {"test", "test", ""}});
}

TestBackend::~TestBackend() = default;

Api& TestBackend::operator*() const {
  return parts_->endpoint ? *parts_->endpoint : *parts_->database;
}

}  // namespace partita
