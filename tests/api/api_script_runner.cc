// Runs API scripts: api_script_runner [--engine E] [--http | --client] [--lagged] [--endpoint
// HOST:PORT] script.api…
//
// Each script gets a fresh database in this process, called directly, over HTTP or through
// client::Endpoint; --endpoint sends the same requests to any other DynamoDB instead, which is how
// a script itself is checked. --lagged lets global indexes lag behind for as long as nobody looks
// at them.
#include <iostream>
#include <string>
#include <string_view>
#include <vector>

#include "api_script.h"
#include "script_run.h"
#include "target.h"

namespace partita::testing {
namespace {

struct Arguments {
  TargetOptions target;
  std::string endpoint;
  std::vector<std::string> scripts;
};

bool read_arguments(int argc, char** argv, Arguments& arguments) {
  for (int i = 1; i < argc; ++i) {
    const std::string_view word = argv[i];
    if (word == "--http") {
      arguments.target.http = true;
    } else if (word == "--client") {
      arguments.target.client = true;
    } else if (word == "--lagged") {
      arguments.target.lagged = true;
    } else if (word == "--engine" && i + 1 < argc) {
      arguments.target.engine = argv[++i];
    } else if (word == "--endpoint" && i + 1 < argc) {
      arguments.endpoint = argv[++i];
    } else if (word.starts_with("--")) {
      return false;
    } else {
      arguments.scripts.emplace_back(word);
    }
  }
  return !arguments.scripts.empty();
}

struct Total {
  int requests = 0;
  int failures = 0;
};

void run_script(const ApiScript& script, Transport& transport, Total& total) {
  ScriptRun run(script, transport);
  run.run();
  if (run.requests() == 0) {
    std::cout << script.path << ": no request in it\n";
    ++total.failures;
  }
  total.requests += run.requests();
  total.failures += run.failures();
}

void run_path(const std::string& path, const Arguments& arguments, Total& total) {
  ApiScript script;
  if (const auto problem = read_api_script(path, script)) {
    std::cout << path << ":" << problem->line << ": " << problem->message << '\n';
    ++total.failures;
    return;
  }
  if (!arguments.endpoint.empty()) {
    const std::size_t colon = arguments.endpoint.rfind(':');
    const auto transport =
        http_transport(arguments.endpoint.substr(0, colon),
                       colon == std::string::npos ? "80" : arguments.endpoint.substr(colon + 1));
    return run_script(script, *transport, total);
  }
  std::string problem;
  const auto target = start_target(arguments.target, problem);
  if (!target) {
    std::cout << "no database to run against: " << problem << '\n';
    ++total.failures;
    return;
  }
  run_script(script, target->transport(), total);
}

}  // namespace
}  // namespace partita::testing

int main(int argc, char** argv) {
  partita::testing::Arguments arguments;
  if (!partita::testing::read_arguments(argc, argv, arguments)) {
    std::cerr << "usage: api_script_runner [--engine memory|rocksdb|rehearsal] [--http|--client]\n"
                 "                         [--lagged]"
                 " [--endpoint HOST:PORT] script.api...\n";
    return 2;
  }
  partita::testing::Total total;
  for (const std::string& path : arguments.scripts) {
    partita::testing::run_path(path, arguments, total);
  }
  std::cout << total.requests << " requests, " << total.failures << " failed\n";
  return total.failures == 0 ? 0 : 1;
}
