// partita: the program. Chooses the command; cli/ has one file for each.
#include <iostream>
#include <string>
#include <string_view>
#include <vector>

#include "cli/clock.h"
#include "cli/commands.h"
#include "cli/completion.h"
#include "cli/flags.h"
#include "cli/serve.h"
#include "cli/settings_text.h"
#include "cli/version.h"

namespace {

std::string help() {
  std::string text = "Partita is a database that speaks the DynamoDB API.\n\nUsage:\n";
  for (const partita::Command& command : partita::kCommands) {
    std::string line = "  partita " + std::string(command.name);
    if (!command.arguments.empty()) line.append(" ").append(command.arguments);
    line.resize(29, ' ');
    text.append(line).append(command.meaning).append("\n");
  }
  return text + "\n`partita serve --help` explains the flags of serve.\n";
}

int complain(const std::string& sentence) {
  std::cerr << "partita: " << sentence << '\n';
  return partita::kExitUsage;
}

int complete(const std::vector<std::string_view>& words) {
  if (words.size() != 2) {
    return complain("completion needs the name of a shell: partita completion bash, zsh or fish.");
  }
  const auto script = partita::completion_script(words[1]);
  if (!script) return complain(script.error().message());
  std::cout << *script;
  return 0;
}

int unknown_command(std::string_view name) {
  std::vector<std::string_view> names;
  for (const partita::Command& command : partita::kCommands) names.push_back(command.name);
  names.insert(names.end(), {"--help", "--version"});
  const std::string_view meant = partita::nearest_word(name, names);
  if (meant.empty() && name.starts_with('-')) {
    return complain("flags follow a command: partita serve " + std::string(name));
  }
  std::string sentence = "there is no command '" + std::string(name) + "'; ";
  return complain(sentence + (meant.empty() ? "see partita --help."
                                            : "did you mean '" + std::string(meant) + "'?"));
}

}  // namespace

int main(int argument_count, char** arguments) {
  const std::vector<std::string_view> words(arguments + 1, arguments + argument_count);
  const std::string_view command = words.empty() ? "help" : words[0];
  if (command == "serve") return partita::serve({words.begin() + 1, words.end()});
  if (command == "clock") return partita::clock({words.begin() + 1, words.end()});
  if (command == "completion") return complete(words);
  if (command == "--help" || command == "-h" || command == "help") {
    const std::string_view about = words.size() > 1 ? words[1] : "";
    std::cout << (about == "serve"   ? partita::serve_help()
                  : about == "clock" ? partita::clock_help()
                                     : help());
  } else if (command == "--version" || command == "version") {
    std::cout << "partita " << partita::version() << '\n';
  } else if (command == "settings") {
    std::cout << partita::settings_table();
  } else if (command == "example-config") {
    std::cout << partita::example_config();
  } else {
    return unknown_command(command);
  }
  return 0;
}
