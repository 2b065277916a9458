#include "cli/admin_client.h"

#include "partita/client/endpoint.h"

#include "base/clock.h"
#include "client/http_pool.h"
#include "client/signer.h"

namespace partita {
namespace {

constexpr std::chrono::seconds kPatience{10};

std::string place_of(const AdminRequest& request) {
  const bool v6 = request.host.find(':') != std::string::npos;
  return (v6 ? "[" + request.host + "]" : request.host) + ":" + request.port;
}

Error nobody_at(const AdminRequest& request, const std::string& why) {
  return Error(ErrorCode::CannotOpen, "no server answers at " + place_of(request) + " (" + why +
                                          "); --host and --port say where it is.");
}

}  // namespace

Result<AdminResponse> ask_admin(const AdminRequest& request) {
  const std::string url = (request.tls ? "https://" : "http://") + place_of(request) + request.path;
  const auto parsed = client::parse_http_url(url);
  if (!parsed) return nobody_at(request, parsed.error().message());
  client::Signer signer(*parsed, client::region_from_environment(),
                        client::credentials_from_environment());
  const auto headers =
      signer.headers(request.method, {{"Content-Type", "text/plain"}, {"X-Partita-Admin", "1"}},
                     request.body, machine_time());
  client::HttpPool http({.url = url, .connect_timeout = kPatience, .request_timeout = kPatience});
  auto answer =
      http.send({.get = request.method == "GET", .headers = headers, .body = request.body});
  if (!answer) return nobody_at(request, answer.error().message());
  return AdminResponse{answer->status, std::move(answer->body)};
}

}  // namespace partita
