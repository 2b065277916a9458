#include "cli/given_settings.h"

#include <algorithm>

#include "cli/config_file.h"
#include "cli/flags.h"

namespace partita {
namespace {

constexpr std::string_view kPrefix = "PARTITA_";

template <typename NameOf>
const Setting* find_named(std::string_view name, NameOf name_of) {
  for (const Setting& setting : settings()) {
    if (name_of(setting) == name) return &setting;
  }
  return nullptr;
}

template <typename NameOf>
std::string nearest_name(std::string_view name, NameOf name_of) {
  std::vector<std::string> names;
  for (const Setting& setting : settings()) names.emplace_back(name_of(setting));
  const std::vector<std::string_view> choices(names.begin(), names.end());
  return std::string(nearest_word(name, choices));
}

Error unknown_key(const FileSetting& found) {
  const std::string meant = nearest_name(found.key, key_of);
  return usage_error(
      found.where + ": there is no setting '" + found.key + "'; " +
      (meant.empty() ? "`partita settings` lists them all." : "did you mean " + meant + "?"));
}

Result<void> check_type(const Setting& setting, const FileSetting& found) {
  const bool quoted = setting.kind != SettingKind::Number && setting.kind != SettingKind::Switch;
  const FileType expected = quoted                                ? FileType::Text
                            : setting.kind == SettingKind::Switch ? FileType::Truth
                                                                  : FileType::Number;
  if (found.type == expected) return {};
  std::string sentence = found.where + ": " + found.key + " is " + wanted(setting) +
                         (quoted ? " in quotes" : " without quotes");
  if (found.type != FileType::Other) {
    const std::string mark = quoted ? "\"" : "";
    sentence += "; write " + found.key + " = " + mark + found.text + mark;
  }
  return usage_error(sentence + ".");
}

}  // namespace

Result<void> GivenSettings::add(GivenSetting given) {
  const auto known = std::find_if(given_.begin(), given_.end(), [&](const GivenSetting& other) {
    return other.setting == given.setting;
  });
  if (known == given_.end()) {
    given_.push_back(std::move(given));
    return {};
  }
  if (known->layer == given.layer) {
    return usage_error(given.where + " is given twice ('" + known->value.text + "' and '" +
                       given.value.text + "'); keep one.");
  }
  if (given.layer > known->layer) *known = std::move(given);
  return {};
}

const GivenSetting* GivenSettings::find(std::string_view flag) const {
  for (const GivenSetting& given : given_) {
    if (given.setting->flag == flag) return &given;
  }
  return nullptr;
}

Result<void> GivenSettings::add_flag(std::string_view flag, std::string_view value) {
  const Setting* const setting = find_named(flag, [](const Setting& known) { return known.flag; });
  const bool is_switch = setting->kind == SettingKind::Switch;
  PARTITA_TRY(SettingValue read, read_value(*setting, is_switch ? "true" : value, flag));
  return add({setting, std::move(read), Layer::Flag, std::string(flag)});
}

Result<void> GivenSettings::add_environment(std::span<const std::string_view> environment) {
  for (const std::string_view entry : environment) {
    const std::size_t equals = entry.find('=');
    if (!entry.starts_with(kPrefix) || equals == std::string_view::npos) continue;
    const std::string name(entry.substr(0, equals));
    const std::string_view text = entry.substr(equals + 1);
    if (text.empty() || name == kConfigVariable) continue;  // empty: as if it were not there
    const Setting* const setting = find_named(name, environment_name_of);
    if (setting == nullptr) {
      // Not an error: the prefix may serve others too. The part behind it decides what is near.
      const std::string meant = nearest_name(
          std::string_view(name).substr(kPrefix.size()),
          [](const Setting& known) { return environment_name_of(known).substr(kPrefix.size()); });
      if (!meant.empty()) {
        suspicions_.push_back(name + " means nothing here; did you mean " + std::string(kPrefix) +
                              meant + "?");
      }
      continue;
    }
    PARTITA_TRY(SettingValue read, read_value(*setting, text, name));
    PARTITA_CHECK(add({setting, std::move(read), Layer::Environment, name}));
  }
  return {};
}

Result<void> GivenSettings::add_file(const std::string& path) {
  PARTITA_TRY(const std::vector<FileSetting> found, read_config_file(path));
  for (const FileSetting& entry : found) {
    const Setting* const setting = find_named(entry.key, key_of);
    if (setting == nullptr) return unknown_key(entry);
    PARTITA_CHECK(check_type(*setting, entry));
    const std::string where = entry.where + ": " + entry.key;
    PARTITA_TRY(SettingValue read, read_value(*setting, entry.text, where));
    PARTITA_CHECK(add({setting, std::move(read), Layer::File, where}));
  }
  return {};
}

}  // namespace partita
