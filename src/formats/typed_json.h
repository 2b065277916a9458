// JSON values read as the types of AWS's API model.
//
// Each function reads the value that comes next. A value of another type fails the reader with the
// sentence AWS's deserializer has for it (recorded from DynamoDB by dynalite's tests). None takes
// null, which everywhere means that a member is absent: ask read_null() first.
#pragma once

#include <cstdint>
#include <string_view>

#include "formats/json_reader.h"

namespace partita {

std::string_view read_text_other(JsonReader& json);

// String.
inline std::string_view read_text(JsonReader& json) {
  return json.kind() == JsonKind::String ? json.read_string() : read_text_other(json);
}

// Boolean. AWS also takes the words "true", "yes", "1" and their opposites.
bool read_truth(JsonReader& json);

// Integer and Long. A fraction is cut off.
std::int32_t read_integer(JsonReader& json);
std::int64_t read_long(JsonReader& json);

// Blob: base64 text.
std::string_view read_base64_text(JsonReader& json);
void fail_base64(JsonReader& json, std::string_view text);

// List. Loop with next_element().
void enter_list(JsonReader& json);
// Map from String to `value_class`. Loop with next_member().
void enter_map(JsonReader& json, std::string_view value_class);
// Structure that is a member of another one, or that is an element of a list or map. Loop with
// next_member().
void enter_member_structure(JsonReader& json, std::string_view structure_class);
void enter_element_structure(JsonReader& json, std::string_view structure_class);

inline constexpr std::string_view kAttributeValueClass =
    "com.amazonaws.dynamodb.v20120810.AttributeValue";

}  // namespace partita
