// Changes requests one thing at a time (request_lines.h): with a JSON document in hand as long as
// the body is JSON, byte by byte otherwise.
#include <algorithm>
#include <array>
#include <functional>
#include <random>

#include <nlohmann/json.hpp>

#include "request_lines.h"

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t max_size);

namespace partita {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kStringBytesMax = 600;  // longer ones come from repeating

constexpr std::array kOperations = {"PutItem",
                                    "GetItem",
                                    "UpdateItem",
                                    "DeleteItem",
                                    "Query",
                                    "Scan",
                                    "CreateTable",
                                    "DescribeTable",
                                    "UpdateTable",
                                    "DeleteTable",
                                    "ListTables",
                                    "TagResource",
                                    "UntagResource",
                                    "ListTagsOfResource",
                                    "UpdateTimeToLive",
                                    "DescribeTimeToLive"};

// What is worth trying in place of a value.
constexpr std::array kValues = {"null",
                                "true",
                                "false",
                                "0",
                                "-1",
                                "1",
                                "1e400",
                                "9223372036854775808",
                                "0.5",
                                "\"\"",
                                "[]",
                                "{}",
                                R"({"S":""})",
                                R"({"S":"x"})",
                                R"({"N":"1"})",
                                R"({"N":"-0"})",
                                R"({"N":"1e125"})",
                                R"({"N":"9.9999999999999999999999999999999999999e-130"})",
                                R"({"N":"1e126"})",
                                R"({"N":"x"})",
                                R"({"B":"AA=="})",
                                R"({"B":"A"})",
                                R"({"NULL":true})",
                                R"({"NULL":false})",
                                R"({"BOOL":true})",
                                R"({"SS":["a","b"]})",
                                R"({"SS":[]})",
                                R"({"SS":["a","a"]})",
                                R"({"NS":["1","1.0"]})",
                                R"({"BS":["AA==","AQ=="]})",
                                R"({"L":[{"S":"x"},{"L":[]}]})",
                                R"({"M":{"a":{"M":{}}}})",
                                R"({"S":"x","N":"1"})",
                                R"({"M":{"":{"S":"x"}}})",
                                "\"a\"",
                                "\"id\"",
                                "\"ALL_OLD\"",
                                "\"UPDATED_NEW\"",
                                "\"TOTAL\"",
                                "\"INDEXES\"",
                                "\"COUNT\"",
                                "\"KEYS_ONLY\"",
                                "\"HASH\""};

constexpr std::array kMembers = {"S",
                                 "N",
                                 "B",
                                 "BOOL",
                                 "NULL",
                                 "M",
                                 "L",
                                 "SS",
                                 "NS",
                                 "BS",
                                 "TableName",
                                 "IndexName",
                                 "Key",
                                 "Item",
                                 "ConditionExpression",
                                 "UpdateExpression",
                                 "FilterExpression",
                                 "ProjectionExpression",
                                 "KeyConditionExpression",
                                 "ExpressionAttributeNames",
                                 "ExpressionAttributeValues",
                                 "Limit",
                                 "ExclusiveStartKey",
                                 "Select",
                                 "ScanIndexForward",
                                 "ConsistentRead",
                                 "Segment",
                                 "TotalSegments",
                                 "ReturnValues",
                                 "ReturnConsumedCapacity",
                                 "Expected",
                                 "AttributeUpdates",
                                 "KeyConditions",
                                 "QueryFilter",
                                 "ScanFilter",
                                 "AttributesToGet",
                                 "ConditionalOperator",
                                 ""};

constexpr std::array kExpressionPieces = {" AND ",
                                          " OR ",
                                          "NOT ",
                                          "(",
                                          ")",
                                          " = :v",
                                          " <> ",
                                          " < ",
                                          " >= ",
                                          " BETWEEN :v AND :w",
                                          " IN (:v, :w)",
                                          "attribute_exists(a)",
                                          "attribute_not_exists(a.b[0])",
                                          "attribute_type(a, :v)",
                                          "begins_with(a, :v)",
                                          "contains(a, :v)",
                                          "size(a)",
                                          "SET a = :v",
                                          "SET a = a + :v",
                                          "SET a = if_not_exists(a, :v)",
                                          "SET a = list_append(a, :v)",
                                          "SET a[3] = :v",
                                          "SET a.b.c = :v",
                                          " REMOVE a",
                                          " REMOVE a[0], a[1]",
                                          " ADD a :v",
                                          " DELETE a :v",
                                          "#n",
                                          ":v",
                                          ", ",
                                          ".",
                                          "[0]",
                                          "[99999999999]",
                                          "a",
                                          "id"};

class Mutation {
 public:
  explicit Mutation(std::uint32_t seed) : random_(seed) {}

  std::size_t below(std::size_t count) { return count == 0 ? 0 : random_() % count; }
  bool one_in(std::size_t count) { return below(count) == 0; }
  template <typename Array>
  auto& any(Array& array) {
    return array[below(array.size())];
  }

