// GivenSettings: what the user said, in three places of which the nearer one wins:
// a flag, then the environment, then the configuration file.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "partita/result.h"

#include "cli/settings.h"

namespace partita {

enum class Layer : std::uint8_t { File, Environment, Flag };

struct GivenSetting {
  const Setting* setting = nullptr;
  SettingValue value{};
  Layer layer = Layer::File;
  std::string where{};  // "--port", "PARTITA_PORT", "partita.toml:3: port"
};

class GivenSettings {
 public:
  // Fails when the same place says it twice.
  Result<void> add(GivenSetting given);
  // What holds; null when nobody said anything. `flag` as in the table.
  const GivenSetting* find(std::string_view flag) const;

  // `words` without the flags that are no settings. `environment` has "NAME=value" entries.
  Result<void> add_flag(std::string_view flag, std::string_view value);
  Result<void> add_environment(std::span<const std::string_view> environment);
  Result<void> add_file(const std::string& path);

  // Variables that look like a mistyped one of ours, as sentences.
  const std::vector<std::string>& suspicions() const { return suspicions_; }

 private:
  std::vector<GivenSetting> given_;
  std::vector<std::string> suspicions_;
};

}  // namespace partita
