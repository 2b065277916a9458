// Attribute values: the ten types of DynamoDB.
//
// A value is stored, passed and read in one encoded form (docs/formats.md, "Item"):
//
//   value  := kind payload
//   S, B   := kind varint32(length) bytes
//   N      := kind u8(length) ordered-number      (memcmp order is numeric order, value/number.h)
//   BOOL   := kTrue | kFalse          NULL := kNull
//   M      := kind u32(bytes) u32(count) { varint32(name length) name value }*   names ascending
//   L      := kind u32(bytes) u32(count) value*
//   SS, BS := kind u32(bytes) u32(count) { varint32(length) bytes }*             ascending, unique
//   NS     := kind u32(bytes) u32(count) { u8(length) ordered-number }*          ascending, unique
//
// All integers are little-endian; u32(bytes) counts what follows u32(count). The form is canonical:
// two values are equal in DynamoDB's sense exactly when their bytes are.
//
// ValueView borrows such bytes, Value owns them. Bytes from outside are checked once where they
// enter (check_value in value/item_encoding.h); views trust what they are given.
#pragma once

#include <cassert>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <iterator>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace partita {

template <typename T>
class Result;

// Bytes that are not text. Attribute names and S values are UTF-8.
using Bytes = std::string_view;

enum class ValueType : std::uint8_t { S, N, B, BOOL, NULL_, M, L, SS, NS, BS };

// "S", "N", … as DynamoDB writes them in messages and JSON.
std::string_view type_name(ValueType type);

namespace encoding {  // the kind byte, and reading the primitives it is followed by

inline constexpr char kString = 0x01, kNumber = 0x02, kBinary = 0x03, kFalse = 0x04, kTrue = 0x05,
                      kNull = 0x06, kMap = 0x07, kList = 0x08, kStringSet = 0x09, kNumberSet = 0x0A,
                      kBinarySet = 0x0B;

inline std::uint32_t read_u32(const char* at) {
  std::uint32_t value;
  std::memcpy(&value, at, sizeof value);  // the supported machines are little-endian
  return value;
}

// Reads a varint32 and moves `at` past it.
inline std::uint32_t read_varint32(const char*& at) {
  std::uint32_t value = static_cast<std::uint8_t>(*at++);
  if (value < 0x80) [[likely]]
    return value;
  value &= 0x7F;
  for (unsigned shift = 7;; shift += 7) {
    const std::uint32_t byte = static_cast<std::uint8_t>(*at++);
    value |= (byte & 0x7F) << shift;
    if (byte < 0x80) return value;
  }
}

// Where the value that starts at `at` ends. S, B and N carry their length the same way, as a
// number's is below 0x80; the kinds are in an order that lets two comparisons tell.
inline const char* value_end(const char* at) {
  const char kind = *at++;
  if (kind <= kBinary) {
    const std::uint32_t length = read_varint32(at);
    return at + length;
  }
  return kind <= kNull ? at : at + 8 + read_u32(at);
}

}  // namespace encoding

class ListView;
class MapView;
class SetView;

// A value in place. Valid as long as the bytes it was made from.
class ValueView {
 public:
  // `bytes` is exactly one encoded value.
  explicit ValueView(Bytes bytes) : bytes_(bytes) {}
  // The value that starts at `start`, whose length it carries itself.
  static ValueView at(const char* start) {
    return ValueView(Bytes(start, static_cast<std::size_t>(encoding::value_end(start) - start)));
  }

  ValueType type() const {
    constexpr ValueType types[] = {ValueType::S,     ValueType::S,    ValueType::N,
                                   ValueType::B,     ValueType::BOOL, ValueType::BOOL,
                                   ValueType::NULL_, ValueType::M,    ValueType::L,
                                   ValueType::SS,    ValueType::NS,   ValueType::BS};
    return types[static_cast<std::uint8_t>(bytes_[0])];
  }
  bool is(ValueType type_wanted) const { return type() == type_wanted; }

  Bytes bytes() const { return bytes_; }  // the whole encoded value

  // Each asserts that the value has the type it reads.
  std::string_view string() const { return length_prefixed(encoding::kString); }
  Bytes binary() const { return length_prefixed(encoding::kBinary); }
  Bytes ordered_number() const {  // print_number (value/number.h) turns it into text
    assert(bytes_[0] == encoding::kNumber);
    return bytes_.substr(2);
  }
  std::string number() const;  // as DynamoDB prints it
  bool boolean() const { return bytes_[0] == encoding::kTrue; }
  MapView map() const;
  ListView list() const;
  SetView set() const;

  // Elements of a list, entries of a map, members of a set.
  std::uint32_t count() const { return encoding::read_u32(bytes_.data() + 5); }

  friend bool operator==(ValueView left, ValueView right) { return left.bytes_ == right.bytes_; }

 private:
  Bytes length_prefixed([[maybe_unused]] char kind) const {
    assert(bytes_[0] == kind);
    const char* at = bytes_.data() + 1;
    const std::uint32_t length = encoding::read_varint32(at);
    return {at, length};
  }

  Bytes bytes_;
};

// The elements of a list, in order: for (ValueView element : value.list()).
class ListView {
 public:
  ListView(const char* start, const char* end) : start_(start), end_(end) {}
  class Iterator {
   public:
    using iterator_category = std::forward_iterator_tag;
    using value_type = ValueView;
    using difference_type = std::ptrdiff_t;
    using pointer = void;
    using reference = ValueView;
    explicit Iterator(const char* at = nullptr) : at_(at) {}
    ValueView operator*() const { return ValueView::at(at_); }
    Iterator& operator++() { return at_ = encoding::value_end(at_), *this; }
    Iterator operator++(int) {
      Iterator before = *this;
      ++*this;
      return before;
    }
    friend bool operator==(Iterator, Iterator) = default;

