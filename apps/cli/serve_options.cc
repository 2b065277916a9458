#include "cli/serve_options.h"

#include <array>
#include <optional>

#include "cli/flags.h"

namespace partita {
namespace {

constexpr std::array kFlags = {
    FlagRule{"--host"},           FlagRule{"--port"},
    FlagRule{"--data"},           FlagRule{"--in-memory", false},
    FlagRule{"--durability"},     FlagRule{"--engine"},
    FlagRule{"--table-delay-ms"}, FlagRule{"--threads"},
    FlagRule{"--log-level"},      FlagRule{"--allow-anonymous", false},
    FlagRule{"--help", false},    FlagRule{"-h", false, true},
};

constexpr std::int64_t kTableDelayMsMax = 24 * 60 * 60 * 1000;
constexpr std::int64_t kThreadsMax = 1024;

// What the flags say, before they are looked at together.
struct Given {
  ServeOptions options;
  std::optional<EngineKind> engine;
  bool in_memory = false;
  bool allow_anonymous = false;
};

Error bad_choice(const Flag& flag, std::string_view choices) {
  return usage_error(std::string(flag.name) + " is " + std::string(choices) + ", not '" +
                     std::string(flag.value) + "'.");
}

Result<void> take_engine(const Flag& flag, Given& given) {
  if (flag.value == "rocksdb") {
    given.engine = EngineKind::Rocksdb;
  } else if (flag.value == "memory") {
    given.engine = EngineKind::Memory;
  } else if (flag.value == "rehearsal") {  // for our own tests, so not in the help
    given.engine = EngineKind::Rehearsal;
  } else {
    return bad_choice(flag, "rocksdb or memory");
  }
  return {};
}

Result<void> take_durability(const Flag& flag, Given& given) {
  if (flag.value == "synced") {
    given.options.database.durability = Durability::Synced;
  } else if (flag.value == "relaxed") {
    given.options.database.durability = Durability::Relaxed;
  } else {
    return bad_choice(flag, "synced or relaxed");
  }
  return {};
}

Result<void> take_log_level(const Flag& flag, Given& given) {
  const std::optional<LogLevel> level = find_log_level(flag.value);
  if (!level) return bad_choice(flag, "debug, info, warning, error or off");
  given.options.log_level = *level;
  return {};
}

Result<void> take_text(const Flag& flag, std::string& text) {
  if (flag.value.empty()) return usage_error(std::string(flag.name) + " needs a value.");
  text = flag.value;
  return {};
}

Result<void> take_number(const Flag& flag, Given& given) {
  if (flag.name == "--port") {
    PARTITA_TRY(const std::int64_t port, flag_number(flag, 0, 65535));
    given.options.port = static_cast<std::uint16_t>(port);
  } else if (flag.name == "--threads") {
    PARTITA_TRY(const std::int64_t threads, flag_number(flag, 1, kThreadsMax));
    given.options.threads = static_cast<unsigned>(threads);
  } else {
    PARTITA_TRY(const std::int64_t delay, flag_number(flag, 0, kTableDelayMsMax));
    given.options.database.table_delay = std::chrono::milliseconds(delay);
  }
  return {};
}

Result<void> take(const Flag& flag, Given& given) {
  if (flag.name == "--host") return take_text(flag, given.options.host);
  if (flag.name == "--data") return take_text(flag, given.options.database.data_directory);
  if (flag.name == "--durability") return take_durability(flag, given);
  if (flag.name == "--engine") return take_engine(flag, given);
  if (flag.name == "--log-level") return take_log_level(flag, given);
  if (flag.name == "--in-memory") {
    given.in_memory = true;
  } else if (flag.name == "--allow-anonymous") {
    given.allow_anonymous = true;
  } else if (flag.name == "--help" || flag.name == "-h") {
    given.options.help = true;
  } else {
    return take_number(flag, given);
  }
  return {};
}

bool is_loopback(std::string_view host) {
  const bool numbers = host.find_first_not_of("0123456789.") == std::string_view::npos;
  return host == "localhost" || host == "::1" || (numbers && host.starts_with("127."));
}

Result<void> choose_engine(Given& given) {
  Options& database = given.options.database;
  if (given.in_memory && given.engine == EngineKind::Rocksdb) {
    return usage_error("--in-memory and --engine rocksdb exclude each other.");
  }
  database.engine =
      given.engine.value_or(given.in_memory ? EngineKind::Memory : EngineKind::Rocksdb);
  if (database.engine == EngineKind::Rocksdb) {
    if (database.data_directory.empty()) database.data_directory = "./partita-data";
  } else if (!database.data_directory.empty()) {
    return usage_error("--data has no meaning for data that is kept in memory.");
  }
  return {};
}

}  // namespace

Result<ServeOptions> parse_serve_options(std::span<const std::string_view> words) {
  Given given;
  for (FlagReader flags(kFlags, words); !flags.done();) {
    PARTITA_TRY(const Flag flag, flags.next());
    PARTITA_CHECK(take(flag, given));
  }
  if (given.options.help) return std::move(given.options);
  PARTITA_CHECK(choose_engine(given));
  if (!is_loopback(given.options.host) && !given.allow_anonymous) {
    return usage_error("anyone who can reach " + given.options.host +
                       " could read and change all data, as there are no credentials yet; add "
                       "--allow-anonymous if that is what you want.");
  }
  return std::move(given.options);
}

}  // namespace partita