  std::string bytes(std::string text) {
    const std::size_t size = text.size();
    text.resize(size + 16);
    text.resize(LLVMFuzzerMutate(reinterpret_cast<std::uint8_t*>(text.data()), size, text.size()));
    return text;
  }

  void json(Json& document) {
    std::vector<Json*> nodes;
    collect(document, nodes);
    Json& node = *any(nodes);
    if (one_in(5)) {
      node = Json::parse(any(kValues), nullptr, /*allow_exceptions=*/false);
    } else if (one_in(8)) {
      const Json copy = *any(nodes);  // may be an ancestor
      node = copy;
    } else if (node.is_object()) {
      members(node, *any(nodes));
    } else if (node.is_array()) {
      elements(node, *any(nodes));
    } else if (node.is_string()) {
      string(node);
    } else {
      node = Json::parse(any(kValues), nullptr, false);
    }
  }

 private:
  static void collect(Json& node, std::vector<Json*>& nodes) {
    nodes.push_back(&node);
    if (node.is_structured()) {
      for (Json& child : node) collect(child, nodes);
    }
  }

  void members(Json& object, const Json& other) {
    const Json copy = other;
    if (object.empty() || one_in(3)) {
      object[any(kMembers)] = copy;
      return;
    }
    auto member = object.begin();
    std::advance(member, static_cast<std::ptrdiff_t>(below(object.size())));
    if (one_in(2)) {
      const Json value = member.value();
      object.erase(member.key());
      object[any(kMembers)] = value;
    } else {
      object.erase(member.key());
    }
  }

  void elements(Json& array, const Json& other) {
    const Json copy = other;
    if (array.empty() || one_in(3)) {
      array.push_back(copy);
    } else if (one_in(3)) {
      array.erase(below(array.size()));
    } else {
      const Json element = any(array);
      for (std::size_t left = one_in(10) ? 120 : 1; left > 0; --left) array.push_back(element);
    }
  }

  void string(Json& node) {
    std::string text = node.get<std::string>();
    const std::size_t at = below(text.size() + 1);
    switch (below(5)) {
      case 0:
        text.insert(at, any(kExpressionPieces));
        break;
      case 1:
        text = any(kExpressionPieces);
        break;
      case 2:
        text.erase(at, 1 + below(8));
        break;
      case 3:
        if (one_in(4) && !text.empty()) {
          while (text.size() < 300) text += text;
        }
        break;
      default:
        text = bytes(std::move(text));
    }
    if (text.size() > kStringBytesMax) text.resize(kStringBytesMax);
    node = text;
  }

  std::mt19937 random_;
};

std::string mutated_body(std::string_view body, Mutation& mutation) {
  Json document = Json::parse(body, nullptr, /*allow_exceptions=*/false);
  if (document.is_discarded() || mutation.one_in(12)) return mutation.bytes(std::string(body));
  do {
    mutation.json(document);
  } while (mutation.one_in(3));
  return document.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string joined(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text.append(text.empty() ? "" : "\n").append(line);
  return text;
}

std::vector<std::string> lines_of(std::string_view input) {
  std::vector<std::string> lines;
  for (const RequestLine& line : request_lines(input)) {
    lines.push_back(std::string(line.operation) + " " + std::string(line.body));
  }
  return lines;
}

}  // namespace

std::string mutate_requests(std::string_view input, std::size_t lines_max, std::uint32_t seed) {
  Mutation mutation(seed);
  std::vector<std::string> lines = lines_of(input);
  if (lines.empty()) return std::string(mutation.any(kOperations)) + " {}";
  std::string& line = mutation.any(lines);
  const std::size_t blank = line.find(' ');
  if (lines_max > 1 && mutation.one_in(10)) {
    const std::string copy = line;
    lines.insert(lines.begin() + static_cast<std::ptrdiff_t>(mutation.below(lines.size() + 1)),
                 copy);
  } else if (lines.size() > 1 && mutation.one_in(12)) {
    lines.erase(lines.begin() + static_cast<std::ptrdiff_t>(mutation.below(lines.size())));
  } else if (mutation.one_in(15)) {
    line = mutation.any(kOperations) + line.substr(blank);
  } else {
    line = line.substr(0, blank + 1) +
           mutated_body(std::string_view(line).substr(blank + 1), mutation);
  }
  if (lines.size() > lines_max) lines.resize(lines_max);
  return joined(lines);
}

std::string cross_requests(std::string_view left, std::string_view right, std::size_t lines_max,
                           std::uint32_t seed) {
  Mutation mutation(seed);
  std::vector<std::string> lines = lines_of(left);
  for (std::string& line : lines_of(right)) {
    if (mutation.one_in(2)) continue;
    lines.insert(lines.begin() + static_cast<std::ptrdiff_t>(mutation.below(lines.size() + 1)),
                 std::move(line));
  }
  while (lines.size() > lines_max) {
    lines.erase(lines.begin() + static_cast<std::ptrdiff_t>(mutation.below(lines.size())));
  }
  return joined(lines);
}

}  // namespace partita