   private:
    const char* at_;
  };
  Iterator begin() const { return Iterator(start_); }
  Iterator end() const { return Iterator(end_); }
  std::optional<ValueView> find(std::size_t index) const {
    for (const char* at = start_; at != end_; at = encoding::value_end(at), --index) {
      if (index == 0) return ValueView::at(at);
    }
    return std::nullopt;
  }

 private:
  const char* start_;
  const char* end_;
};

// The members of a set, ascending. Of an NS they are ordered numbers, otherwise the bytes.
class SetView {
 public:
  SetView(const char* start, const char* end, bool numbers)
      : start_(start), end_(end), numbers_(numbers) {}
  class Iterator {
   public:
    using iterator_category = std::forward_iterator_tag;
    using value_type = Bytes;
    using difference_type = std::ptrdiff_t;
    using pointer = void;
    using reference = Bytes;
    explicit Iterator(const char* at = nullptr, bool numbers = false)
        : at_(at), numbers_(numbers) {}
    Bytes operator*() const {
      const char* at = at_;
      const std::uint32_t length = read_length(at);
      return {at, length};
    }
    Iterator& operator++() {
      const std::uint32_t length = read_length(at_);
      at_ += length;
      return *this;
    }
    Iterator operator++(int) {
      Iterator before = *this;
      ++*this;
      return before;
    }
    friend bool operator==(Iterator left, Iterator right) { return left.at_ == right.at_; }

   private:
    std::uint32_t read_length(const char*& at) const {
      return numbers_ ? static_cast<std::uint8_t>(*at++) : encoding::read_varint32(at);
    }
    const char* at_;
    bool numbers_;
  };
  Iterator begin() const { return Iterator(start_, numbers_); }
  Iterator end() const { return Iterator(end_, numbers_); }
  bool contains(Bytes member) const;

 private:
  const char* start_;
  const char* end_;
  bool numbers_;
};

struct Attribute {
  std::string_view name;
  ValueView value;
};

// Named values, ascending by name: the body of an M and of an item.
class MapView {
 public:
  MapView(const char* start, const char* end) : start_(start), end_(end) {}
  class Iterator {
   public:
    using iterator_category = std::forward_iterator_tag;
    using value_type = Attribute;
    using difference_type = std::ptrdiff_t;
    using pointer = void;
    using reference = Attribute;
    explicit Iterator(const char* at = nullptr) : at_(at) {}
    Attribute operator*() const {
      const char* at = at_;
      const std::uint32_t length = encoding::read_varint32(at);
      return {{at, length}, ValueView::at(at + length)};
    }
    Iterator& operator++() {
      const std::uint32_t length = encoding::read_varint32(at_);
      at_ = encoding::value_end(at_ + length);
      return *this;
    }
    Iterator operator++(int) {
      Iterator before = *this;
      ++*this;
      return before;
    }
    friend bool operator==(Iterator, Iterator) = default;

   private:
    const char* at_;
  };
  Iterator begin() const { return Iterator(start_); }
  Iterator end() const { return Iterator(end_); }
  std::optional<ValueView> find(std::string_view name) const;
  Bytes bytes() const { return {start_, static_cast<std::size_t>(end_ - start_)}; }

 private:
  const char* start_;
  const char* end_;
};

inline MapView ValueView::map() const {
  assert(is(ValueType::M));
  return {bytes_.data() + 9, bytes_.data() + bytes_.size()};
}
inline ListView ValueView::list() const {
  assert(is(ValueType::L));
  return {bytes_.data() + 9, bytes_.data() + bytes_.size()};
}
inline SetView ValueView::set() const {
  assert(bytes_[0] >= encoding::kStringSet);
  return {bytes_.data() + 9, bytes_.data() + bytes_.size(), bytes_[0] == encoding::kNumberSet};
}

// An owned value, for programs that make items in C++:
//
//   Value::string("Ada"), Value::number(42), Value::list({Value::boolean(true), Value::null()})
//
// Functions that can be given something DynamoDB has no value for return a Result.
class Value {
 public:
  explicit Value(ValueView view) : bytes_(view.bytes()) {}

  static Value string(std::string_view text);
  static Value number(std::int64_t number);
  static Result<Value> number(std::string_view decimal);  // "3.14", "-1E-5"
  static Value ordered_number(Bytes ordered);             // bytes of value/number.h
  static Value binary(Bytes bytes);
  static Value boolean(bool value);
  static Value null();
  static Value list(std::initializer_list<Value> elements);
  static Value list(std::span<const Value> elements);
  static Value map(std::initializer_list<std::pair<std::string_view, Value>> entries);
  static Result<Value> string_set(std::span<const std::string_view> members);
  static Result<Value> number_set(std::span<const std::string_view> members);
  static Result<Value> binary_set(std::span<const Bytes> members);

  ValueView view() const { return ValueView(bytes_); }
  operator ValueView() const { return view(); }  // NOLINT: an owner is readable as a view

  friend bool operator==(const Value&, const Value&) = default;

 private:
  friend class ItemWriter;
  explicit Value(std::string bytes) : bytes_(std::move(bytes)) {}
  std::string bytes_;
};

}  // namespace partita
