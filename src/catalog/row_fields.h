// Reading and writing the fields of a catalog row.
//
// Every row of the catalog is an encoded item with a number `format`. A reader ignores fields it
// does not know, so a field that may be ignored can be added any time; one that may not comes with
// a higher format, which older programs refuse.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "partita/item.h"
#include "partita/result.h"

#include "value/item_encoding.h"

namespace partita {

// An ordered number (value/number.h) that is an integer of 64 bits.
std::optional<std::int64_t> whole_number(Bytes ordered);

// Fields of an item or of a map in it. Reading code is a straight list of fields: what is missing
// or has another type is noted in `problem`, which the caller looks at once at the end.
class RowFields {
 public:
  RowFields(MapView fields, std::string& problem) : fields_(fields), problem_(problem) {}

  std::string string(std::string_view name) const;
  std::int64_t integer(std::string_view name) const;
  bool boolean(std::string_view name) const;
  std::optional<std::string> find_string(std::string_view name) const;
  std::optional<std::int64_t> find_integer(std::string_view name) const;
  std::optional<RowFields> find_map(std::string_view name) const;

  // Calls `each` with every element of a list of maps or strings; no list is an empty one.
  template <typename F>
  void for_each_map(std::string_view name, F each) const {
    for_each(name, ValueType::M,
             [&](ValueView element) { each(RowFields(element.map(), problem_)); });
  }
  template <typename F>
  void for_each_string(std::string_view name, F each) const {
    for_each(name, ValueType::S, [&](ValueView element) { each(element.string()); });
  }

  // Notes that a field's value makes no sense.
  void reject(std::string_view name) const;

 private:
  std::optional<ValueView> find(std::string_view name, ValueType type) const;
  template <typename F>
  void for_each(std::string_view name, ValueType type, F each) const {
    const auto list = find(name, ValueType::L);
    if (!list) return;
    for (const ValueView element : list->list()) {
      if (element.is(type)) {
        each(element);
      } else {
        reject(name);
      }
    }
  }

  MapView fields_;
  std::string& problem_;
};

// The row as an item, if it is one of a format up to `format_known`. `row` names it in messages.
Result<ItemView> check_row(Bytes bytes, std::int64_t format_known, std::string_view row);
// The same row when its fields turned out to make no sense.
Error damaged_row(std::string_view row, std::string_view problem);

// Writing. Absent optionals leave no trace.
void write_field(ItemWriter& writer, std::string_view name, std::string_view text);
void write_field(ItemWriter& writer, std::string_view name, std::int64_t number);
void write_flag(ItemWriter& writer, std::string_view name, bool value);
template <typename T>
void write_field(ItemWriter& writer, std::string_view name, const std::optional<T>& value) {
  if (value) write_field(writer, name, *value);
}

}  // namespace partita
