#include "formats/json_reader.h"

#include <bitset>
#include <cassert>
#include <cstring>
#include <new>

#include <simdjson.h>

#include "formats/text_scan.h"

namespace partita {

static_assert(kJsonPaddingBytes >= simdjson::SIMDJSON_PADDING);

// The tokens of one document. Large ones are given back to the system with their reader.
class JsonTokens {
 public:
  // False if the text is not UTF-8, a string does not end, or there is no token at all.
  bool find(std::string_view text) {
    if (!parser_ || parser_->capacity() < text.size()) grow(text.size());
    return parser_->stage1(reinterpret_cast<const std::uint8_t*>(text.data()), text.size(),
                           simdjson::stage1_mode::regular) == simdjson::SUCCESS;
  }
  const std::uint32_t* begin() const { return parser_->structural_indexes.get(); }
  const std::uint32_t* end() const { return begin() + parser_->n_structural_indexes; }

  bool worth_keeping() const { return !parser_ || parser_->capacity() <= kKeptCapacityMax; }

  // Unescapes the string that starts at `text`; null if an escape is none.
  char* unescape(const char* text, char* out) const {
    return reinterpret_cast<char*>(parser_->parse_string(
        reinterpret_cast<const std::uint8_t*>(text), reinterpret_cast<std::uint8_t*>(out)));
  }

 private:
  static constexpr std::size_t kCapacityMin = 16 * 1024;
  static constexpr std::size_t kKeptCapacityMax = 1024 * 1024;

  // Memory that is short is nothing the text can be blamed for.
  void grow(std::size_t size) {
    std::size_t capacity = kCapacityMin;
    while (capacity < size) capacity *= 2;
    const simdjson::error_code error =
        parser_ ? parser_->set_capacity(capacity)
                : simdjson::get_active_implementation()->create_dom_parser_implementation(
                      capacity, 1, parser_);
    if (error == simdjson::SUCCESS) return;
    parser_.reset();
    throw std::bad_alloc();
  }

  std::unique_ptr<simdjson::internal::dom_parser_implementation> parser_;
};

namespace {

thread_local std::unique_ptr<JsonTokens> kept_tokens;

bool is_space(char byte) { return byte == ' ' || byte == '\n' || byte == '\r' || byte == '\t'; }

bool is_digit(char byte) { return byte >= '0' && byte <= '9'; }

const char* skip_digits(const char* at, const char* end) {
  while (at != end && is_digit(*at)) ++at;
  return at;
}

// number := [-] (0 | 1-9 digit*) [. digit+] [(e|E) [+|-] digit+]
bool is_number(std::string_view text) {
  const char* at = text.data();
  const char* const end = at + text.size();
  if (at != end && *at == '-') ++at;
  if (at == end || !is_digit(*at)) return false;
  at = *at == '0' ? at + 1 : skip_digits(at, end);
  if (at != end && *at == '.') {
    const char* const fraction = ++at;
    at = skip_digits(at, end);
    if (at == fraction) return false;
  }
  if (at != end && (*at == 'e' || *at == 'E')) {
    ++at;
    if (at != end && (*at == '+' || *at == '-')) ++at;
    const char* const exponent = at;
    at = skip_digits(at, end);
    if (at == exponent) return false;
  }
  return at == end;
}

}  // namespace

JsonReader::JsonReader(std::pmr::memory_resource* memory) : memory_(memory) {}

JsonReader::~JsonReader() {
  if (tokens_ && tokens_->worth_keeping()) kept_tokens = std::move(tokens_);
}

void JsonReader::open(std::string_view body) {
  tokens_ = kept_tokens ? std::move(kept_tokens) : std::make_unique<JsonTokens>();
  body_ = body.data();
  length_ = body.size();
  if (body.empty() || !tokens_->find(body)) {
    malformed();
    return;
  }
  first_ = next_ = tokens_->begin();
  end_ = tokens_->end();
  assert(*end_ == length_);
  failed_ = false;
}

std::string_view JsonReader::refused_string() {
  malformed();
  return {};
}

std::string_view JsonReader::read_spaced_string(const char* text, const char* quote) {
  while (quote > text && is_space(*quote)) --quote;
  if (quote < text || *quote != '"') return refused_string();
  const auto length = static_cast<std::size_t>(quote - text);
  if (has_backslash(text, length)) return unescape(text, length);
  return {text, length};
}

std::string_view JsonReader::unescape(const char* text, std::size_t length) {
  // What is unescaped is never longer than what was escaped, so one block as long as the document
  // takes all of it.
  if (unescaped_ == nullptr) {
    unescaped_ = static_cast<char*>(memory_->allocate(length_ + kJsonPaddingBytes, 1));
  }
  char* const end = tokens_->unescape(text, unescaped_);
  const auto size = static_cast<std::size_t>(end - unescaped_);
  // A lone surrogate can be escaped but is no character.
  if (end == nullptr || size > length || !simdjson::validate_utf8(unescaped_, size)) {
    return refused_string();
  }
  const std::string_view result(unescaped_, size);
  unescaped_ = end;
  return result;
}

// A token that is neither string nor bracket: everything up to the next token but for the spaces.
std::string_view JsonReader::scalar() {
  if (next_ == end_) return {};
  const char* const text = body_ + *next_;
  ++next_;
  const char* end = body_ + *next_;
  while (end > text && is_space(end[-1])) --end;
  return {text, static_cast<std::size_t>(end - text)};
}

std::string_view JsonReader::read_number() {
  const std::string_view text = scalar();
  return is_number(text) ? text : refused_string();
}

bool JsonReader::read_boolean() {
  const std::string_view text = scalar();
  if (text == "true") return true;
  if (text != "false") malformed();
  return false;
}

bool JsonReader::read_word(std::string_view word) {
  if (scalar() != word) malformed();
  return true;
}

void JsonReader::skip_value() {
  std::bitset<kJsonDepthMax> open_objects;  // one bit for each open container
  unsigned depth = 0;
  std::string_view ignored;
  do {
    const JsonKind next = kind();
    switch (next) {
      case JsonKind::Object:
      case JsonKind::Array:
        if (depth == kJsonDepthMax) {
          malformed();
          return;
        }
        open_objects[depth++] = next == JsonKind::Object;
        ++next_;
        break;
      case JsonKind::String:
        read_string();
        break;
      case JsonKind::Number:
        read_number();
        break;
      case JsonKind::True:
      case JsonKind::False:
        read_boolean();
        break;
      case JsonKind::Null:
        read_null();
        break;
      case JsonKind::Malformed:
        malformed();
        return;
    }
    while (depth != 0 && !(open_objects[depth - 1] ? next_member(ignored) : next_element())) {
      --depth;
    }
  } while (depth != 0 && !failed_);
}

bool JsonReader::malformed() {
  failed_ = true;
  next_ = first_ = end_;
  return false;
}

void JsonReader::fail(std::string reason) {
  if (failed_) return;
  malformed();
  reason_ = std::move(reason);
}

Result<void> JsonReader::finish() {
  if (!failed_ && next_ != end_) malformed();
  if (failed_) return Error(ErrorCode::Serialization, std::move(reason_));
  return {};
}

}  // namespace partita
