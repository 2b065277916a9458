// The settings of `partita serve`, written once. Flags, environment variables, keys of the
// configuration file, help, completion and docs/configuring.md all come from this table.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "partita/result.h"

namespace partita {

struct ServeOptions;

enum class SettingKind : std::uint8_t { Text, Path, Number, Choice, Switch };

struct SettingValue {
  std::string text;
  std::int64_t number = 0;  // of a Number
  bool on = false;          // of a Switch
};

struct Setting {
  std::string_view flag;  // "--log-level"; PARTITA_LOG_LEVEL and log_level are made from it
  SettingKind kind;
  std::string_view placeholder;  // what stands for the value in the help
  std::string_view initial;      // its value when nobody says anything; words when that depends
  std::string_view meaning;      // lines of the help
  void (*apply)(const SettingValue& value, ServeOptions& options);

  std::int64_t least = 0, most = 0;                // of a Number
  std::span<const std::string_view> choices = {};  // of a Choice
  std::string_view unlisted_choice = {};           // understood, but shown to nobody
};

std::span<const Setting> settings();

// "log_level", "PARTITA_LOG_LEVEL".
std::string key_of(const Setting& setting);
std::string environment_name_of(const Setting& setting);

// What `text` means for this setting. `where` is how the user knows it ("--port", "PARTITA_PORT",
// "partita.toml:3: port") and opens the sentence of a failure.
Result<SettingValue> read_value(const Setting& setting, std::string_view text,
                                std::string_view where);
// "whole number from 0 to 65535", "synced or relaxed": what a setting wants.
std::string wanted(const Setting& setting);

}  // namespace partita
