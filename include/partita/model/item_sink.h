// ItemSink: where members are written, one after another, as an item in its stored form.
//
//   ItemSink sink;
//   sink.begin_item(); sink.name("id"); sink.string("rex"); sink.end_item();
//   api.put_item({.table_name = "Park", .item = sink.item()});
//
// The buffers belong to the thread and are used again, so writing an item allocates nothing once
// they have grown. What cannot be written is remembered, and said by failure().
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "partita/item.h"
#include "partita/value.h"

namespace partita::model {

class ItemSink {
 public:
  ItemSink();
  ~ItemSink();
  ItemSink(const ItemSink&) = delete;
  ItemSink& operator=(const ItemSink&) = delete;

  void clear();
  void begin_item();
  void end_item();
  void name(std::string_view name);

  void string(std::string_view text);
  void binary(Bytes bytes);
  void integer(std::int64_t value);
  void natural(std::uint64_t value);
  void real(double value);
  void ordered_number(Bytes ordered);
  void boolean(bool value);
  void null();
  void value(ValueView value);

  void begin_map();
  void end_map();
  void begin_list();
  void end_list();
  void begin_set(ValueType type);
  void string_member(std::string_view text);
  void binary_member(Bytes bytes);
  void integer_member(std::int64_t value);
  void natural_member(std::uint64_t value);
  void ordered_number_member(Bytes ordered);
  void end_set();

  void fail(std::string sentence);
  bool failed() const { return !failure_.empty(); }
  const std::string& failure() const { return failure_; }

  ItemView item() const;    // after end_item
  ValueView value() const;  // after one value

 private:
  struct Buffers;
  static Buffers* take_buffers();
  Buffers* buffers_;
  std::string failure_;
};

}  // namespace partita::model
