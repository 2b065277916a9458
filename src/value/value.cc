#include "partita/value.h"

#include "partita/result.h"

#include "base/coding.h"
#include "value/item_encoding.h"
#include "value/number.h"

namespace partita {

using namespace encoding;

std::string_view type_name(ValueType type) {
  constexpr std::string_view names[] = {"S", "N", "B", "BOOL", "NULL", "M", "L", "SS", "NS", "BS"};
  return names[static_cast<std::size_t>(type)];
}

std::string ValueView::number() const {
  std::string text;
  print_number(ordered_number(), text);
  return text;
}

bool SetView::contains(Bytes member) const {
  for (Bytes other : *this) {
    if (other >= member) return other == member;
  }
  return false;
}

// On every path there is, so it looks at as little as it can: one byte tells most other names apart
// and when the name cannot come any more. Behind an empty name that byte is the value's kind.
std::optional<ValueView> MapView::find(std::string_view name) const {
  const unsigned char first_wanted = name.empty() ? 0 : static_cast<unsigned char>(name[0]);
  const char* at = start_;
  if (first_wanted > kBinarySet) [[likely]] {
    while (at != end_) {
      const char* next = at;
      const std::uint32_t length = read_varint32(next);
      if (static_cast<unsigned char>(*next) >= first_wanted) break;
      at = value_end(next + length);
    }
  }
  while (at != end_) {
    const std::uint32_t length = read_varint32(at);
    if (length == name.size() && (length == 0 || std::memcmp(at, name.data(), length) == 0)) {
      return ValueView::at(at + length);
    }
    if (length != 0 && static_cast<unsigned char>(*at) > first_wanted) return std::nullopt;
    at = value_end(at + length);
  }
  return std::nullopt;
}

namespace {

std::string length_prefixed(char kind, Bytes bytes) {
  std::string out(1, kind);
  append_length_prefixed(out, bytes);
  return out;
}

Result<std::string> set_of(ValueType type, std::span<const std::string_view> members) {
  ItemWriter writer;
  writer.begin_set(type);
  for (std::string_view member : members) {
    if (type == ValueType::NS) {
      PARTITA_CHECK(writer.number_member(member));
    } else if (type == ValueType::SS) {
      writer.string_member(member);
    } else {
      writer.binary_member(member);
    }
  }
  PARTITA_CHECK(writer.end_set());
  return std::string(writer.bytes());
}

}  // namespace

Value Value::string(std::string_view text) { return Value(length_prefixed(kString, text)); }

Value Value::number(std::int64_t number) { return ordered_number(number_from(number).bytes()); }

Result<Value> Value::number(std::string_view decimal) {
  PARTITA_TRY(const OrderedNumber number, parse_number(decimal));
  return ordered_number(number.bytes());
}

Value Value::ordered_number(Bytes ordered) { return Value(length_prefixed(kNumber, ordered)); }

Value Value::binary(Bytes bytes) { return Value(length_prefixed(kBinary, bytes)); }

Value Value::boolean(bool value) { return Value(std::string(1, value ? kTrue : kFalse)); }

Value Value::null() { return Value(std::string(1, kNull)); }

Value Value::list(std::initializer_list<Value> elements) {
  return list(std::span<const Value>(elements.begin(), elements.size()));
}

Value Value::list(std::span<const Value> elements) {
  std::string out(9, kList);
  for (const Value& element : elements) out.append(element.bytes_);
  write_u32(out.data() + 1, static_cast<std::uint32_t>(out.size() - 9));
  write_u32(out.data() + 5, static_cast<std::uint32_t>(elements.size()));
  return Value(std::move(out));
}

Value Value::map(std::initializer_list<std::pair<std::string_view, Value>> entries) {
  ItemWriter writer;
  static_cast<void>(writer.begin_map());  // the first level is always allowed
  for (const auto& [name, value] : entries) {
    writer.name(name);
    writer.value(value.view());
  }
  writer.end_map();
  return Value(writer.value());
}

Result<Value> Value::string_set(std::span<const std::string_view> members) {
  PARTITA_TRY(std::string bytes, set_of(ValueType::SS, members));
  return Value(std::move(bytes));
}

Result<Value> Value::number_set(std::span<const std::string_view> members) {
  PARTITA_TRY(std::string bytes, set_of(ValueType::NS, members));
  return Value(std::move(bytes));
}

Result<Value> Value::binary_set(std::span<const Bytes> members) {
  PARTITA_TRY(std::string bytes, set_of(ValueType::BS, members));
  return Value(std::move(bytes));
}

}  // namespace partita
