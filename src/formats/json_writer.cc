#include "formats/json_writer.h"

#include <algorithm>
#include <charconv>

#include "base/base64.h"

namespace partita {

namespace {

constexpr std::size_t kEscapeBytesMax = 6;  // \u001f

char* write_escape(char byte, char* at) {
  constexpr char kHex[] = "0123456789abcdef";
  *at++ = '\\';
  switch (byte) {
    case '"':
    case '\\':
      *at++ = byte;
      return at;
    case '\b':
      *at++ = 'b';
      return at;
    case '\f':
      *at++ = 'f';
      return at;
    case '\n':
      *at++ = 'n';
      return at;
    case '\r':
      *at++ = 'r';
      return at;
    case '\t':
      *at++ = 't';
      return at;
    default:
      std::memcpy(at, "u00", 3);
      at[3] = kHex[(byte >> 4) & 0xF];
      at[4] = kHex[byte & 0xF];
      return at + 5;
  }
}

}  // namespace

void JsonWriter::grow(std::size_t count) {
  out_.set_size(static_cast<std::size_t>(at_ - out_.data()));
  at_ = out_.room(count);
  note_end();
}

void JsonWriter::escaped(std::string_view text) {
  while (!text.empty()) {
    const std::size_t plain = plain_length(text.data(), text.size());
    char* at = room(plain + kEscapeBytesMax);
    std::memcpy(at, text.data(), plain);
    at_ = at + plain;
    if (plain == text.size()) break;
    at_ = write_escape(text[plain], at_);
    text.remove_prefix(plain + 1);
  }
  byte('"');
}

void JsonWriter::base64(std::string_view bytes) {
  const std::size_t length = base64_length(bytes.size());
  char* const at = room(length + 2);
  at[0] = '"';
  write_base64(bytes, at + 1);
  at[length + 1] = '"';
  at_ = at + length + 2;
}

void JsonWriter::integer(std::int64_t number) {
  constexpr std::size_t kDigitsMax = 20;
  char* const at = room(kDigitsMax);
  at_ = std::to_chars(at, at + kDigitsMax, number).ptr;
}

// Java's Double.toString, which is what AWS sends: plain digits from 0.001 up to ten million,
// always with a fraction; beyond that d.dddEx.
void JsonWriter::number(double number) {
  char shortest[40];
  const char* const end =
      std::to_chars(shortest, shortest + sizeof shortest, number, std::chars_format::scientific)
          .ptr;
  const char* const exponent_sign = std::find(static_cast<const char*>(shortest), end, 'e');
  int exponent = 0;
  std::from_chars(exponent_sign + (exponent_sign[1] == '+' ? 2 : 1), end, exponent);

  constexpr std::size_t kDigitsMax = 40;
  char* const at = room(kDigitsMax);
  if (number == 0 || (exponent >= -3 && exponent < 7)) {
    char* stop = std::to_chars(at, at + kDigitsMax, number, std::chars_format::fixed).ptr;
    if (std::find(at, stop, '.') == stop) {
      std::memcpy(stop, ".0", 2);
      stop += 2;
    }
    at_ = stop;
    return;
  }
  const std::string_view digits(shortest, static_cast<std::size_t>(exponent_sign - shortest));
  raw(digits);
  if (digits.find('.') == digits.npos) raw(".0");
  byte('E');
  integer(exponent);
}

}  // namespace partita
