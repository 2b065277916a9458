#include "cli/serve_options.h"

#include <optional>

#include "cli/config_file.h"
#include "cli/flags.h"
#include "cli/given_settings.h"
#include "cli/settings_text.h"

namespace partita {
namespace {

constexpr ServeCommandFlag kCommandFlags[] = {
    {"--config", "FILE", "read settings from this TOML file"},
    {"--print-config", "", "show the settings that hold and where they come from, and end"},
    {"--help", "", "this text"},
};

std::vector<FlagRule> flag_rules() {
  std::vector<FlagRule> rules;
  for (const Setting& setting : settings()) {
    rules.push_back({setting.flag, setting.kind != SettingKind::Switch});
  }
  for (const ServeCommandFlag& flag : kCommandFlags) {
    rules.push_back({flag.flag, !flag.placeholder.empty()});
  }
  rules.push_back({"-h", false, /*hidden=*/true});
  return rules;
}

// Reads the flags; those that are no settings go into `options` and `config`.
Result<void> take_flags(std::span<const std::string_view> words, GivenSettings& given,
                        ServeOptions& options, std::string& config) {
  const std::vector<FlagRule> rules = flag_rules();
  for (FlagReader flags(rules, words); !flags.done();) {
    PARTITA_TRY(const Flag flag, flags.next());
    if (flag.name == "--help" || flag.name == "-h") {
      options.help = true;
    } else if (flag.name == "--print-config") {
      options.print_config = true;
    } else if (flag.name == "--config") {
      if (flag.value.empty()) return usage_error("--config needs a value.");
      config = flag.value;
    } else {
      PARTITA_CHECK(given.add_flag(flag.name, flag.value));
    }
  }
  return {};
}

std::string config_in(std::span<const std::string_view> environment) {
  for (const std::string_view entry : environment) {
    if (entry.starts_with(kConfigVariable) &&
        entry.substr(kConfigVariable.size()).starts_with("=")) {
      return std::string(entry.substr(kConfigVariable.size() + 1));
    }
  }
  return {};
}

bool is_loopback(std::string_view host) {
  const bool numbers = host.find_first_not_of("0123456789.") == std::string_view::npos;
  return host == "localhost" || host == "::1" || (numbers && host.starts_with("127."));
}

// in-memory, engine and data speak of one thing: the nearest place that speaks of the engine
// decides, and a data directory named farther away than a choice of memory is not looked at.
// Returns what decided; null when nobody spoke of the engine.
Result<const GivenSetting*> choose_engine(const GivenSettings& given, Options& database) {
  const GivenSetting* const engine = given.find("--engine");
  const GivenSetting* const in_memory = given.find("--in-memory");
  const GivenSetting* const data = given.find("--data");
  const bool asked = in_memory != nullptr && in_memory->value.on;
  const bool on_disk = engine != nullptr && engine->value.text == "rocksdb";
  if (asked && on_disk && engine->layer == in_memory->layer) {
    return usage_error(in_memory->where + " and " + engine->where +
                       " rocksdb exclude each other; keep one.");
  }
  const GivenSetting* decider = asked ? in_memory : nullptr;
  if (engine != nullptr && (decider == nullptr || engine->layer > decider->layer)) decider = engine;
  if (decider != nullptr) {
    ServeOptions chosen;
    decider->setting->apply(decider->value, chosen);
    database.engine = chosen.database.engine;
  }
  if (database.engine == EngineKind::Rocksdb) {
    if (database.data_directory.empty()) database.data_directory = "./partita-data";
    return decider;
  }
  if (data != nullptr && data->layer >= decider->layer) {
    return usage_error(data->where + " has no meaning for data that is kept in memory (" +
                       decider->where + "); leave one of them out.");
  }
  database.data_directory.clear();
  return decider;
}

}  // namespace

std::span<const ServeCommandFlag> serve_command_flags() { return kCommandFlags; }

Result<ServeOptions> parse_serve_options(std::span<const std::string_view> words,
                                         std::span<const std::string_view> environment) {
  ServeOptions options;
  GivenSettings given;
  std::string config = config_in(environment);
  PARTITA_CHECK(take_flags(words, given, options, config));
  if (options.help) return options;
  PARTITA_CHECK(given.add_environment(environment));
  if (!config.empty()) PARTITA_CHECK(given.add_file(config));

  for (const Setting& setting : settings()) {
    const GivenSetting* const found = given.find(setting.flag);
    if (found != nullptr) setting.apply(found->value, options);
  }
  options.database.engine = EngineKind::Rocksdb;
  PARTITA_TRY(const GivenSetting* const decider, choose_engine(given, options.database));
  options.warnings = given.suspicions();
  options.effective_config = effective_config(given, options, decider);
  if (!options.credentials.empty() && options.allow_anonymous) {
    return usage_error(given.find("--credentials")->where + " and " +
                       given.find("--allow-anonymous")->where + " exclude each other; keep one.");
  }
  if (!is_loopback(options.host) && !options.allow_anonymous && options.credentials.empty()) {
    return usage_error("anyone who can reach " + options.host +
                       " could read and change all data; give --credentials FILE "
                       "(docs/security.md), or --allow-anonymous if that is what you want.");
  }
  return options;
}

}  // namespace partita
