#include "formats/value_json.h"

#include "base/base64.h"
#include "formats/typed_json.h"
#include "value/attribute_name.h"
#include "value/number.h"

namespace partita {

namespace {

constexpr char kEmptyValue[] =
    "Supplied AttributeValue is empty, must contain exactly one of the supported datatypes";
constexpr char kSeveralTypes[] =
    "Supplied AttributeValue has more than one datatypes set, must contain exactly one of the "
    "supported datatypes";
constexpr char kNullIsFalse[] =
    "One or more parameter values were invalid: Null attribute value types must have the value of "
    "true";
constexpr char kNullMember[] =
    "One or more parameter values were invalid: A set may not have a null member";

void write_number(JsonWriter& json, Bytes ordered) {
  std::string& digits = json.scratch();
  digits.push_back('"');
  print_number(ordered, digits);
  digits.push_back('"');
  json.raw(digits);
}

}  // namespace

// ---- Reading

void ValueJsonReader::read_item() {
  if (live()) writer_.begin_item();
  attributes();
  if (live()) writer_.end_item();
}

void ValueJsonReader::read_value() { value(); }

void ValueJsonReader::attributes() {
  enter_map(json_, kAttributeValueClass);
  for (std::string_view name, text; json_.next_member(name);) {
    if (const char* problem = attribute_name_problem(name)) [[unlikely]] {
      if (levels_ == 0) note(Error::validation(problem));  // inside maps any name will do
    }
    if (!live()) {
      value();
    } else if (json_.read_text_object(text)) {
      writer_.named_string(name, text);
    } else {
      writer_.name(name);
      value();
    }
  }
}

// {"S": "text"}: one member whose name is a type. Members of other names are not seen.
void ValueJsonReader::value() {
  unsigned types = 0;
  if (char letter = 0; json_.enter_lettered_object(letter)) [[likely]] {
    if (typed_value(std::string_view(&letter, 1))) ++types;
    if (types == 1 && json_.leave_object()) [[likely]]
      return;
  } else if (json_.read_null()) {
    note(Error::validation(kEmptyValue));
    return;
  } else {
    enter_element_structure(json_, kAttributeValueClass);
  }
  for (std::string_view type; json_.next_member(type);) {
    if (json_.read_null()) continue;
    const bool first = types == 0 || !live();
    if (first ? typed_value(type) : unwanted_value(type)) ++types;
  }
  if (types != 1) note(Error::validation(types == 0 ? kEmptyValue : kSeveralTypes));
}

// Reads the value of a type's member. False if there is no such type.
bool ValueJsonReader::typed_value(std::string_view type) {
  if (type.size() == 1) [[likely]] {
    switch (type[0]) {
      case 'S': {
        const std::string_view text = read_text(json_);
        if (live()) writer_.string(text);
        return true;
      }
      case 'N': {
        const std::string_view text = read_text(json_);
        if (live()) note(writer_.number(text));
        return true;
      }
      case 'B': {
        const Bytes bytes = read_binary();
        if (live()) writer_.binary(bytes);
        return true;
      }
      case 'M':
        map_value();
        return true;
      case 'L':
        list_value();
        return true;
    }
  } else if (type == "BOOL") {
    const bool truth = read_truth(json_);
    if (live()) writer_.boolean(truth);
    return true;
  } else if (type == "NULL") {
    if (!read_truth(json_)) note(Error::validation(kNullIsFalse));
    if (live()) writer_.null();
    return true;
  } else if (type == "SS") {
    set_value(ValueType::SS);
    return true;
  } else if (type == "NS") {
    set_value(ValueType::NS);
    return true;
  } else if (type == "BS") {
    set_value(ValueType::BS);
    return true;
  }
  json_.skip_value();
  return false;
}

// A value has two types. The second is read for its own errors, which AWS mentions first.
__attribute__((noinline)) bool ValueJsonReader::unwanted_value(std::string_view type) {
  ItemWriter unwanted;
  ValueJsonReader other(json_, unwanted, std::pmr::get_default_resource());
  other.levels_ = levels_;
  const bool known = other.typed_value(type);
  if (other.error_) note(std::move(*other.error_));
  return known;
}

// Levels that the writer refuses are skipped rather than walked into, so the stack stays small
// whatever the document.
void ValueJsonReader::list_value() {
  if (live()) note(writer_.begin_list());
  if (++levels_ >= kNestingLevelsMax) {
    json_.skip_value();
  } else {
    enter_list(json_);
    while (json_.next_element()) value();
    if (live()) writer_.end_list();
  }
  --levels_;
}

void ValueJsonReader::map_value() {
  if (live()) note(writer_.begin_map());
  if (++levels_ >= kNestingLevelsMax) {
    json_.skip_value();
  } else {
    attributes();
    if (live()) writer_.end_map();
  }
  --levels_;
}

void ValueJsonReader::set_value(ValueType type) {
  if (live()) writer_.begin_set(type);
  enter_list(json_);
  while (json_.next_element()) {
    if (json_.read_null()) {
      note(Error::validation(kNullMember));
    } else if (type == ValueType::BS) {
      const Bytes bytes = read_binary();
      if (live()) writer_.binary_member(bytes);
    } else {
      const std::string_view text = read_text(json_);
      if (!live()) continue;
      if (type == ValueType::SS) {
        writer_.string_member(text);
      } else {
        note(writer_.number_member(text));
      }
    }
  }
  if (live()) note(writer_.end_set());
}

// Valid until the next call.
Bytes ValueJsonReader::read_binary() {
  const std::string_view text = read_base64_text(json_);
  decoded_.clear();
  char* const at = decoded_.extend(base64_decoded_bytes_max(text.size()));
  std::size_t length = 0;
  if (!decode_base64(text, at, length)) {
    fail_base64(json_, text);
    return {};
  }
  return {at, length};
}

void ValueJsonReader::note(Result<void> result) {
  if (!result) [[unlikely]]
    note(std::move(result).error());
}

void ValueJsonReader::note(Error error) {
  if (live()) error_.emplace(std::move(error));
}

// ---- Writing

namespace {

void write_set(JsonWriter& json, ValueView value) {
  json.begin_array();
  for (Bytes member : value.set()) {
    json.element();
    if (value.is(ValueType::SS)) {
      json.string(member);
    } else if (value.is(ValueType::BS)) {
      json.base64(member);
    } else {
      write_number(json, member);
    }
  }
  json.end_array();
}

}  // namespace

void write_json(JsonWriter& json, ValueView value) {
  switch (value.type()) {
    case ValueType::S:
      json.raw("{\"S\":");
      json.string(value.string());
      break;
    case ValueType::N:
      json.raw("{\"N\":");
      write_number(json, value.ordered_number());
      break;
    case ValueType::B:
      json.raw("{\"B\":");
      json.base64(value.binary());
      break;
    case ValueType::BOOL:
      json.raw(value.boolean() ? "{\"BOOL\":true" : "{\"BOOL\":false");
      break;
    case ValueType::NULL_:
      json.raw("{\"NULL\":true");
      break;
    case ValueType::M:
      json.raw("{\"M\":");
      write_json(json, value.map());
      break;
    case ValueType::L:
      json.raw("{\"L\":[");
      for (ValueView element : value.list()) {
        json.element();
        write_json(json, element);
      }
      json.end_array();
      break;
    case ValueType::SS:
    case ValueType::NS:
    case ValueType::BS:
      json.begin_object();
      json.member(type_name(value.type()));
      write_set(json, value);
      break;
  }
  json.end_object();
}

void write_json(JsonWriter& json, MapView attributes) {
  json.begin_object();
  for (const Attribute& attribute : attributes) {
    json.key(attribute.name);
    write_json(json, attribute.value);
  }
  json.end_object();
}

}  // namespace partita
