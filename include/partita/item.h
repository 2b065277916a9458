// Items: named attribute values in one contiguous buffer.
//
//   item := kItemFormat u32(size) u32(count) { varint32(name length) name value }*   names
//   ascending
//
// `size` is what DynamoDB charges for the item (value/item_size.h); it is kept so that pages and
// capacity need no walk through the attributes. See partita/value.h for `value`.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "partita/value.h"

namespace partita {

inline constexpr char kItemFormat = 0x01;
inline constexpr std::size_t kItemHeaderBytes = 9;

// An item in place. The default-made view is the item without attributes.
class ItemView {
 public:
  ItemView() : bytes_(std::string_view("\x01\0\0\0\0\0\0\0\0", kItemHeaderBytes)) {}
  explicit ItemView(Bytes bytes) : bytes_(bytes) {
    assert(bytes.size() >= kItemHeaderBytes && bytes[0] == kItemFormat);
  }

  std::optional<ValueView> find(std::string_view name) const { return attributes().find(name); }
  MapView attributes() const {
    return {bytes_.data() + kItemHeaderBytes, bytes_.data() + bytes_.size()};
  }
  MapView::Iterator begin() const { return attributes().begin(); }
  MapView::Iterator end() const { return attributes().end(); }

  std::uint32_t size_bytes() const { return encoding::read_u32(bytes_.data() + 1); }  // as charged
  std::uint32_t count() const { return encoding::read_u32(bytes_.data() + 5); }
  bool empty() const { return count() == 0; }
  Bytes bytes() const { return bytes_; }

  friend bool operator==(ItemView left, ItemView right) { return left.bytes_ == right.bytes_; }

 private:
  Bytes bytes_;
};

// An owned item.
//
//   Item item{{"pk", Value::string("user#1")}, {"age", Value::number(36)}};
class Item {
 public:
  Item() : bytes_(ItemView().bytes()) {}
  explicit Item(ItemView view) : bytes_(view.bytes()) {}
  // A name given twice keeps its last value.
  Item(std::initializer_list<std::pair<std::string_view, Value>> attributes);
  static Item from_encoded(std::string bytes) { return Item(std::move(bytes)); }

  // Adds or replaces; costs a copy of the item, so build large ones in one go.
  void set(std::string_view name, ValueView value);

  std::optional<ValueView> find(std::string_view name) const { return view().find(name); }
  ItemView view() const { return ItemView(bytes_); }
  operator ItemView() const { return view(); }  // NOLINT: an owner is readable as a view

  friend bool operator==(const Item&, const Item&) = default;

 private:
  explicit Item(std::string bytes) : bytes_(std::move(bytes)) {}
  std::string bytes_;
};

// Many items in one buffer: a page of a Query or Scan.
class ItemList {
 public:
  void append(ItemView item) {
    buffer_.append(item.bytes());
    ends_.push_back(buffer_.size());
  }
  // For writers that build an item in place: bytes after the last end belong to the next item.
  std::string& buffer() { return buffer_; }
  void finish_item() { ends_.push_back(buffer_.size()); }

  std::size_t size() const { return ends_.size(); }
  bool empty() const { return ends_.empty(); }
  ItemView operator[](std::size_t index) const {
    const std::size_t start = index == 0 ? 0 : ends_[index - 1];
    return ItemView(Bytes(buffer_).substr(start, ends_[index] - start));
  }

 private:
  std::string buffer_;
  std::vector<std::size_t> ends_;
};

}  // namespace partita
