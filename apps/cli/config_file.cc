#include "cli/config_file.h"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>

#include "cli/flags.h"
#include "cli/toml.h"

namespace partita {
namespace {

std::string place(const std::string& path, const toml::source_region& source) {
  return path + ":" + std::to_string(source.begin.line);
}

FileSetting setting_of(const toml::node& node) {
  FileSetting found;
  if (const auto* text = node.as_string()) {
    found.text = text->get();
    found.type = FileType::Text;
  } else if (const auto* number = node.as_integer()) {
    found.text = std::to_string(number->get());
    found.type = FileType::Number;
  } else if (const auto* truth = node.as_boolean()) {
    found.text = truth->get() ? "true" : "false";
    found.type = FileType::Truth;
  }
  return found;
}

}  // namespace

Result<std::vector<FileSetting>> read_config_file(const std::string& path) {
  errno = 0;
  std::ifstream file(path);
  std::ostringstream content;
  content << file.rdbuf();
  if (!file || !content) {
    const char* const why = errno != 0 ? std::strerror(errno) : "it is empty or a directory";
    return usage_error("cannot read the configuration file " + path + " (" + why +
                       "); check the path given with --config or PARTITA_CONFIG.");
  }
  const std::string text = content.str();
  const toml::parse_result parsed = toml::parse(text, path);
  if (!parsed) {
    return usage_error(place(path, parsed.error().source()) +
                       ": this is not TOML: " + std::string(parsed.error().description()) +
                       "; write one setting per line, like port = 8000 or data = \"/srv/data\".");
  }
  std::vector<FileSetting> found;
  for (const auto& [key, node] : parsed.table()) {
    const std::string name(key.str());
    if (node.is_table() || node.is_array_of_tables()) {
      return usage_error(place(path, node.source()) + ": [" + name +
                         "] is a table; settings stand at the top level, like port = 8000.");
    }
    FileSetting& setting = found.emplace_back(setting_of(node));
    setting.key = name;
    setting.where = place(path, key.source());
  }
  return found;
}

}  // namespace partita
