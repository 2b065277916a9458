#include "server/admin_api.h"

#include <algorithm>
#include <optional>
#include <string>

#include "base/ascii_text.h"
#include "base/log.h"
#include "base/time_text.h"
#include "server/peer_address.h"

namespace partita {
namespace {

constexpr std::string_view kHeader = "x-partita-admin";
constexpr std::string_view kClockPath = "/_partita/clock";

bool lists(const std::vector<std::string>& hosts, std::string_view host) {
  return std::any_of(hosts.begin(), hosts.end(),
                     [&](const std::string& one) { return equals_ignoring_case(host, one); });
}

// "localhost:8000" → "localhost", "[::1]:8000" → "::1".
std::string host_name(std::string_view host) {
  if (host.starts_with("[")) return std::string(host.substr(1, host.find(']') - 1));
  return std::string(host.substr(0, host.find(':')));
}

// A page that makes its own name point to this machine still sends that name.
bool is_our_name(const std::string& name, const ServerOptions& options) {
  return equals_ignoring_case(name, "localhost") || is_ip_address(name) ||
         (!name.empty() && equals_ignoring_case(name, options.host)) ||
         lists(options.admin_hosts, name);
}

// Why the request may not come in; empty when it may.
std::string_view refusal_of(const RequestHead& head, const ServerOptions& options,
                            AdminClient client) {
  const std::optional<PeerAddress> peer = peer_of(client.socket);
  if (!peer || !(peer->is_loopback() || lists(options.admin_hosts, peer->host) ||
                 lists(options.admin_hosts, "any"))) {
    return "The admin API serves this machine alone; --admin-hosts allows others.";
  }
  if (!is_our_name(host_name(head.host()), options)) {
    return "The admin API does not know itself by this Host; --admin-hosts adds names.";
  }
  const std::string_view site = head.find_header("sec-fetch-site");
  if (!head.find_header("origin").empty() || (!site.empty() && site != "none")) {
    return "The admin API serves no web pages.";
  }
  if (head.find_header(kHeader) != "1") return "The admin API wants the header X-Partita-Admin: 1.";
  if (!client.admitted) {
    return "The admin API wants requests signed with an access key that may do everything.";
  }
  return {};
}

// The texts are ours and need no quoting.
AdminAnswer say(int status, std::string_view message, TextBuffer& out) {
  out.append("{\"message\":\"").append(message).append("\"}\n");
  return {status};
}

AdminAnswer show(const MovableClock::Reading& reading, TextBuffer& out) {
  out.append("{\"time\":\"").append(time_text(reading.now)).append("\",\"frozen\":");
  out.append(reading.frozen ? "true" : "false").append(",\"ahead_ms\":");
  out.append(std::to_string(reading.ahead.count())).append("}\n");
  return {};
}

Result<MovableClock::Reading> move_to(std::string_view moment, bool freeze, MovableClock& clock) {
  const auto time = parse_time(moment);
  if (!time) {
    return Error::validation(
        "A moment is 2027-01-31T12:00:00Z, 2027-01-31 or seconds since 1970, up to the year 9999.");
  }
  return freeze ? clock.freeze_at(*time) : clock.set(*time);
}

// Empty: there is no such action.
std::optional<Result<MovableClock::Reading>> move_clock(std::string_view action,
                                                        std::string_view value,
                                                        MovableClock& clock) {
  if (action == "freeze" && value.empty()) return clock.freeze();
  if (action == "freeze") return move_to(value, true, clock);
  if (action == "set") return move_to(value, false, clock);
  if (action == "release") return clock.release();
  if (action != "advance") return std::nullopt;
  const auto stretch = parse_stretch(value);
  if (stretch) return clock.advance(*stretch);
  return Result<MovableClock::Reading>(
      Error::validation("A stretch of time is 90s, 1h30m, 7d, 500ms or -1d."));
}

AdminAnswer answer_clock(const RequestHead& head, std::string_view body,
                         const ServerOptions& options, TextBuffer& out) {
  std::string_view action = head.path().substr(kClockPath.size());
  if (action.empty()) {
    if (head.method() == "GET") return show(options.clock->read(), out);
    return say(405, "GET shows the clock; POST to its actions moves it.", out);
  }
  if (head.method() != "POST") return say(405, "The clock is moved with POST.", out);
  const auto moved = move_clock(action.substr(1), trimmed(body, " \t\r\n"), *options.clock);
  if (!moved) return say(404, "The clock knows freeze, set, advance and release.", out);
  if (!*moved) return say(400, moved->error().message(), out);
  if (options.log != nullptr) {
    const MovableClock::Reading& reading = **moved;
    options.log->info("clock", {{"time", time_text(reading.now)},
                                {"frozen", reading.frozen},
                                {"ahead_ms", reading.ahead.count()}});
  }
  return show(**moved, out);
}

}  // namespace

AdminAnswer answer_admin(const RequestHead& head, std::string_view body,
                         const ServerOptions& options, AdminClient client, TextBuffer& out) {
  if (const std::string_view why = refusal_of(head, options, client); !why.empty()) {
    return say(403, why, out);
  }
  const std::string_view path = head.path();
  const bool is_clock = path == kClockPath || path.starts_with(std::string(kClockPath).append("/"));
  if (is_clock && options.clock != nullptr) return answer_clock(head, body, options, out);
  return say(404, "The admin API has no such page.", out);
}

}  // namespace partita
