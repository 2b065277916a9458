// JsonReader: one JSON document, read front to back without building a tree.
//
// simdjson's first stage checks UTF-8 and finds where every token starts, many bytes at a time; the
// walk over those tokens is ours. (Its on-demand walk leaves skipped values unchecked and copies
// every string; this one checks the whole document and hands out strings where they lie in the
// body.)
//
// A reader fails once and stays failed: after that loops over members end and values read as empty,
// so that decoders are written without a check per token and ask at the end, in finish():
//
//   JsonReader json(memory);
//   json.open(body);
//   json.enter_object();
//   for (std::string_view name; json.next_member(name);) { … exactly one value is read … }
//   PARTITA_CHECK(json.finish());
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <memory_resource>
#include <string>
#include <string_view>

#include "partita/result.h"

#include "formats/text_scan.h"

namespace partita {

// Nesting beyond this is malformed. Attribute values need about 70 levels.
inline constexpr unsigned kJsonDepthMax = 1024;

// Bytes after the body that must be readable, though never believed.
inline constexpr std::size_t kJsonPaddingBytes = 64;

enum class JsonKind : std::uint8_t { Object, Array, String, Number, True, False, Null, Malformed };

// What a value is, by its first byte.
inline constexpr std::array<JsonKind, 256> kJsonKindOfByte = [] {
  std::array<JsonKind, 256> table{};
  for (JsonKind& kind : table) kind = JsonKind::Malformed;
  table['{'] = JsonKind::Object;
  table['['] = JsonKind::Array;
  table['"'] = JsonKind::String;
  table['t'] = JsonKind::True;
  table['f'] = JsonKind::False;
  table['n'] = JsonKind::Null;
  table['-'] = JsonKind::Number;
  for (unsigned digit = '0'; digit <= '9'; ++digit) table[digit] = JsonKind::Number;
  return table;
}();

class JsonTokens;  // what the first stage found; kept per thread for the next document

class JsonReader {
 public:
  // Strings with escapes are unescaped into `memory`; all others borrow from the body.
  explicit JsonReader(std::pmr::memory_resource* memory);
  ~JsonReader();
  JsonReader(const JsonReader&) = delete;
  JsonReader& operator=(const JsonReader&) = delete;

  void open(std::string_view body);

  // The value that comes next. Exactly one of the functions below then reads it.
  JsonKind kind() const { return kJsonKindOfByte[static_cast<std::uint8_t>(token())]; }

  void enter_object() { expect('{'); }
  // The next member's name; its value must be read before the next call. False at the end.
  bool next_member(std::string_view& name) {
    const char next = token();
    if (previous_token() != '{') {
      if (next == '}') return leave();
      if (next != ',') [[unlikely]]
        return malformed();
      ++next_;
    } else if (next == '}') {
      return leave();
    }
    name = read_string();
    expect(':');
    return !failed_;
  }

  // The shape of nearly all attribute values, {"S": …}: if an object comes next whose first member
  // has a name of one plain letter and is not null, enters it and reads that name. Otherwise
  // nothing is read and the answer is false.
  bool enter_lettered_object(char& letter) {
    if (end_ - next_ < 5 || body_[next_[0]] != '{' || body_[next_[1]] != '"') return false;
    const char* const name = body_ + next_[1] + 1;
    if (name[0] == '\\' || name[0] == '"' || name[1] != '"') return false;
    if (body_[next_[2]] != ':' || body_[next_[3]] == 'n') return false;
    letter = name[0];
    next_ += 3;
    return true;
  }
  // The commonest value of all, {"S": "text"}, in one step: if just this comes next, reads it.
  // Otherwise nothing is read and the answer is false.
  bool read_text_object(std::string_view& text) {
    if (end_ - next_ < 6 || body_[next_[0]] != '{' || body_[next_[1]] != '"') return false;
    const char* const name = body_ + next_[1] + 1;
    if (name[0] != 'S' || name[1] != '"' || body_[next_[2]] != ':') return false;
    const char* const start = body_ + next_[3] + 1;
    const char* const quote = body_ + next_[4] - 1;
    if (start[-1] != '"' || quote[1] != '}' || quote < start || quote[0] != '"') return false;
    const auto length = static_cast<std::size_t>(quote - start);
    if (has_backslash(start, length)) return false;
    text = {start, length};
    next_ += 5;
    return true;
  }
  // If the object ends here, leaves it.
  bool leave_object() {
    if (token() != '}') return false;
    ++next_;
    return true;
  }

  void enter_array() { expect('['); }
  // True if there is another element, whose value comes next. False at the end.
  bool next_element() {
    const char next = token();
    if (previous_token() != '[') {
      if (next == ']') return leave();
      if (next != ',') [[unlikely]]
        return malformed();
      ++next_;
    } else if (next == ']') {
      return leave();
    }
    return true;
  }

  std::string_view read_string() {
    if (token() != '"') [[unlikely]]
      return refused_string();
    const char* const text = body_ + *next_ + 1;
    ++next_;
    // Nothing but spaces lies between the closing quote and the next token (after the last one: the
    // document's end), so the string's end is found from there, however long it is.
    const char* const quote = body_ + *next_ - 1;
    if (quote < text || *quote != '"') [[unlikely]]
      return read_spaced_string(text, quote);
    const auto length = static_cast<std::size_t>(quote - text);
    if (has_backslash(text, length)) [[unlikely]]
      return unescape(text, length);
    return {text, length};
  }
  std::string_view read_number();  // as written
  bool read_boolean();
  // True if the next value is null, which is then read.
  bool read_null() { return token() == 'n' && read_word("null"); }
  void skip_value();

  bool failed() const { return failed_; }
  // The first failure is kept. `reason` is for the client; a malformed document has none.
  void fail(std::string reason);
  // Was this the whole document, and was all of it well?
  Result<void> finish();

 private:
  char token() const { return next_ != end_ ? body_[*next_] : '\0'; }
  // Only a container that was just entered leaves its bracket behind as the previous token.
  char previous_token() const { return next_ != first_ ? body_[next_[-1]] : '\0'; }
  void expect(char wanted) {
    if (token() != wanted) [[unlikely]] {
      malformed();
      return;
    }
    ++next_;
  }
  bool leave() {
    ++next_;
    return false;
  }
  bool malformed();
  bool read_word(std::string_view word);
  std::string_view refused_string();
  std::string_view read_spaced_string(const char* text, const char* quote);
  std::string_view scalar();
  std::string_view unescape(const char* text, std::size_t length);

  const std::uint32_t* next_ =
      nullptr;  // of the tokens, each the place in the body where it starts
  const std::uint32_t* first_ = nullptr;
  const std::uint32_t* end_ = nullptr;
  const char* body_ = nullptr;
  std::size_t length_ = 0;
  bool failed_ = true;         // until opened
  char* unescaped_ = nullptr;  // where the next unescaped string goes
  std::pmr::memory_resource* memory_;
  std::unique_ptr<JsonTokens> tokens_;
  std::string reason_;
};

}  // namespace partita
