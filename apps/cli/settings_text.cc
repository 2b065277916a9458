#include "cli/settings_text.h"

#include <algorithm>
#include <cstdio>
#include <vector>

namespace partita {
namespace {

constexpr std::size_t kHelpColumn = 25;

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  for (std::size_t start = 0; start <= text.size();) {
    const std::size_t end = std::min(text.find('\n', start), text.size());
    lines.push_back(text.substr(start, end - start));
    start = end + 1;
  }
  return lines;
}

// "  --port PORT            port to listen on (8000)".
void append_help(std::string_view flag, std::string_view placeholder, std::string_view meaning,
                 std::string_view initial, std::string& out) {
  std::string left = "  " + std::string(flag);
  if (!placeholder.empty()) left.append(" ").append(placeholder);
  left.resize(std::max(left.size() + 1, kHelpColumn), ' ');
  bool first = true;
  for (const std::string_view line : lines_of(meaning)) {
    out += first ? left : std::string(kHelpColumn, ' ');
    out += line;
    if (first && !initial.empty()) out.append(" (").append(initial).append(")");
    out += '\n';
    first = false;
  }
}

bool is_number(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

bool is_quoted(const Setting& setting) {
  return setting.kind != SettingKind::Number && setting.kind != SettingKind::Switch;
}

std::string as_toml(const Setting& setting, std::string_view text) {
  if (!is_quoted(setting)) return std::string(text);
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') quoted += '\\';
    if (static_cast<unsigned char>(c) < ' ' || c == 0x7F) {
      char escape[8];
      std::snprintf(escape, sizeof escape, "\\u%04X", static_cast<unsigned>(c));
      quoted += escape;
    } else {
      quoted += c;
    }
  }
  return quoted + "\"";
}

// A default that is a value; those of --threads and --credentials are words.
bool has_plain_default(const Setting& setting) {
  if (setting.kind == SettingKind::Path && setting.initial == "none") return false;
  return setting.kind != SettingKind::Number || is_number(setting.initial);
}

// For one that has no such default.
std::string sample_value(const Setting& setting) {
  return setting.kind == SettingKind::Number ? "2" : as_toml(setting, "/path/to/file");
}

std::string in_table(std::string_view text) {
  std::string cell(text);
  for (std::size_t at; (at = cell.find('\n')) != std::string::npos;) cell.replace(at, 1, "; ");
  return cell;
}

// "partita.toml:3: port" → "partita.toml:3": the key stands on the line already.
std::string_view origin(const GivenSetting& given) {
  const std::string_view where = given.where;
  return given.layer == Layer::File ? where.substr(0, where.rfind(": ")) : where;
}

void append_setting(std::string line, std::string_view where, std::string& out) {
  constexpr std::size_t kOriginColumn = 36;
  line.resize(std::max(line.size() + 2, kOriginColumn), ' ');
  out.append(line).append("# ").append(where).append("\n");
}

}  // namespace

std::string serve_help() {
  std::string out =
      "Serves the DynamoDB API over HTTP until it is told to stop (Ctrl-C or SIGTERM).\n\n"
      "Usage: partita serve [flags]\n\n";
  for (const Setting& setting : settings()) {
    const bool is_switch = setting.kind == SettingKind::Switch;
    append_help(setting.flag, setting.placeholder, setting.meaning,
                is_switch ? "" : setting.initial, out);
  }
  out += '\n';
  for (const ServeCommandFlag& flag : serve_command_flags()) {
    append_help(flag.flag, flag.placeholder, flag.meaning, "", out);
  }
  return out +
         "\nA value may also be written --flag=value. Every setting can also come from the\n"
         "environment (PARTITA_PORT=9000) or from the file (port = 9000); a flag wins over the\n"
         "environment, the environment over the file. `partita settings` lists all names.\n";
}

std::string settings_table() {
  std::string out =
      "| Flag | Environment | Key in the file | Default | Meaning |\n|---|---|---|---|---|\n";
  for (const Setting& setting : settings()) {
    const std::string initial = has_plain_default(setting)
                                    ? "`" + as_toml(setting, setting.initial) + "`"
                                    : std::string(setting.initial);
    std::string flag(setting.flag);
    if (!setting.placeholder.empty()) flag.append(" ").append(setting.placeholder);
    out += "| `" + flag + "` | `" + environment_name_of(setting) + "` | `" + key_of(setting) +
           "` | " + initial + " | " + in_table(setting.meaning) + " |\n";
  }
  return out;
}

std::string example_config() {
  std::string out =
      "# Settings of Partita: partita serve --config FILE\n"
      "# What is commented out has the value it shows. Flags and the environment win over this "
      "file.\n";
  for (const Setting& setting : settings()) {
    out += '\n';
    for (const std::string_view line : lines_of(setting.meaning)) {
      out.append("# ").append(line).append("\n");
    }
    out += "# " + key_of(setting) + " = " +
           (has_plain_default(setting)
                ? as_toml(setting, setting.initial)
                : sample_value(setting) + "    # default: " + std::string(setting.initial)) +
           "\n";
  }
  return out;
}

std::string effective_config(const GivenSettings& given, const ServeOptions& options,
                             const GivenSetting* engine_from) {
  std::string out;
  const bool on_disk = options.database.engine == EngineKind::Rocksdb;
  for (const Setting& setting : settings()) {
    const std::string key = key_of(setting);
    const GivenSetting* const found = given.find(setting.flag);
    if (setting.flag == "--in-memory") continue;  // the engine tells
    if (setting.flag == "--engine") {
      append_setting("engine = " + as_toml(setting, on_disk ? "rocksdb" : "memory"),
                     engine_from != nullptr ? origin(*engine_from) : "default", out);
    } else if (setting.flag == "--data" && !on_disk) {
      append_setting("# data", "not used: the data is kept in memory", out);
    } else if (found != nullptr) {
      append_setting(key + " = " + as_toml(setting, found->value.text), origin(*found), out);
    } else if (has_plain_default(setting)) {
      append_setting(key + " = " + as_toml(setting, setting.initial), "default", out);
    } else {
      append_setting("# " + key, std::string(setting.initial) + " (default)", out);
    }
  }
  return out;
}

}  // namespace partita
