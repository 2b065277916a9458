#include "server/doorkeeper.h"

#include <array>
#include <cstring>
#include <utility>

#include <netinet/in.h>
#include <sys/socket.h>

#include "base/clock.h"

namespace partita {
namespace {

bool is_from_this_machine(int socket) {
  sockaddr_storage address{};
  socklen_t length = sizeof address;
  if (::getpeername(socket, reinterpret_cast<sockaddr*>(&address), &length) != 0) return false;
  if (address.ss_family == AF_INET) {
    sockaddr_in v4;
    std::memcpy(&v4, &address, sizeof v4);
    return ntohl(v4.sin_addr.s_addr) >> 24 == 127;
  }
  if (address.ss_family != AF_INET6) return false;
  sockaddr_in6 v6;
  std::memcpy(&v6, &address, sizeof v6);
  const unsigned char* const bytes = v6.sin6_addr.s6_addr;
  return IN6_IS_ADDR_LOOPBACK(&v6.sin6_addr) ||
         (IN6_IS_ADDR_V4MAPPED(&v6.sin6_addr) && bytes[12] == 127);
}

}  // namespace

Admission Doorkeeper::admit(const RequestHead& head, std::string_view body) {
  if (options_.callers != nullptr) return admit_known(head, body);
  if (!options_.serve_unsigned) {
    Result<void> claimed = check_claim({head.authorization(), head.query(), head.date()});
    if (!claimed) [[unlikely]]
      return {.refusal = std::move(claimed).error()};
  }
  Api* const api = options_.find_database(head);
  if (api != nullptr) [[likely]]
    return {.api = api};
  return {.refusal = Error(ErrorCode::UnrecognizedClient,
                           "The security token included in the request is invalid.")};
}

Admission Doorkeeper::admit_to_pages(int socket) const {
  return {.may_see_metrics = options_.callers == nullptr || is_from_this_machine(socket)};
}

bool Doorkeeper::admits_to_admin(const RequestHead& head, std::string_view body) {
  if (options_.callers == nullptr) return true;
  const Admission admission = admit_known(head, body);
  return admission.api != nullptr && admission.api == options_.find_database(head);
}

Admission Doorkeeper::admit_known(const RequestHead& head, std::string_view body) {
  if (const std::uint64_t edition = options_.callers->edition(); edition != edition_) {
    verifier_.reset();
    callers_ = options_.callers->current();
    verifier_.emplace(callers_->keys);
    edition_ = edition;
  }
  std::array<HeaderField, kHeaderCountMax> headers;
  for (std::size_t i = 0; i < head.header_count(); ++i) {
    headers[i] = {head.header_name(i), head.header_value(i)};
  }
  Result<const AccessKey*> key = verifier_->verify(
      {.method = head.method(),
       .path = head.path(),
       .query = head.query(),
       .headers = std::span<const HeaderField>(headers).first(head.header_count()),
       .body = body},
      {head.authorization(), head.query(), head.date()},
      std::chrono::system_clock::to_time_t(machine_time()));
  if (!key) return {.refusal = std::move(key).error()};
  return {.api = callers_->api_of(**key)};
}

}  // namespace partita
