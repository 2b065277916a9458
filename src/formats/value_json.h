// Attribute values as JSON: {"S": "text"}, {"N": "42"}, {"M": {"name": {…}}}.
//
// Reading goes straight into the encoded form. Two kinds of things can be wrong. What AWS's
// deserializer refuses (a number where a string belongs, base64 that is none) fails the JsonReader.
// What is well-formed but no value (two types at once, an empty set, a number out of range) is kept
// in the reader of values, because AWS reports it only when the whole request has the right shape.
#pragma once

#include <memory_resource>
#include <optional>
#include <string_view>

#include "partita/item.h"
#include "partita/result.h"

#include "base/byte_buffer.h"
#include "formats/json_reader.h"
#include "formats/json_writer.h"
#include "value/item_encoding.h"

namespace partita {

class ValueJsonReader {
 public:
  ValueJsonReader(JsonReader& json, ItemWriter& writer, std::pmr::memory_resource* memory)
      : json_(json), writer_(writer), decoded_(memory) {}

  // The map of attributes, or the single value, that comes next. If error() is set or the JSON
  // failed, what the writer holds is of no use.
  void read_item();
  void read_value();

  // The first thing that is no value.
  std::optional<Error>& error() { return error_; }

 private:
  void attributes();
  void value();
  bool typed_value(std::string_view type);
  bool unwanted_value(std::string_view type);
  void list_value();
  void map_value();
  void set_value(ValueType type);
  Bytes read_binary();

  // Is what the writer gets still wanted?
  bool live() const { return !error_.has_value() && !json_.failed(); }
  void note(Result<void> result);
  void note(Error error);

  JsonReader& json_;
  ItemWriter& writer_;
  ByteBuffer decoded_;  // base64, for as long as the writer needs to copy it
  std::optional<Error> error_;
  unsigned levels_ = 0;  // of L and M that are open
};

void write_json(JsonWriter& json, ValueView value);
void write_json(JsonWriter& json, MapView attributes);
inline void write_json(JsonWriter& json, ItemView item) { write_json(json, item.attributes()); }

}  // namespace partita
