#include "api_script.h"

#include <cctype>
#include <fstream>
#include <sstream>

namespace partita::testing {
namespace {

bool starts_operation(std::string_view line) {
  return !line.empty() && std::isupper(static_cast<unsigned char>(line[0])) != 0;
}

void append_line(std::string& text, std::string_view line) {
  if (!text.empty()) text += '\n';
  text += line;
}

// "Artist:S" in AttributeDefinitions and KeySchema.
bool add_key(std::string_view key, std::string_view key_type, std::string& definitions,
             std::string& schema) {
  const std::size_t colon = key.rfind(':');
  if (colon == std::string_view::npos || colon + 2 != key.size()) return false;
  const std::string name(key.substr(0, colon));
  const char* separator = definitions.empty() ? "" : ", ";
  definitions += separator;
  definitions += R"({"AttributeName": ")" + name + R"(", "AttributeType": ")";
  definitions += key.substr(colon + 1);
  definitions += "\"}";
  schema += separator;
  schema += R"({"AttributeName": ")" + name + R"(", "KeyType": ")";
  schema += key_type;
  schema += "\"}";
  return true;
}

// "table Music Artist:S Song:S" as the CreateTable it stands for.
std::optional<ApiStep> table_step(std::string_view line, int line_number) {
  std::istringstream words{std::string(line)};
  std::string keyword, table, partition_key, sort_key, definitions, schema;
  words >> keyword >> table >> partition_key >> sort_key;
  if (!add_key(partition_key, "HASH", definitions, schema)) return std::nullopt;
  if (!sort_key.empty() && !add_key(sort_key, "RANGE", definitions, schema)) return std::nullopt;
  ApiStep step;
  step.line = line_number;
  step.operation = "CreateTable";
  step.body = R"({"TableName": ")" + table + R"(", "BillingMode": "PAY_PER_REQUEST", )" +
              R"("AttributeDefinitions": [)" + definitions + R"(], "KeySchema": [)" + schema + "]}";
  step.answer = R"({"TableDescription": "<any>"})";
  return step;
}

class ScriptReader {
 public:
  explicit ScriptReader(ApiScript& script) : script_(script) {}

  std::optional<ScriptProblem> read(std::istream& lines) {
    std::string line;
    while (std::getline(lines, line)) {
      ++line_;
      if (auto problem = read_line(line)) return problem;
    }
    return finish_step();
  }

 private:
  enum class Inside { Nothing, Request, Answer };

  std::optional<ScriptProblem> read_line(std::string_view line) {
    if (line.starts_with('#')) return std::nullopt;
    if (line.find_first_not_of(" \t\r") == std::string_view::npos) return finish_step();
    if (line.starts_with("=>")) {
      if (inside_ != Inside::Request) return problem("an answer without a request");
      inside_ = Inside::Answer;
      step_.answer = line.substr(line.starts_with("=> ") ? 3 : 2);
      return std::nullopt;
    }
    if (inside_ == Inside::Request) return append_line(step_.body, line), std::nullopt;
    if (inside_ == Inside::Answer && !starts_operation(line) && !starts_keyword(line)) {
      return append_line(step_.answer, line), std::nullopt;
    }
    if (inside_ == Inside::Answer) finish_step();
    return start(line);
  }

  static bool starts_keyword(std::string_view line) {
    return line.starts_with("table ") || line.starts_with("for ");
  }

  std::optional<ScriptProblem> start(std::string_view line) {
    if (line.starts_with("table ")) {
      auto step = table_step(line, line_);
      if (!step) return problem("expected: table NAME key:TYPE [key:TYPE]");
      script_.steps.push_back(*std::move(step));
      return std::nullopt;
    }
    if (line.starts_with("for ")) {
      std::istringstream words{std::string(line.substr(4))};
      if (!(words >> step_.loop_variable >> step_.loop_first >> step_.loop_last)) {
        return problem("expected: for NAME FIRST LAST");
      }
      return std::nullopt;
    }
    if (!starts_operation(line)) return problem("expected an operation, table, for or a comment");
    const std::size_t end = line.find(' ');
    step_.line = line_;
    step_.operation = line.substr(0, end);
    step_.body = end == std::string_view::npos ? "" : line.substr(end + 1);
    inside_ = Inside::Request;
    return std::nullopt;
  }

  std::optional<ScriptProblem> finish_step() {
    if (inside_ == Inside::Request) return problem("the request has no answer");
    if (inside_ == Inside::Answer) script_.steps.push_back(std::move(step_));
    if (inside_ == Inside::Nothing && !step_.loop_variable.empty()) {
      return problem("for is followed by nothing");
    }
    inside_ = Inside::Nothing;
    step_ = ApiStep{};
    return std::nullopt;
  }

  ScriptProblem problem(std::string message) const { return {line_, std::move(message)}; }

  ApiScript& script_;
  ApiStep step_;
  Inside inside_ = Inside::Nothing;
  int line_ = 0;
};

// What stands for the inside of <…>, if anything does.
std::optional<std::string> expansion(std::string_view inside,
                                     const std::map<std::string, std::string>& variables) {
  constexpr std::string_view kRepeat = "repeat ";
  if (inside.starts_with(kRepeat)) {
    const std::size_t space = inside.rfind(' ');
    const std::string_view text = inside.substr(kRepeat.size(), space - kRepeat.size());
    std::string repeated;
    for (int left = std::stoi(std::string(inside.substr(space + 1))); left > 0; --left) {
      repeated += text;
    }
    return repeated;
  }
  const std::size_t colon = inside.find(':');
  const auto found = variables.find(std::string(inside.substr(0, colon)));
  if (found == variables.end()) return std::nullopt;
  if (colon == std::string_view::npos) return found->second;
  const std::size_t width = std::stoul(std::string(inside.substr(colon + 1)));
  const std::size_t padding = width > found->second.size() ? width - found->second.size() : 0;
  return std::string(padding, '0') + found->second;
}

}  // namespace

std::optional<ScriptProblem> read_api_script(const std::string& path, ApiScript& script) {
  script.path = path;
  std::ifstream file(path);
  if (!file) return ScriptProblem{0, "the file cannot be read"};
  return ScriptReader(script).read(file);
}

std::string expand(std::string_view text, const std::map<std::string, std::string>& variables) {
  std::string expanded;
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t open = text.find('<', at);
    const std::size_t close = open == std::string_view::npos ? open : text.find('>', open);
    if (close == std::string_view::npos) break;
    expanded += text.substr(at, open - at);
    const auto value = expansion(text.substr(open + 1, close - open - 1), variables);
    // "a < b" in an expression is no placeholder: only the sign itself is passed over.
    expanded += value ? *value : "<";
    at = value ? close + 1 : open + 1;
  }
  return expanded.append(text.substr(at));
}

}  // namespace partita::testing
