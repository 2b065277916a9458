// Integers as bytes: little-endian in values, big-endian where memcmp must order them, varint32 for
// lengths. Writers append to a std::string; ByteReader reads bytes nobody has checked yet.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace partita {

static_assert(std::endian::native == std::endian::little, "the stored forms are little-endian");

inline constexpr std::size_t kVarint32BytesMax = 5;

inline std::uint32_t byte_swapped(std::uint32_t value) { return __builtin_bswap32(value); }
inline std::uint64_t byte_swapped(std::uint64_t value) { return __builtin_bswap64(value); }

inline void write_u32(char* at, std::uint32_t value) { std::memcpy(at, &value, sizeof value); }

// Writes at most kVarint32BytesMax bytes and returns where they end.
inline char* write_varint32(char* at, std::uint32_t value) {
  while (value >= 0x80) {
    *at++ = static_cast<char>(value | 0x80);
    value >>= 7;
  }
  *at++ = static_cast<char>(value);
  return at;
}

constexpr std::size_t varint32_bytes(std::uint32_t value) {
  std::size_t count = 1;
  for (; value >= 0x80; value >>= 7) ++count;
  return count;
}

template <typename Unsigned>
void append_raw(std::string& out, Unsigned value) {
  char bytes[sizeof value];
  std::memcpy(bytes, &value, sizeof value);
  out.append(bytes, sizeof value);
}
inline void append_u32(std::string& out, std::uint32_t value) { append_raw(out, value); }
inline void append_u64(std::string& out, std::uint64_t value) { append_raw(out, value); }
inline void append_big_endian_u32(std::string& out, std::uint32_t value) {
  append_raw(out, byte_swapped(value));
}
inline void append_big_endian_u64(std::string& out, std::uint64_t value) {
  append_raw(out, byte_swapped(value));
}
inline void append_varint32(std::string& out, std::uint32_t value) {
  char bytes[kVarint32BytesMax];
  out.append(bytes, static_cast<std::size_t>(write_varint32(bytes, value) - bytes));
}
// A length and the bytes it counts.
inline void append_length_prefixed(std::string& out, std::string_view bytes) {
  append_varint32(out, static_cast<std::uint32_t>(bytes.size()));
  out.append(bytes);
}

// Reads untrusted bytes front to back. A read that fails returns false, moves nothing and leaves
// its result alone.
class ByteReader {
 public:
  explicit ByteReader(std::string_view bytes)
      : at_(bytes.data()), end_(bytes.data() + bytes.size()) {}

  const char* position() const { return at_; }
  std::size_t remaining() const { return static_cast<std::size_t>(end_ - at_); }
  bool at_end() const { return at_ == end_; }
  std::string_view rest() const { return {at_, remaining()}; }

  [[nodiscard]] bool read_u8(std::uint8_t& value) { return read_raw(value); }
  [[nodiscard]] bool read_u32(std::uint32_t& value) { return read_raw(value); }
  [[nodiscard]] bool read_u64(std::uint64_t& value) { return read_raw(value); }
  [[nodiscard]] bool read_big_endian_u32(std::uint32_t& value) {
    return read_raw(value) && (value = byte_swapped(value), true);
  }
  [[nodiscard]] bool read_big_endian_u64(std::uint64_t& value) {
    return read_raw(value) && (value = byte_swapped(value), true);
  }

  // Only the shortest form of each number is taken, so that there is one form.
  [[nodiscard]] bool read_varint32(std::uint32_t& value) {
    std::uint64_t sum = 0;
    const std::size_t available = remaining();
    for (std::size_t i = 0; i < kVarint32BytesMax && i < available; ++i) {
      const std::uint64_t byte = static_cast<std::uint8_t>(at_[i]);
      sum |= (byte & 0x7F) << (7 * i);
      if (byte >= 0x80) continue;
      if ((byte == 0 && i != 0) || sum > UINT32_MAX) return false;
      value = static_cast<std::uint32_t>(sum);
      at_ += i + 1;
      return true;
    }
    return false;
  }

  [[nodiscard]] bool read_bytes(std::size_t count, std::string_view& bytes) {
    if (remaining() < count) return false;
    bytes = {at_, count};
    at_ += count;
    return true;
  }
  [[nodiscard]] bool read_length_prefixed(std::string_view& bytes) {
    const char* const before = at_;
    std::uint32_t length = 0;
    if (read_varint32(length) && read_bytes(length, bytes)) return true;
    at_ = before;
    return false;
  }

 private:
  template <typename Unsigned>
  bool read_raw(Unsigned& value) {
    if (remaining() < sizeof value) return false;
    std::memcpy(&value, at_, sizeof value);
    at_ += sizeof value;
    return true;
  }

  const char* at_;
  const char* end_;
};

}  // namespace partita
