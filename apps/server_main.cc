// partita: the program. Chooses the command; cli/ has one file for each.
#include <iostream>
#include <string_view>
#include <vector>

#include "cli/flags.h"
#include "cli/serve.h"
#include "cli/version.h"

namespace {

constexpr std::string_view kHelp = R"(Partita is a database that speaks the DynamoDB API.

Usage:
  partita serve [flags]    serve http://127.0.0.1:8000, data in ./partita-data
  partita serve --help     all flags of serve
  partita --version
  partita --help
)";

}  // namespace

int main(int argument_count, char** arguments) {
  const std::vector<std::string_view> words(arguments + 1, arguments + argument_count);
  if (words.empty() || words[0] == "--help" || words[0] == "-h" || words[0] == "help") {
    std::cout << kHelp;
    return 0;
  }
  if (words[0] == "--version" || words[0] == "version") {
    std::cout << "partita " << partita::version() << '\n';
    return 0;
  }
  if (words[0] == "serve") return partita::serve({words.begin() + 1, words.end()});

  const std::string_view meant = partita::nearest_word(words[0], {"serve", "--help", "--version"});
  std::cerr << "partita: there is no command '" << words[0] << "'";
  if (!meant.empty()) std::cerr << "; did you mean '" << meant << "'?";
  std::cerr << (meant.empty() ? "; see partita --help.\n" : "\n");
  return 2;
}
