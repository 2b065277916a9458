// JsonWriter: JSON text appended to a buffer, as DynamoDB writes it: no spaces, no tree.
//
//   JsonWriter json(out);
//   json.begin_object();
//   json.member("Count");
//   json.integer(3);
//   json.end_object();
//
// The commas come by themselves. The buffer does not know of the text while a writer works on it,
// and has the right size again when the writer is destroyed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include "base/text_buffer.h"
#include "formats/text_scan.h"

namespace partita {

class JsonWriter {
 public:
  explicit JsonWriter(TextBuffer& out) : out_(out), at_(out.room(kRoomMin)) { note_end(); }
  ~JsonWriter() { out_.set_size(static_cast<std::size_t>(at_ - out_.data())); }
  JsonWriter(const JsonWriter&) = delete;
  JsonWriter& operator=(const JsonWriter&) = delete;

  void begin_object() { byte('{'); }
  void end_object() { byte('}'); }
  void begin_array() { byte('['); }
  void end_array() { byte(']'); }

  // "name": for a name that needs no escapes, as all names of the API's own members.
  void member(std::string_view name) {
    char* at = room(name.size() + 4);
    if (at[-1] != '{') *at++ = ',';
    *at++ = '"';
    std::memcpy(at, name.data(), name.size());
    at += name.size();
    std::memcpy(at, "\":", 2);
    at_ = at + 2;
  }
  // The same for a name that users gave.
  void key(std::string_view name) {
    separate('{');
    string(name);
    byte(':');
  }
  // Before each element of an array.
  void element() { separate('['); }

  void string(std::string_view text) {  // quoted and escaped
    char* const at = room(text.size() + 2);
    at[0] = '"';
    at_ = at + 1;
    if (copy_plain(text.data(), text.size(), at_)) [[likely]] {
      at_ += text.size();
      *at_++ = '"';
      return;
    }
    escaped(text);
  }
  void base64(std::string_view bytes);
  void integer(std::int64_t number);
  void integer_member(std::string_view name, std::int64_t number) {
    member(name);
    integer(number);
  }
  void number(double number);  // as Java prints a double: 0.5, 1.0, 1.7E9
  void boolean(bool value) { raw(value ? "true" : "false"); }

  // Text that is JSON already.
  void raw(std::string_view text) {
    char* const at = room(text.size());
    std::memcpy(at, text.data(), text.size());
    at_ = at + text.size();
  }

  // For writers of other rooms' text forms, which append to a string.
  std::string& scratch() {
    scratch_.clear();
    return scratch_;
  }

 private:
  static constexpr std::size_t kRoomMin = 64;

  char* room(std::size_t count) {
    if (static_cast<std::size_t>(end_ - at_) < count) [[unlikely]]
      grow(count);
    return at_;
  }
  void grow(std::size_t count);
  void note_end() { end_ = out_.data() + out_.capacity(); }
  void byte(char value) {
    *room(1) = value;
    ++at_;
  }
  // A comma, unless the container was just opened. (A string ends with its quote, so the byte
  // before is a bracket only then.)
  void separate(char opening) {
    if (room(1)[-1] != opening) byte(',');
  }
  void escaped(std::string_view text);  // and the closing quote

  TextBuffer& out_;
  char* at_;
  char* end_;
  std::string scratch_;
};

}  // namespace partita
