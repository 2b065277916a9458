#include "json_match.h"

#include <algorithm>

namespace partita::testing {
namespace {

constexpr const char* kRest = "<rest>";
constexpr const char* kUnordered = "<unordered>";

bool differs(const Json& expected, const Json& actual) {
  std::vector<std::string> differences;
  std::map<std::string, std::string> saved;
  compare_json(expected, actual, "", differences, saved);
  return !differences.empty();
}

void compare_objects(const Json& expected, const Json& actual, const std::string& where,
                     std::vector<std::string>& differences,
                     std::map<std::string, std::string>& saved) {
  for (const auto& [name, value] : expected.items()) {
    if (name == kRest) continue;
    const auto found = actual.find(name);
    if (found == actual.end()) {
      differences.push_back(where + "." + name + ": missing, expected " + value.dump());
    } else {
      compare_json(value, *found, where + "." + name, differences, saved);
    }
  }
  if (expected.contains(kRest)) return;
  for (const auto& [name, value] : actual.items()) {
    if (!expected.contains(name)) {
      differences.push_back(where + "." + name + ": not expected, got " + value.dump());
    }
  }
}

void compare_unordered(const Json& expected, const Json& actual, const std::string& where,
                       std::vector<std::string>& differences) {
  std::vector<Json> left(actual.begin(), actual.end());
  for (std::size_t i = 1; i < expected.size(); ++i) {
    const auto found = std::find_if(left.begin(), left.end(), [&](const Json& candidate) {
      return !differs(expected[i], candidate);
    });
    if (found == left.end()) {
      differences.push_back(where + ": nowhere in the answer: " + expected[i].dump());
    } else {
      left.erase(found);
    }
  }
  for (const Json& element : left) {
    differences.push_back(where + ": not expected, got " + element.dump());
  }
}

void compare_arrays(const Json& expected, const Json& actual, const std::string& where,
                    std::vector<std::string>& differences,
                    std::map<std::string, std::string>& saved) {
  if (!expected.empty() && expected[0] == kUnordered) {
    return compare_unordered(expected, actual, where, differences);
  }
  if (expected.size() != actual.size()) {
    differences.push_back(where + ": expected " + std::to_string(expected.size()) +
                          " elements, got " + std::to_string(actual.size()));
  }
  for (std::size_t i = 0; i < std::min(expected.size(), actual.size()); ++i) {
    compare_json(expected[i], actual[i], where + "[" + std::to_string(i) + "]", differences, saved);
  }
}

// True when the expected value is a wildcard that takes the actual one.
bool wildcard_takes(const Json& expected, const Json& actual,
                    std::map<std::string, std::string>& saved) {
  if (!expected.is_string()) return false;
  const std::string& word = expected.get_ref<const std::string&>();
  if (word == "<any>") return true;
  if (word == "<string>") return actual.is_string();
  if (word == "<number>") return actual.is_number();
  if (word.starts_with("<save ") && word.ends_with('>')) {
    saved[word.substr(6, word.size() - 7)] = actual.dump();
    return true;
  }
  return actual.is_string() && text_matches(word, actual.get_ref<const std::string&>());
}

}  // namespace

bool text_matches(std::string_view expected, std::string_view actual) {
  constexpr std::string_view kAny = "<any>";
  const std::size_t wildcard = expected.find(kAny);
  if (wildcard == std::string_view::npos) return expected == actual;
  if (!actual.starts_with(expected.substr(0, wildcard))) return false;
  const std::string_view tail = expected.substr(wildcard + kAny.size());
  for (std::size_t at = wildcard; at <= actual.size(); ++at) {
    if (text_matches(tail, actual.substr(at))) return true;
  }
  return false;
}

void compare_json(const Json& expected, const Json& actual, const std::string& where,
                  std::vector<std::string>& differences,
                  std::map<std::string, std::string>& saved) {
  if (wildcard_takes(expected, actual, saved)) return;
  if (expected.is_object() && actual.is_object()) {
    compare_objects(expected, actual, where, differences, saved);
  } else if (expected.is_array() && actual.is_array()) {
    compare_arrays(expected, actual, where, differences, saved);
  } else if (expected != actual) {
    differences.push_back(where + ": expected " + expected.dump() + ", got " + actual.dump());
  }
}

}  // namespace partita::testing
