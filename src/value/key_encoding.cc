#include "value/key_encoding.h"

#include <array>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "value/number.h"

namespace partita {
namespace {

constexpr char kStringKey = 0x21, kBinaryKey = 0x22;
// After a zero byte: the end of the component, or a zero that is data.
constexpr char kEnd = 0x01;
constexpr char kEscapedZero = static_cast<char>(0xFF);

void append_escaped(Bytes bytes, std::string& out) {
  for (;;) {
    const std::size_t zero = bytes.find('\0');
    if (zero == Bytes::npos) break;
    out.append(bytes.substr(0, zero + 1));
    out.push_back(kEscapedZero);
    bytes.remove_prefix(zero + 1);
  }
  out.append(bytes);
}

Error no_key() { return Error::internal("A stored key cannot be read."); }

}  // namespace

void append_key_prefix(ValueView value, std::string& out) {
  const bool string = value.is(ValueType::S);
  out.push_back(string ? kStringKey : kBinaryKey);
  append_escaped(string ? value.string() : value.binary(), out);
}

void append_key_component(ValueView value, std::string& out) {
  if (value.is(ValueType::N)) {
    out.append(value.ordered_number());
    return;
  }
  const bool string = value.is(ValueType::S);
  const Bytes bytes = string ? value.string() : value.binary();
  std::array<char, 64> room;
  if (bytes.size() + 3 > room.size() || bytes.find('\0') != Bytes::npos) [[unlikely]] {
    append_key_prefix(value, out);
    out.push_back('\0');
    out.push_back(kEnd);
    return;
  }
  // The usual short key in one step.
  room[0] = string ? kStringKey : kBinaryKey;
  bytes.copy(room.data() + 1, bytes.size());
  room[bytes.size() + 1] = '\0';
  room[bytes.size() + 2] = kEnd;
  out.append(room.data(), bytes.size() + 3);
}

std::string after_prefix(Bytes prefix) {
  std::string after(prefix);
  while (!after.empty() && after.back() == static_cast<char>(0xFF)) after.pop_back();
  if (!after.empty()) after.back() = static_cast<char>(after.back() + 1);
  return after;
}

Result<Value> read_key_component(Bytes& key) {
  if (const std::size_t length = ordered_number_length(key); length != 0) {
    Value value = Value::ordered_number(key.substr(0, length));
    key.remove_prefix(length);
    return value;
  }
  if (key.empty() || (key[0] != kStringKey && key[0] != kBinaryKey)) return no_key();
  std::string text;
  Bytes rest = key.substr(1);
  for (;;) {
    const std::size_t zero = rest.find('\0');
    if (zero == Bytes::npos) return no_key();
    text.append(rest.substr(0, zero));
    rest.remove_prefix(zero + 1);
    if (rest.empty()) return no_key();
    const char after_zero = rest[0];
    rest.remove_prefix(1);
    if (after_zero == kEnd) break;
    if (after_zero != kEscapedZero) return no_key();
    text.push_back('\0');
  }
  Value value = key[0] == kStringKey ? Value::string(text) : Value::binary(text);
  key = rest;
  return value;
}

std::uint64_t partition_hash(Bytes partition_key) {
  return XXH3_64bits(partition_key.data(), partition_key.size());
}

}  // namespace partita
