#include "push/json_tree.h"

#include <cstdlib>
#include <memory_resource>

#include "formats/json_reader.h"

namespace partita {
namespace {

constexpr int kDepthMax = 100;

JsonTree read_tree(JsonReader& json, int depth) {
  JsonTree tree;
  if (depth > kDepthMax) {
    json.fail("nested too deeply");
    return tree;
  }
  switch (json.kind()) {
    case JsonKind::Object:
      tree.kind = JsonTree::Kind::Object;
      json.enter_object();
      for (std::string_view name; json.next_member(name);) {
        tree.names.emplace_back(name);
        tree.elements.push_back(read_tree(json, depth + 1));
      }
      break;
    case JsonKind::Array:
      tree.kind = JsonTree::Kind::Array;
      json.enter_array();
      while (json.next_element()) tree.elements.push_back(read_tree(json, depth + 1));
      break;
    case JsonKind::String:
      tree.kind = JsonTree::Kind::String;
      tree.text = json.read_string();
      break;
    case JsonKind::Number:
      tree.kind = JsonTree::Kind::Number;
      tree.number = std::strtod(std::string(json.read_number()).c_str(), nullptr);
      break;
    case JsonKind::True:
    case JsonKind::False:
      tree.kind = JsonTree::Kind::Boolean;
      tree.truth = json.read_boolean();
      break;
    case JsonKind::Null:
      json.read_null();
      break;
    case JsonKind::Malformed:
      json.skip_value();  // fails
      break;
  }
  return tree;
}

}  // namespace

Result<JsonTree> parse_json(std::string_view text) {
  std::string padded(text);
  padded.append(kJsonPaddingBytes, '\0');
  std::pmr::monotonic_buffer_resource memory;
  JsonReader json(&memory);
  json.open(std::string_view(padded).substr(0, text.size()));
  JsonTree tree = read_tree(json, 0);
  if (!json.finish()) return Error::validation("'" + std::string(text) + "' is not JSON.");
  return tree;
}

}  // namespace partita
