#include "script_run.h"

#include <chrono>
#include <iostream>
#include <thread>

namespace partita::testing {
namespace {

constexpr std::size_t kPrintedBytesMax = 2000;

std::string shortened(const std::string& text) {
  if (text.size() <= kPrintedBytesMax) return text;
  return text.substr(0, kPrintedBytesMax) + "… (" + std::to_string(text.size()) + " bytes)";
}

// "com.amazonaws.dynamodb.v20120810#ResourceInUseException" without what stands before the "#".
std::string short_type(const std::string& type) {
  const std::size_t sharp = type.find('#');
  return sharp == std::string::npos ? type : type.substr(sharp + 1);
}

std::string text_member(const Json& object, const char* name) {
  const auto found = object.find(name);
  return found != object.end() && found->is_string() ? found->get<std::string>() : "";
}

bool looks_at_index(const std::string& operation, const std::string& body) {
  return operation == "DescribeTable" || body.find("\"IndexName\"") != std::string::npos;
}

// The table, and each of its indexes.
bool is_active(const Json& table) {
  if (text_member(table, "TableStatus") != "ACTIVE") return false;
  for (const Json& index : table.value("GlobalSecondaryIndexes", Json::array())) {
    if (text_member(index, "IndexStatus") != "ACTIVE") return false;
  }
  return true;
}

}  // namespace

void ScriptRun::run() {
  for (const ApiStep& step : script_.steps) run_step(step);
  for (const std::string& table : tables_) {
    transport_.call("DeleteTable", R"({"TableName": ")" + table + "\"}");
    wait_until_settled(table);
  }
}

void ScriptRun::run_step(const ApiStep& step) {
  const bool loops = !step.loop_variable.empty();
  const int last = loops ? step.loop_last : step.loop_first;
  for (int i = step.loop_first; i <= last; ++i) {
    if (loops) variables_[step.loop_variable] = std::to_string(i);
    const std::string body = expand(step.body, variables_);
    const std::string expected = expand(step.answer, variables_);
    if (!transport_.can_send(body)) continue;
    ++requests_;
    if (looks_at_index(step.operation, body)) transport_.settle_indexes();
    check(step, body, expected, transport_.call(step.operation, body));
  }
}

void ScriptRun::check(const ApiStep& step, const std::string& body, const std::string& expected,
                      const ApiAnswer& answer) {
  std::vector<std::string> differences;
  if (!answer.problem.empty()) differences.push_back(answer.problem);
  const Json actual = Json::parse(answer.body, nullptr, false);
  if (expected == "nothing" && answer.body.empty()) {
    if (answer.status != 200) differences.push_back("status: " + std::to_string(answer.status));
  } else if (actual.is_discarded()) {
    differences.push_back("the answer is not JSON");
  } else if (expected.starts_with("error ")) {
    check_error(expected, answer, actual, differences);
  } else {
    const Json wanted = Json::parse(expected, nullptr, false);
    if (wanted.is_discarded()) {
      differences.push_back("the expected answer in the script is not JSON");
    } else {
      compare_json(wanted, actual, "$", differences, variables_);
    }
    if (answer.status != 200) {
      differences.push_back("status: expected 200, got " + std::to_string(answer.status));
    }
  }
  if (!differences.empty()) fail(step, body, differences, answer.body);
  if (answer.status == 200 && !actual.is_discarded()) wait_for_table(step.operation, actual);
}

void ScriptRun::check_error(const std::string& expected, const ApiAnswer& answer,
                            const Json& actual, std::vector<std::string>& differences) {
  const std::size_t line_end = expected.find('\n');
  const std::string line = expected.substr(6, line_end - 6);
  const std::size_t space = line.find(' ');
  const std::string type = line.substr(0, space);
  const std::string message = space == std::string::npos ? "" : line.substr(space + 1);

  const int status = type.starts_with("InternalServerError") ? 500 : 400;
  if (answer.status != status) {
    differences.push_back("status: expected " + std::to_string(status) + ", got " +
                          std::to_string(answer.status));
  }
  const std::string full_type = text_member(actual, "__type");
  if ((type.find('#') == std::string::npos ? short_type(full_type) : full_type) != type) {
    differences.push_back("__type: expected " + type + ", got " + full_type);
  }
  // Coral's own errors say "Message", DynamoDB's "message".
  const std::string got = text_member(actual, actual.contains("message") ? "message" : "Message");
  if (!text_matches(message, got)) {
    differences.push_back("message: expected " + message);
    differences.push_back("         got      " + got);
  }
  if (line_end == std::string::npos) return;
  Json others = actual;
  for (const char* compared : {"__type", "message", "Message"}) others.erase(compared);
  compare_json(Json::parse(expected.substr(line_end + 1), nullptr, false), others, "$", differences,
               variables_);
}

void ScriptRun::wait_for_table(const std::string& operation, const Json& answer) {
  if (operation != "CreateTable" && operation != "UpdateTable" && operation != "DeleteTable")
    return;
  const std::string table =
      text_member(answer.value("TableDescription", Json::object()), "TableName");
  if (operation == "CreateTable") tables_.insert(table);
  if (operation == "DeleteTable") tables_.erase(table);
  if (!wait_until_settled(table)) {
    std::cout << script_.path << ": the table " << table << " did not settle\n";
    ++failures_;
  }
}

bool ScriptRun::wait_until_settled(const std::string& table) {
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::minutes(5);
  while (std::chrono::steady_clock::now() < deadline) {
    transport_.settle_indexes();
    const ApiAnswer answer = transport_.call("DescribeTable", R"({"TableName": ")" + table + "\"}");
    if (answer.status != 200) return true;  // gone
    const Json described = Json::parse(answer.body, nullptr, false);
    if (described.is_object() && is_active(described.value("Table", Json::object()))) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  return false;
}

void ScriptRun::fail(const ApiStep& step, const std::string& body,
                     const std::vector<std::string>& why, const std::string& actual) {
  ++failures_;
  std::cout << script_.path << ":" << step.line << ": " << step.operation << " " << shortened(body)
            << '\n';
  for (const std::string& difference : why) std::cout << "    " << shortened(difference) << '\n';
  std::cout << "    answer: " << shortened(actual) << "\n\n";
}

}  // namespace partita::testing
