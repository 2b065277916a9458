// The item the small benchmarks work on: about 1 KB in twelve attributes, written as programs do,
// keys first.
#pragma once

#include <string>

#include "partita/item.h"

namespace partita {

inline std::string sample_json(int number) {
  std::string text = "{\"pk\":{\"S\":\"user#" + std::to_string(number) +
                     "\"},\"visits\":{\"N\":\"" + std::to_string(number) + "\"}";
  for (int i = 0; i < 10; ++i) {
    text += ",\"attribute" + std::to_string(i) + "\":{\"S\":\"" + std::string(80, 'x') + "\"}";
  }
  return text + "}";
}

inline Item sample_item(int number) {
  Item item{{"pk", Value::string("user#" + std::to_string(number))},
            {"visits", Value::number(number)}};
  for (int i = 0; i < 10; ++i) {
    item.set("attribute" + std::to_string(i), Value::string(std::string(80, 'x')));
  }
  return item;
}

}  // namespace partita
