// Compares an answer with what a script expects.
//
// Expected strings may be wildcards: "<any>", "<string>", "<number>", "<save name>" (anything; kept
// for later requests). An object with the member "<rest>" may have more members; an array whose
// first element is "<unordered>" may come in any order.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

namespace partita::testing {

using Json = nlohmann::json;

// Appends one line per difference ("$.Item.n.N: expected "1", got "01""); adds what was saved.
void compare_json(const Json& expected, const Json& actual, const std::string& where,
                  std::vector<std::string>& differences, std::map<std::string, std::string>& saved);

// Equal, where "<any>" in the expected text stands for any text.
bool text_matches(std::string_view expected, std::string_view actual);

}  // namespace partita::testing
