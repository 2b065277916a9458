#include "cli/clock.h"

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <span>

#include "cli/admin_client.h"
#include "cli/commands.h"
#include "cli/flags.h"

namespace partita {
namespace {

constexpr FlagRule kFlags[] = {
    {"--host"}, {"--port"}, {"--tls", false}, {"--help", false}, {"-h", false, true}};

struct ClockCommand {
  std::string host = "127.0.0.1";
  std::string port = "8000";
  std::string action = "show";
  std::string value;
  bool tls = false;
  bool help = false;
};

std::string from_environment(const char* name, std::string otherwise) {
  const char* const value = std::getenv(name);
  return value != nullptr && *value != '\0' ? value : otherwise;
}

// Flags and words may come in any order. "-1d" is a value, not a flag.
Result<ClockCommand> parse(std::span<const std::string_view> words) {
  ClockCommand command;
  command.host = from_environment("PARTITA_HOST", command.host);
  command.port = from_environment("PARTITA_PORT", command.port);
  std::vector<std::string_view> flags, plain;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string_view word = words[i];
    const bool is_flag = word.starts_with("--") || word == "-h";
    (is_flag ? flags : plain).push_back(word);
    if ((word == "--host" || word == "--port") && i + 1 < words.size()) flags.push_back(words[++i]);
  }
  for (FlagReader reader(kFlags, flags); !reader.done();) {
    PARTITA_TRY(const Flag flag, reader.next());
    if (flag.name == "--host") command.host = flag.value;
    if (flag.name == "--port") {
      PARTITA_CHECK(flag_number(flag, 1, 65535));
      command.port = flag.value;
    }
    if (flag.name == "--tls") command.tls = true;
    if (flag.name == "--help" || flag.name == "-h") command.help = true;
  }
  if (!plain.empty()) command.action = plain[0];
  if (plain.size() > 1) command.value = plain[1];
  if (std::find(kClockActions.begin(), kClockActions.end(), command.action) ==
      kClockActions.end()) {
    const std::string_view meant = nearest_word(command.action, kClockActions);
    return usage_error("the clock does not know '" + command.action + "'; " +
                       (meant.empty() ? "see partita clock --help."
                                      : "did you mean '" + std::string(meant) + "'?"));
  }
  const bool wants_value = command.action == "set" || command.action == "advance";
  const bool takes_value = wants_value || command.action == "freeze";
  if (wants_value && command.value.empty()) {
    return usage_error("partita clock " + command.action + " needs " +
                       (command.action == "set" ? "a moment." : "a stretch of time."));
  }
  if (plain.size() > 2 || (!takes_value && !command.value.empty())) {
    return usage_error("'" + std::string(plain.back()) +
                       "' is too much; see partita clock --help.");
  }
  return command;
}

}  // namespace

std::string clock_help() {
  return "Shows the clock of a running server, or moves it: expiry, request tokens, timestamps "
         "and\n"
         "delays follow at once. The clock is back at the machine's time after a restart.\n\n"
         "Usage:\n"
         "  partita clock [show]             what it shows\n"
         "  partita clock freeze [MOMENT]    stop it, here or there\n"
         "  partita clock set MOMENT         move it: 2027-01-31T12:00:00Z, 2027-01-31, "
         "1801396800\n"
         "  partita clock advance STRETCH    move it on: 90s, 1h30m, 7d; or back: -1d\n"
         "  partita clock release            back to the machine's time\n\n"
         "  --host HOST            where the server is (PARTITA_HOST, 127.0.0.1)\n"
         "  --port PORT            its port (PARTITA_PORT, 8000)\n"
         "  --tls                  it speaks HTTPS; SSL_CERT_FILE names who may vouch for it, if\n"
         "                         the system does not know them\n\n"
         "A server with --credentials wants AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, and "
         "AWS_REGION\n"
         "if it is not us-east-1, of a key that may do everything.\n";
}

int clock(const std::vector<std::string_view>& words) {
  const auto command = parse(words);
  if (!command) {
    std::cerr << "partita: " << command.error().message() << '\n';
    return kExitUsage;
  }
  if (command->help) {
    std::cout << clock_help();
    return 0;
  }
  const bool show = command->action == "show";
  const auto answer = ask_admin({.host = command->host,
                                 .port = command->port,
                                 .tls = command->tls,
                                 .method = show ? "GET" : "POST",
                                 .path = "/_partita/clock" + (show ? "" : "/" + command->action),
                                 .body = command->value});
  if (!answer) {
    std::cerr << "partita: " << answer.error().message() << '\n';
    return kExitFailure;
  }
  (answer->status == 200 ? std::cout : std::cerr) << answer->body;
  return answer->status == 200 ? 0 : kExitFailure;
}

}  // namespace partita
