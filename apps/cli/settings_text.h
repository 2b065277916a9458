// The table of settings as text: for --help, for docs/configuring.md, as configuration files.
#pragma once

#include <string>

#include "cli/given_settings.h"
#include "cli/serve_options.h"

namespace partita {

std::string serve_help();
// A Markdown table of every setting under its three names.
std::string settings_table();
// A configuration file in which every setting stands commented out with its default.
std::string example_config();
// A configuration file with the settings that hold, each with the place it comes from.
// `engine_from` decided the engine; null when nobody did.
std::string effective_config(const GivenSettings& given, const ServeOptions& options,
                             const GivenSetting* engine_from);

}  // namespace partita
