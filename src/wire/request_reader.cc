#include "wire/request_reader.h"

#include <cstring>
#include <string>

#include "formats/value_json.h"
#include "wire/map_entries.h"

namespace partita {

namespace {

// AWS puts words before what is wrong with a starting key, but not before all of it (recorded by
// dynalite's tests).
bool is_told_bare(std::string_view message) {
  for (std::string_view part : {"contains duplicates", "number set", "numeric value",
                                "significant digits", "number with magnitude"}) {
    if (message.find(part) != std::string_view::npos) return true;
  }
  return false;
}

Error start_key_error(const Error& error) {
  const std::string prefix =
      is_told_bare(error.message()) ? "" : "The provided starting key is invalid: ";
  return Error::validation(prefix + error.message());
}

// {"NULL": false} is told bare (recorded from DynamoDB by Dynoxide).
Error attribute_value_error(const Error& error, std::string_view placeholder) {
  if (error.message().find("Null attribute value") != std::string::npos) {
    return Error::validation(error.message());
  }
  return Error::validation(
      ("ExpressionAttributeValues contains invalid value: " + error.message() + " for key ")
          .append(placeholder));
}

}  // namespace

RequestReader::RequestReader(std::string_view body, std::pmr::memory_resource* memory)
    : memory_(memory), json_(memory) {
  json_.open(body);
  json_.enter_object();
}

ItemView RequestReader::item(ItemWriter& writer, std::optional<Error>& error) {
  writer.clear();
  ValueJsonReader reader(json_, writer, memory_);
  reader.read_item();
  error = std::move(reader.error());
  return error || json_.failed() ? ItemView() : writer.item();
}

ItemView RequestReader::next_item() {
  std::optional<Error> error;
  if (!items_) items_.emplace(memory_);
  const ItemView read = item(*items_, error);
  if (error && !faults_.item) faults_.item = std::move(error);
  return ItemView(kept(read.bytes()));
}

void RequestReader::attribute_names(AttributeStore& store, ExpressionAttributes& attributes) {
  store.names.clear();
  enter_map("java.lang.String");
  for (std::string_view placeholder; next_member(placeholder);) {
    store.names.push_back({placeholder, text()});
  }
  drop_repeated(store.names);
  attributes.names = store.names;
}

void RequestReader::attribute_values(AttributeStore& store, ExpressionAttributes& attributes) {
  store.values.clear();
  store.value_fault.reset();
  ItemWriter writer(memory_);
  ValueJsonReader reader(json_, writer, memory_);
  enter_map(kAttributeValueClass);
  for (std::string_view placeholder; json_.next_member(placeholder);) {
    writer.clear();
    reader.read_value();
    if (reader.error()) {
      if (!store.value_fault) {
        store.value_fault = attribute_value_error(*reader.error(), placeholder);
      }
      store.values.push_back({placeholder, ValueView(Bytes())});  // nobody gets to see it
    } else if (!json_.failed()) {
      store.values.push_back({placeholder, ValueView(kept(writer.bytes()))});
    }
  }
  drop_repeated(store.values);
  attributes.values = store.values;
  if (!store.value_fault) return;
  attributes.value_fault = &*store.value_fault;
  if (!attribute_value_fault_) attribute_value_fault_ = attributes.value_fault;
}

std::optional<ValueView> RequestReader::next_value(ValueOf value_of) {
  if (!items_) items_.emplace(memory_);
  items_->clear();
  ValueJsonReader reader(json_, *items_, memory_);
  reader.read_value();
  std::optional<Error>& error =
      value_of == ValueOf::KeyCondition ? faults_.key_condition : faults_.parameter;
  if (reader.error()) {
    if (!error) error = std::move(reader.error());
    return std::nullopt;
  }
  if (json_.failed()) return std::nullopt;
  return ValueView(kept(items_->bytes()));
}

void RequestReader::check_nested_collection() {
  const JsonKind kind = json_.kind();
  if (kind == JsonKind::Object || kind == JsonKind::Array || kind == JsonKind::Malformed) return;
  json_.fail(
      "class sun.reflect.generics.reflectiveObjects.ParameterizedTypeImpl cannot be cast to class "
      "java.lang.Class (sun.reflect.generics.reflectiveObjects.ParameterizedTypeImpl and "
      "java.lang.Class are in module java.base of loader 'bootstrap')");
}

void RequestReader::check_member_value() {
  if (json_.kind() != JsonKind::Object) enter_member(kAttributeValueClass);
}

Bytes RequestReader::kept(Bytes bytes) {
  char* const copy = static_cast<char*>(memory_->allocate(bytes.size(), 1));
  std::memcpy(copy, bytes.data(), bytes.size());
  return {copy, bytes.size()};
}

Result<void> RequestReader::finish_values() {
  if (faults_.item) return std::move(*faults_.item);
  if (attribute_value_fault_) return told_fault(*attribute_value_fault_);
  return {};
}

std::optional<ValueFaults> RequestReader::value_faults() {
  if (!faults_.item && !faults_.parameter && !faults_.start_key && !faults_.key_condition) {
    return std::nullopt;
  }
  if (faults_.start_key) faults_.start_key = start_key_error(*faults_.start_key);
  return std::move(faults_);
}

}  // namespace partita
