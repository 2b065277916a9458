// JsonTree: a small JSON document held in memory.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "partita/result.h"

namespace partita {

struct JsonTree {
  enum class Kind : std::uint8_t { Null, Boolean, Number, String, Array, Object };
  Kind kind = Kind::Null;
  bool truth = false;
  double number = 0;
  std::string text;                // of a String
  std::vector<JsonTree> elements;  // of an Array, or the values of an Object
  std::vector<std::string> names;  // of an Object, one for each element

  const JsonTree* find(std::string_view name) const {
    for (std::size_t i = 0; i < names.size(); ++i) {
      if (names[i] == name) return &elements[i];
    }
    return nullptr;
  }
};

// Fails with one sentence.
Result<JsonTree> parse_json(std::string_view text);

}  // namespace partita
