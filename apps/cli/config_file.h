// The configuration file: TOML with settings at its top level, `port = 8000`.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "partita/result.h"

namespace partita {

// Names the file when no flag --config does.
inline constexpr std::string_view kConfigVariable = "PARTITA_CONFIG";

enum class FileType : std::uint8_t { Text, Number, Truth, Other };

struct FileSetting {
  std::string key;
  std::string text;  // its value, a text without its quotes
  FileType type = FileType::Other;
  std::string where;  // "partita.toml:3"
};

// Fails with one sentence that names the file and the line.
Result<std::vector<FileSetting>> read_config_file(const std::string& path);

}  // namespace partita
