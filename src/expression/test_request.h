// For the tests of this room: short ways to write values, and a request to bind expressions in.
#pragma once

#include <deque>
#include <initializer_list>
#include <memory_resource>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "partita/item.h"

#include "expression/binder.h"
#include "value/item_encoding.h"

namespace partita::testing {

inline Value S(std::string_view text) { return Value::string(text); }
inline Value N(std::string_view decimal) { return Value::number(decimal).value(); }
inline Value B(std::string_view bytes) { return Value::binary(bytes); }
inline Value L(std::initializer_list<Value> elements) { return Value::list(elements); }
inline Value M(std::initializer_list<std::pair<std::string_view, Value>> entries) {
  return Value::map(entries);
}
inline Value SS(std::initializer_list<std::string_view> members) {
  return Value::string_set(std::span(members.begin(), members.size())).value();
}
inline Value NS(std::initializer_list<std::string_view> members) {
  return Value::number_set(std::span(members.begin(), members.size())).value();
}
inline Value BS(std::initializer_list<std::string_view> members) {
  return Value::binary_set(std::span(members.begin(), members.size())).value();
}

// {a: N 1, b: [S x]}, for failure messages.
inline void print(ValueView value, std::string& out);
inline void print(MapView map, std::string& out) {
  out += '{';
  for (const Attribute& entry : map) {
    if (out.back() != '{') out += ", ";
    out.append(entry.name).append(": ");
    print(entry.value, out);
  }
  out += '}';
}
inline void print(ValueView value, std::string& out) {
  switch (value.type()) {
    case ValueType::S:
      out.append("S ").append(value.string());
      break;
    case ValueType::N:
      out.append("N ").append(value.number());
      break;
    case ValueType::M:
      print(value.map(), out);
      break;
    case ValueType::L:
      out += '[';
      for (ValueView element : value.list()) {
        if (out.back() != '[') out += ", ";
        print(element, out);
      }
      out += ']';
      break;
    case ValueType::SS:
      out += "SS(";
      for (Bytes member : value.set()) out.append(member).append(" ");
      out += ')';
      break;
    default:
      out.append(type_name(value.type()));
  }
}
inline std::string text(ItemView item) {
  std::string out;
  print(item.attributes(), out);
  return out;
}

// One request: placeholders, and a binder over them.
class TestRequest {
 public:
  TestRequest() = default;
  TestRequest(std::initializer_list<std::pair<std::string_view, std::string_view>> names,
              std::initializer_list<std::pair<std::string_view, Value>> values) {
    for (const auto& [placeholder, name] : names) names_.push_back({placeholder, name});
    for (const auto& [placeholder, value] : values) {
      owned_.push_back(value);
      values_.push_back({placeholder, owned_.back()});
    }
  }

  ExpressionAttributes attributes() const {
    ExpressionAttributes attributes;
    if (!names_.empty()) attributes.names = names_;
    if (!values_.empty()) attributes.values = values_;
    return attributes;
  }
  Binder binder() { return Binder(cache_, attributes(), std::pmr::get_default_resource()); }

  Condition condition(std::string_view expression) {
    auto result = binder().condition("ConditionExpression", expression);
    if (!result) ADD_FAILURE() << expression << ": " << result.error().message();
    return std::move(result).value();
  }
  Update update(std::string_view expression) {
    auto result = binder().update(expression);
    if (!result) ADD_FAILURE() << expression << ": " << result.error().message();
    return std::move(result).value();
  }
  ProjectionPaths projection(std::string_view expression) {
    auto result = binder().projection(expression);
    if (!result) ADD_FAILURE() << expression << ": " << result.error().message();
    return std::move(result).value();
  }

  // The message of what must fail.
  std::string condition_error(std::string_view expression) {
    return message(binder().condition("FilterExpression", expression));
  }
  std::string update_error(std::string_view expression) {
    return message(binder().update(expression));
  }
  std::string projection_error(std::string_view expression) {
    return message(binder().projection(expression));
  }

  template <typename T>
  static std::string message(const Result<T>& result) {
    return result.has_value() ? "no error" : result.error().message();
  }

 private:
  ExpressionCache cache_;
  std::deque<Value> owned_;
  std::vector<ExpressionAttributeName> names_;
  std::vector<ExpressionAttributeValue> values_;
};

}  // namespace partita::testing
