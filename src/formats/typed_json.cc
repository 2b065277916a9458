#include "formats/typed_json.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <string>

namespace partita {

namespace {

constexpr std::string_view kUnexpectedStructure =
    "Start of structure or map found where not expected";
constexpr std::string_view kUnexpectedField = "Unexpected field type";

// What AWS calls a scalar token. A number is read to see whether it has a fraction.
std::string_view token_name(JsonReader& json) {
  switch (json.kind()) {
    case JsonKind::String:
      return "STRING_VALUE";
    case JsonKind::True:
      return "TRUE_VALUE";
    case JsonKind::False:
      return "FALSE_VALUE";
    default:
      return json.read_number().find_first_of(".eE") == std::string_view::npos ? "NUMBER_VALUE"
                                                                               : "DECIMAL_VALUE";
  }
}

// The next value is none of the Java class that `type` names.
void fail_scalar(JsonReader& json, std::string_view type) {
  switch (json.kind()) {
    case JsonKind::Object:
      json.fail(std::string(kUnexpectedStructure));
      break;
    case JsonKind::Array:
      json.fail(std::string("Unrecognized collection type class java.lang.").append(type));
      break;
    case JsonKind::Malformed:
      json.fail("");
      break;
    default: {
      std::string reason(token_name(json));
      json.fail(reason.append(" cannot be converted to ").append(type));
    }
  }
}

// A structure or map was wanted. `place` says what a scalar is there, `wanted` what an array is
// not.
void enter_braces(JsonReader& json, std::string_view place, std::string_view wanted,
                  std::string_view wanted_end = "") {
  switch (json.kind()) {
    case JsonKind::Object:
      json.enter_object();
      break;
    case JsonKind::Array:
      json.fail(std::string("Unrecognized collection type ").append(wanted).append(wanted_end));
      break;
    case JsonKind::Malformed:
      json.fail("");
      break;
    default:
      json.fail(std::string(place));
  }
}

// Any JSON number as a whole one, or nothing if it is beyond the range of Integer.
template <typename Integer>
bool whole_number(std::string_view text, Integer& number) {
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  if (error == std::errc() && stop == end) return true;
  if (error == std::errc::result_out_of_range) return false;
  double decimal = 0;
  if (std::from_chars(text.data(), end, decimal).ec != std::errc()) return false;
  constexpr double kLimit = static_cast<double>(std::numeric_limits<Integer>::max());
  if (!(std::abs(decimal) < kLimit)) return false;
  number = static_cast<Integer>(std::floor(decimal));
  return true;
}

template <typename Integer>
Integer read_whole(JsonReader& json, std::string_view type) {
  Integer number = 0;
  if (json.kind() != JsonKind::Number) {
    fail_scalar(json, type);
  } else if (const std::string_view text = json.read_number();
             !json.failed() && !whole_number(text, number)) {
    json.fail(std::string("NUMBER_VALUE cannot be converted to ").append(type));
  }
  return number;
}

bool is_word(std::string_view text, std::string_view lowercase) {
  return std::equal(text.begin(), text.end(), lowercase.begin(), lowercase.end(),
                    [](char a, char b) { return a == b || (a >= 'A' && a <= 'Z' && a + 32 == b); });
}

}  // namespace

std::string_view read_text_other(JsonReader& json) {
  fail_scalar(json, "String");
  return {};
}

bool read_truth(JsonReader& json) {
  switch (json.kind()) {
    case JsonKind::True:
    case JsonKind::False:
      return json.read_boolean();
    case JsonKind::String: {
      const std::string_view text = json.read_string();
      for (std::string_view word : {"true", "1", "yes"}) {
        if (is_word(text, word)) return true;
      }
      for (std::string_view word : {"false", "0", "no"}) {
        if (is_word(text, word)) return false;
      }
      json.fail("Unexpected token received from parser");
      return false;
    }
    default:
      fail_scalar(json, "Boolean");
      return false;
  }
}

std::int32_t read_integer(JsonReader& json) { return read_whole<std::int32_t>(json, "Integer"); }

std::int64_t read_long(JsonReader& json) { return read_whole<std::int64_t>(json, "Long"); }

std::string_view read_base64_text(JsonReader& json) {
  switch (json.kind()) {
    case JsonKind::String:
      return json.read_string();
    case JsonKind::Object:
      json.fail(std::string(kUnexpectedStructure));
      break;
    case JsonKind::Array:
      json.fail("Unrecognized collection type class java.nio.ByteBuffer");
      break;
    case JsonKind::Malformed:
      json.fail("");
      break;
    default:
      json.fail("only base-64-encoded strings are convertible to bytes");
  }
  return {};
}

void fail_base64(JsonReader& json, std::string_view text) {
  if (text.size() % 4 != 0) {
    json.fail("Base64 encoded length is expected a multiple of 4 bytes but found: " +
              std::to_string(text.size()));
    return;
  }
  json.fail("Invalid last non-pad Base64 character dectected");
}

void enter_list(JsonReader& json) {
  switch (json.kind()) {
    case JsonKind::Array:
      json.enter_array();
      break;
    case JsonKind::Object:
      json.fail(std::string(kUnexpectedStructure));
      break;
    case JsonKind::Malformed:
      json.fail("");
      break;
    default:
      json.fail(std::string(kUnexpectedField));
  }
}

void enter_map(JsonReader& json, std::string_view value_class) {
  if (json.kind() == JsonKind::Object) [[likely]] {
    json.enter_object();
    return;
  }
  enter_braces(json, kUnexpectedField,
               std::string("java.util.Map<java.lang.String, ").append(value_class), ">");
}

void enter_member_structure(JsonReader& json, std::string_view structure_class) {
  enter_braces(json, kUnexpectedField, "class ", structure_class);
}

void enter_element_structure(JsonReader& json, std::string_view structure_class) {
  if (json.kind() == JsonKind::Object) [[likely]] {
    json.enter_object();
    return;
  }
  enter_braces(json, "Unexpected value type in payload", "class ", structure_class);
}

}  // namespace partita
