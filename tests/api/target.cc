#include "target.h"

#include <filesystem>

#include <stdlib.h>

#include "partita/client/endpoint.h"
#include "partita/database.h"

#include "server/server.h"

namespace partita::testing {
namespace {

// A directory for one run, gone with the object.
class ScratchDirectory {
 public:
  ScratchDirectory() {
    std::string pattern = std::filesystem::temp_directory_path() / "partita-api-XXXXXX";
    if (::mkdtemp(pattern.data()) != nullptr) path_ = pattern;
  }
  ~ScratchDirectory() {
    std::error_code ignored;
    if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
  }
  ScratchDirectory(const ScratchDirectory&) = delete;
  ScratchDirectory& operator=(const ScratchDirectory&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

class OwnTarget final : public Target {
 public:
  // Returns why it could not be started, or nothing.
  std::string start(const TargetOptions& options) {
    Options database_options;
    database_options.data_directory = directory_.path() + "/data";
    if (options.engine == "memory") {
      database_options.engine = EngineKind::Memory;
    } else if (options.engine == "rehearsal") {
      database_options.engine = EngineKind::Rehearsal;
    } else if (options.engine != "rocksdb") {
      return "there is no engine " + options.engine;
    }
    if (options.lagged) database_options.index_lag = std::chrono::hours(1);
    auto database = Database::open(std::move(database_options));
    if (!database) return database.error().message();
    database_ = *std::move(database);
    if (!options.http && !options.client) {
      transport_ = embedded_transport(*database_, *database_);
      return "";
    }
    ServerOptions server_options;
    server_options.port = 0;
    server_options.threads = 2;
    server_options.find_database = [this](const RequestHead&) { return database_.get(); };
    auto server = Server::start(std::move(server_options));
    if (!server) return server.error().message();
    server_ = *std::move(server);
    if (options.client) {
      // What is refused is part of the answer, so nothing is tried again.
      endpoint_ = std::make_unique<client::Endpoint>(
          client::EndpointOptions{.url = "http://127.0.0.1:" + std::to_string(server_->port()),
                                  .credentials = {"test", "test", ""},
                                  .attempts_max = 1});
      transport_ = embedded_transport(*endpoint_, *database_);
      return "";
    }
    transport_ = http_transport("127.0.0.1", std::to_string(server_->port()));
    return "";
  }

  Transport& transport() override { return *transport_; }

 private:
  ScratchDirectory directory_;  // first, so that it is removed last
  std::unique_ptr<Database> database_;
  std::unique_ptr<Server> server_;
  std::unique_ptr<Api> endpoint_;
  std::unique_ptr<Transport> transport_;
};

}  // namespace

std::unique_ptr<Target> start_target(const TargetOptions& options, std::string& problem) {
  auto target = std::make_unique<OwnTarget>();
  problem = target->start(options);
  if (!problem.empty()) return nullptr;
  return target;
}

}  // namespace partita::testing
