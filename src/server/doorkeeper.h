// Doorkeeper: who sent a request, and which Api serves it. One per event loop, used by its thread
// alone.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

#include "partita/api.h"
#include "partita/error.h"

#include "auth/verifier.h"
#include "server/callers.h"
#include "server/http_parser.h"
#include "server/server.h"

namespace partita {

// Either an Api or a refusal, for requests to the API; neither for others.
struct Admission {
  Api* api = nullptr;
  std::optional<Error> refusal{};
  bool may_see_metrics = true;  // they name the tables
};

class Doorkeeper {
 public:
  // The options outlive it.
  explicit Doorkeeper(const ServerOptions& options) : options_(options) {}

  // `body` is as it came, compressed or not: that is what is signed.
  Admission admit(const RequestHead& head, std::string_view body);

  // For requests that are not to the API: with credentials on, metrics are for this machine alone.
  Admission admit_to_pages(int socket) const;

  // With credentials on, the admin API is for keys that may do everything.
  bool admits_to_admin(const RequestHead& head, std::string_view body);

  // Keeps the Api of the last admission alive for longer than until the next.
  std::shared_ptr<const Callers> callers() const { return callers_; }

 private:
  Admission admit_known(const RequestHead& head, std::string_view body);

  const ServerOptions& options_;
  std::shared_ptr<const Callers> callers_;
  std::optional<SignatureVerifier> verifier_;  // of callers_
  std::uint64_t edition_ = 0;                  // of callers_
};

}  // namespace partita
