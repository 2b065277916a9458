// The commands of the program: what `partita --help` and completion show.
#pragma once

#include <array>
#include <string_view>

namespace partita {

inline constexpr int kExitFailure = 1;
inline constexpr int kExitUsage = 2;

struct Command {
  std::string_view name;
  std::string_view arguments;
  std::string_view meaning;
};

inline constexpr std::array kCommands = {
    Command{"serve", "[flags]", "serve http://127.0.0.1:8000, data in ./partita-data"},
    Command{"clock", "[ACTION]", "show the clock of a running server, or move it"},
    Command{"settings", "", "list every setting: flag, environment variable, key in the file"},
    Command{"example-config", "", "print a configuration file to start from"},
    Command{"completion", "SHELL", "print the completion script for bash, zsh or fish"},
    Command{"version", "", "print the version"},
    Command{"help", "", "this text"},
};

inline constexpr std::array<std::string_view, 5> kClockActions = {"show", "freeze", "set",
                                                                  "advance", "release"};

inline constexpr std::array<std::string_view, 3> kShells = {"bash", "zsh", "fish"};

}  // namespace partita
