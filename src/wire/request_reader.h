// RequestReader: the JSON of one request about items, and what is wrong with it.
//
// AWS finds faults in this order, and so do the operations' decoders: JSON and its types
// (finish_json), the table's name, the constraints of the API model all together (ShapeRules), and
// at last attribute values: those of batches and transactions at once (finish_values), others where
// the operation comes to them (value_faults).
#pragma once

#include <cstdint>
#include <memory>
#include <memory_resource>
#include <optional>
#include <span>
#include <string_view>
#include <type_traits>
#include <vector>

#include "partita/requests/items.h"
#include "partita/result.h"

#include "formats/json_reader.h"
#include "formats/typed_json.h"
#include "value/item_encoding.h"

namespace partita {

// What ExpressionAttributes borrows from.
struct AttributeStore {
  explicit AttributeStore(std::pmr::memory_resource* memory) : names(memory), values(memory) {}
  std::pmr::vector<ExpressionAttributeName> names;
  std::pmr::vector<ExpressionAttributeValue> values;
  std::optional<Error> value_fault;  // what is wrong with the first value that is none
};

class RequestReader {
 public:
  RequestReader(std::string_view body, std::pmr::memory_resource* memory);

  // The next member that is not null. Exactly one of the functions below reads its value.
  bool next_member(std::string_view& name) {
    while (json_.next_member(name)) {
      if (!json_.read_null()) return true;
    }
    return false;
  }

  std::string_view text() { return read_text(json_); }
  bool truth() { return read_truth(json_); }
  std::int32_t integer() { return read_integer(json_); }
  ItemView item(ItemWriter& writer) { return item(writer, faults_.item); }  // Item or Key
  // The same for requests that have many: what is read stays in the memory resource. Of all that is
  // wrong with them the first is kept.
  ItemView next_item();
  ItemView exclusive_start_key(ItemWriter& writer) { return item(writer, faults_.start_key); }
  void attribute_names(AttributeStore& store, ExpressionAttributes& attributes);
  void attribute_values(AttributeStore& store, ExpressionAttributes& attributes);

  // What lies deeper: maps and structures are gone through with next_member. `element` is the class
  // of a map's values or of the structure itself, as AWS names it.
  void enter_map(std::string_view element) { partita::enter_map(json_, element); }
  void enter_list() { partita::enter_list(json_); }
  bool next_element() { return json_.next_element(); }
  void enter_structure(std::string_view element) { enter_element_structure(json_, element); }
  void enter_member(std::string_view element) { enter_member_structure(json_, element); }

  // Before a list or map that is itself an element of one: AWS speaks differently of a scalar
  // there.
  void check_nested_collection();

  void skip() { json_.skip_value(); }  // a member that means nothing, which AWS ignores

  // One value of a parameter from before expressions; what is read stays in the memory resource.
  // Absent if it is none: the first such error is kept, that of a KeyCondition for later.
  enum class ValueOf : std::uint8_t { Parameter, KeyCondition };
  std::optional<ValueView> next_value(ValueOf value_of);
  // Before next_value where the value is a member, of which AWS speaks differently if it is no
  // structure at all.
  void check_member_value();
  std::pmr::memory_resource* memory() const { return memory_; }
  template <typename T>
  std::span<const T> kept(const std::pmr::vector<T>& read) {
    static_assert(std::is_trivially_copyable_v<T>);
    T* const copy = static_cast<T*>(memory_->allocate(read.size() * sizeof(T), alignof(T)));
    std::uninitialized_copy(read.begin(), read.end(), copy);
    return {copy, read.size()};
  }

  Result<void> finish_json() { return json_.finish(); }
  Result<void> finish_values();
  // What finish_values would tell, but for values of expressions, of which `store` knows.
  std::optional<ValueFaults> value_faults();

 private:
  ItemView item(ItemWriter& writer, std::optional<Error>& error);
  Bytes kept(Bytes bytes);

  std::pmr::memory_resource* memory_;
  JsonReader json_;
  ValueFaults faults_;
  const Error* attribute_value_fault_ = nullptr;  // the first, in its store
  std::optional<ItemWriter> items_;  // for next_item and next_value; others do not pay for it
};

}  // namespace partita
