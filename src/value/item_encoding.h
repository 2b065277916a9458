// Writing the stored form of items and values (the grammar is in partita/value.h and partita/item.h).
#pragma once

#include <memory_resource>
#include <string>
#include <string_view>
#include <vector>

#include "partita/item.h"
#include "partita/result.h"

namespace partita {

inline constexpr unsigned kNestingLevelsMax = 32;  // of L and M

// Writes one value or item after another, front to back, into one buffer: what the JSON decoder
// drives. Names may come in any order; end_map and end_item put them in theirs (a name given twice
// keeps its last value). Sets are sorted, and a member given twice is DynamoDB's error.
//
//   writer.begin_item(); writer.name("pk"); writer.string("a"); PARTITA_CHECK(writer.end_item());
class ItemWriter {
 public:
  explicit ItemWriter(std::pmr::memory_resource* memory = std::pmr::get_default_resource());

  // A new value or item; what was written before is forgotten, the buffer's room is kept.
  void clear();
  void reserve(std::size_t bytes) { out_.reserve(bytes); }

  void begin_item();
  void end_item();  // fills in size and count

  void name(std::string_view name);

  void string(std::string_view text);
  void binary(Bytes bytes);
  Result<void> number(std::string_view text);
  void ordered_number(Bytes ordered);
  void boolean(bool value);
  void null();
  void value(ValueView value);  // a copy of an encoded one

  Result<void> begin_map();  // fails beyond 32 levels
  void end_map();
  Result<void> begin_list();
  void end_list();

  void begin_set(ValueType type);  // SS, NS or BS
  void string_member(std::string_view text);
  void binary_member(Bytes bytes);
  Result<void> number_member(std::string_view text);
  void ordered_number_member(Bytes ordered);
  Result<void> end_set();  // fails for an empty set and for duplicates

  Bytes bytes() const { return out_; }
  ItemView item() const { return ItemView(Bytes(out_)); }
  ValueView value() const { return ValueView(Bytes(out_)); }

 private:
  // One open container: where it starts in out_, and where its entries start in entries_.
  struct Open {
    std::size_t start;
    std::size_t first_entry;
    char kind;
  };
  void element_starts();
  void sort_entries(const Open& open, bool named);
  std::uint32_t close(const Open& open);

  std::pmr::string out_;
  std::pmr::vector<Open> open_;
  std::pmr::vector<std::size_t> entries_;  // starts of the entries of all open containers
  std::pmr::string scratch_;
  unsigned depth_ = 0;
};

// Bytes that did not come from ItemWriter: complete, canonical and within the nesting limit?
Result<ValueView> check_value(Bytes bytes);
Result<ItemView> check_item(Bytes bytes);

// A new item from parts of others: attributes of `item` whose name the predicate keeps, and so on.
// Appends an encoded item with these attributes (ascending names) to `out`.
void append_item(std::span<const Attribute> attributes, std::string& out);

}  // namespace partita
