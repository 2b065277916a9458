// Writing the stored form of items and values (the grammar is in partita/value.h and
// partita/item.h).
#pragma once

#include <array>
#include <memory_resource>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "partita/item.h"
#include "partita/result.h"

#include "base/byte_buffer.h"

namespace partita {

// An attribute's own value is level 1, so a scalar may sit within 31 L and M, not within 32
// (recorded from DynamoDB by the conformance suite of Dynoxide).
inline constexpr unsigned kNestingLevelsMax = 32;

// Writes one value or item after another, front to back, into one buffer: what the JSON decoder
// drives. Names may come in any order; end_map and end_item put them in theirs (a name given twice
// keeps its last value). Sets are sorted, and a member given twice is DynamoDB's error. After an
// error the writer is only good for clear().
//
//   writer.begin_item(); writer.name("pk"); writer.string("a"); writer.end_item();
//
// Names that come in ascending order are written once; others are put in order by one copy through
// a second buffer. Nothing is allocated as long as the buffers have room.
class ItemWriter {
 public:
  explicit ItemWriter(std::pmr::memory_resource* memory = std::pmr::get_default_resource());

  // A new value or item; what was written before is forgotten, the buffer's room is kept.
  void clear();
  void reserve(std::size_t bytes) { out_.reserve(bytes); }

  void begin_item();
  void end_item();  // fills in size and count

  void name(std::string_view name);
  void named_string(std::string_view name, std::string_view text);  // name and string in one step

  void string(std::string_view text);
  void binary(Bytes bytes);
  Result<void> number(std::string_view text);
  void ordered_number(Bytes ordered);
  void boolean(bool value);
  void null();
  void value(ValueView value);  // a copy of an encoded one; its nesting is not checked

  Result<void> begin_map();  // fails beyond the nesting limit
  void end_map();
  Result<void> begin_list();
  void end_list();

  void begin_set(ValueType type);  // SS, NS or BS
  void string_member(std::string_view text);
  void binary_member(Bytes bytes);
  Result<void> number_member(std::string_view text);
  void ordered_number_member(Bytes ordered);
  Result<void> end_set();  // fails for an empty set and for duplicates

  Bytes bytes() const { return out_.view(); }
  ItemView item() const { return ItemView(out_.view()); }
  ValueView value() const { return ValueView(out_.view()); }

 private:
  // An open container. `last` is where its last name or member starts, `ascending` whether all of
  // them came in ascending order, each once.
  struct Open {
    std::size_t start;
    std::size_t last;
    std::uint32_t count;
    char kind;
    bool ascending;
  };
  // A map entry or set member while a container is put in order.
  struct Entry {
    std::uint64_t first_word;  // of the key (the name, or the whole member), see key_words
    std::uint64_t second_word;
    const char* start;     // of the whole entry, which begins with its key
    std::uint32_t length;  // of the whole entry

    Bytes key() const;
    bool operator<(const Entry& other) const;
    bool same_key(const Entry& other) const;
  };

  Open& innermost() { return open_[open_count_ - 1]; }
  void element_starts();
  void open(char kind);
  Result<void> open_nested(char kind);
  void close();
  char* append_length_prefixed(std::size_t lead, Bytes bytes);
  void member(Bytes bytes, bool number);
  bool follows_last(Bytes key);
  void note_key(std::size_t start, Bytes key);
  void collect_entries(const Open& open);
  void sort_entries();
  void rewrite_in_order(Open& open);
  Error duplicate_member(char kind) const;

  ByteBuffer out_;
  ByteBuffer scratch_;
  std::pmr::vector<Entry> entries_;
  std::array<Open, kNestingLevelsMax + 2> open_;  // an item, its levels, a set
  unsigned open_count_ = 0;
  unsigned depth_ = 0;    // open L and M
  std::size_t size_ = 0;  // what DynamoDB charges for what is written so far
  bool size_known_ = true;
};

// How many L and M lie within one another in this value; at most kNestingLevelsMax - 1 are allowed.
unsigned nesting_levels(ValueView value);
Error nesting_error();

// Bytes that did not come from ItemWriter: complete, canonical and within the nesting limit?
Result<ValueView> check_value(Bytes bytes);
Result<ItemView> check_item(Bytes bytes);

// Appends an encoded item with these attributes to `out`; their names ascend, each given once.
void append_item(std::span<const Attribute> attributes, std::string& out);

}  // namespace partita
