#include "server/http_parser.h"

#include <bit>
#include <cstring>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include "base/ascii_text.h"

namespace partita {
namespace {

constexpr int kBadRequest = 400;
constexpr int kExpectationFailed = 417;
constexpr int kHeadTooLarge = 400;  // as DynamoDB says it
constexpr int kNotImplemented = 501;
constexpr int kVersionNotSupported = 505;

// tchar of RFC 9110, 5.6.2.
constexpr std::array<bool, 256> make_token_characters() {
  std::array<bool, 256> table{};
  for (int c = '0'; c <= '9'; ++c) table[static_cast<std::size_t>(c)] = true;
  for (int c = 'a'; c <= 'z'; ++c) table[static_cast<std::size_t>(c)] = true;
  for (int c = 'A'; c <= 'Z'; ++c) table[static_cast<std::size_t>(c)] = true;
  for (const char c :
       {'!', '#', '$', '%', '&', '\'', '*', '+', '-', '.', '^', '_', '`', '|', '~'}) {
    table[static_cast<std::size_t>(c)] = true;
  }
  return table;
}
constexpr std::array<bool, 256> kTokenCharacters = make_token_characters();

// Registered names, IPv4, [IPv6] and a port. Percent-encoding has no use in a Host we serve.
constexpr std::array<bool, 256> make_host_characters() {
  std::array<bool, 256> table{};
  for (int c = '0'; c <= '9'; ++c) table[static_cast<std::size_t>(c)] = true;
  for (int c = 'a'; c <= 'z'; ++c) table[static_cast<std::size_t>(c)] = true;
  for (int c = 'A'; c <= 'Z'; ++c) table[static_cast<std::size_t>(c)] = true;
  for (const char c : {'.', '-', '_', ':', '[', ']'}) table[static_cast<std::size_t>(c)] = true;
  return table;
}
constexpr std::array<bool, 256> kHostCharacters = make_host_characters();

bool is_token_character(char c) { return kTokenCharacters[static_cast<unsigned char>(c)]; }

bool is_blank(char c) { return c == ' ' || c == '\t'; }

bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool is_control(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return (byte < 0x20 && byte != '\t') || byte == 0x7F;
}

inline std::string_view trim_blanks(std::string_view text) {
  const char* start = text.data();
  const char* end = start + text.size();
  while (start != end && is_blank(*start)) ++start;
  while (start != end && is_blank(end[-1])) --end;
  return {start, static_cast<std::size_t>(end - start)};
}

// How many leading characters of `text` are token characters.
std::size_t token_length(std::string_view text) {
  std::size_t length = 0;
#if defined(__SSE2__)
  // Sixteen at a time as long as they are letters, digits and dashes, as in most names.
  const auto within = [](__m128i block, char low, char high) {  // bytes from 0x80 on are negative
    return _mm_and_si128(_mm_cmpgt_epi8(block, _mm_set1_epi8(static_cast<char>(low - 1))),
                         _mm_cmplt_epi8(block, _mm_set1_epi8(static_cast<char>(high + 1))));
  };
  for (; text.size() - length >= 16; length += 16) {
    const __m128i block = _mm_loadu_si128(reinterpret_cast<const __m128i*>(text.data() + length));
    const __m128i letters = within(_mm_or_si128(block, _mm_set1_epi8(0x20)), 'a', 'z');
    const __m128i usual = _mm_or_si128(_mm_or_si128(letters, within(block, '0', '9')),
                                       _mm_cmpeq_epi8(block, _mm_set1_epi8('-')));
    const unsigned unusual = static_cast<unsigned>(_mm_movemask_epi8(usual)) ^ 0xFFFF;
    if (unusual != 0) {
      length += static_cast<std::size_t>(std::countr_zero(unusual));
      break;
    }
  }
#endif
  while (length < text.size() && is_token_character(text[length])) ++length;
  return length;
}

// Whether a header's name is `lower`, of which it has the length: letters and dashes, in lower
// case. Setting bit 0x20 folds the letters, and makes no other token character a letter or a dash.
bool is_named(std::string_view name, std::string_view lower) {
  const auto folded_word = [](const char* at, auto word) {
    std::memcpy(&word, at, sizeof word);
    return static_cast<decltype(word)>(word | static_cast<decltype(word)>(0x2020202020202020));
  };
  const auto same = [&](auto word) {  // in steps of a word, the last of which may overlap
    const std::size_t last = name.size() - sizeof word;
    for (std::size_t at = 0; at < last; at += sizeof word) {
      if (folded_word(name.data() + at, word) != folded_word(lower.data() + at, word)) return false;
    }
    return folded_word(name.data() + last, word) == folded_word(lower.data() + last, word);
  };
  return name.size() >= 8 ? same(std::uint64_t{}) : same(std::uint32_t{});
}

}  // namespace

const char* find_control_character(const char* at, const char* end) {
#if defined(__SSE2__)
  // Plus one, and as a signed number, a byte of ordinary ASCII is above 0x20, but control
  // characters are not, nor is DEL (it overflows), nor are tab and what is beyond ASCII.
  while (end - at >= 16) {
    const char* const last_block = end - 16;
    unsigned other = 0;
    do {
      const __m128i block = _mm_loadu_si128(reinterpret_cast<const __m128i*>(at));
      const __m128i ordinary =
          _mm_cmpgt_epi8(_mm_add_epi8(block, _mm_set1_epi8(1)), _mm_set1_epi8(0x20));
      other = static_cast<unsigned>(_mm_movemask_epi8(ordinary)) ^ 0xFFFF;
      at += 16;
    } while (other == 0 && at <= last_block);
    if (other == 0) break;
    at += std::countr_zero(other) - 16;
    if (is_control(*at)) return at;
    ++at;
  }
#endif
  while (at != end && !is_control(*at)) ++at;
  return at;
}

std::string_view RequestHead::path() const {
  const std::string_view whole = target();
  return whole.substr(0, whole.find('?'));
}

std::string_view RequestHead::query() const {
  const std::string_view whole = target();
  const std::size_t mark = whole.find('?');
  return mark == std::string_view::npos ? std::string_view() : whole.substr(mark + 1);
}

std::string_view RequestHead::find_header(std::string_view name) const {
  for (std::size_t i = 0; i < header_count_; ++i) {
    const std::string_view candidate = header_name(i);
    if (candidate.size() != name.size()) continue;
    std::size_t same = 0;
    while (same < name.size() && (candidate[same] | 0x20) == (name[same] | 0x20)) ++same;
    if (same == name.size()) return header_value(i);
  }
  return {};
}

void HttpParser::reset() {
  // headers_ is left as it is: header_count_ says how many of them mean anything.
  head_.base_ = nullptr;
  head_.method_ = head_.target_ = head_.host_ = head_.content_type_ = {};
  head_.amz_target_ = head_.authorization_ = head_.origin_ = {};
  head_.content_encoding_ = head_.amz_date_ = head_.date_ = {};
  head_.content_length_ = 0;
  head_.http_1_0_ = head_.has_host_ = false;
  head_.has_content_length_ = head_.has_transfer_encoding_ = false;
  head_.connection_close_ = head_.connection_keep_alive_ = head_.expects_continue_ = false;
  head_.header_count_ = 0;
  line_ = 0;
  has_request_line_ = skipped_empty_line_ = false;
  refusal_status_ = 0;
}

HttpParser::Progress HttpParser::parse(std::string_view bytes) {
  head_.base_ = bytes.data();
  // What lies beyond the limit is never looked at, so the outcome does not depend on whether it
  // has arrived.
  const bool cut = bytes.size() >= kHeadBytesMax;
  const char* const end = bytes.data() + (cut ? kHeadBytesMax : bytes.size());
  while (true) {
    const char* const start = bytes.data() + line_;
    const char* const stop = find_control_character(start, end);
    if (stop == end || (*stop == '\r' && stop + 1 == end)) {
      return cut ? refuse(kHeadTooLarge) : Progress::NeedMore;
    }
    if (stop[0] != '\r' || stop[1] != '\n') return refuse(kBadRequest);
    const std::string_view line(start, static_cast<std::size_t>(stop - start));
    line_ += line.size() + 2;

    int refusal = 0;
    if (!has_request_line_) {
      if (line.empty()) {  // RFC 9112, 2.2: one empty line before the request is forgiven
        if (skipped_empty_line_) return refuse(kBadRequest);
        skipped_empty_line_ = true;
        continue;
      }
      refusal = parse_request_line(line);
    } else if (line.empty()) {
      return finish_head();
    } else {
      refusal = parse_header_line(line);
    }
    if (refusal != 0) return refuse(refusal);
  }
}

HttpParser::Progress HttpParser::finish_head() {
  if (!head_.has_host_ && !head_.http_1_0_) return refuse(kBadRequest);
  if (head_.has_transfer_encoding_ && (head_.has_content_length_ || head_.http_1_0_)) {
    return refuse(kBadRequest);
  }
  return Progress::Complete;
}

int HttpParser::parse_request_line(std::string_view line) {
  const std::size_t method_length = token_length(line);
  if (method_length == 0 || method_length == line.size() || line[method_length] != ' ') {
    return kBadRequest;
  }
  head_.method_ = slice(line.substr(0, method_length));

  std::string_view rest = line.substr(method_length + 1);
  const std::size_t target_length = rest.find(' ');
  if (target_length == std::string_view::npos) return kBadRequest;  // HTTP/0.9
  if (const int refusal = parse_target(rest.substr(0, target_length)); refusal != 0) return refusal;

  const std::string_view version = rest.substr(target_length + 1);
  if (version.size() != 8 || !version.starts_with("HTTP/") || !is_digit(version[5]) ||
      version[6] != '.' || !is_digit(version[7])) {
    return kBadRequest;
  }
  if (version[5] != '1') return kVersionNotSupported;
  head_.http_1_0_ = version[7] == '0';  // a later 1.x is served as 1.1
  has_request_line_ = true;
  return 0;
}

int HttpParser::parse_target(std::string_view target) {
  for (const char c : target) {
    if (static_cast<unsigned char>(c) <= 0x20 || static_cast<unsigned char>(c) >= 0x7F) {
      return kBadRequest;
    }
  }
  constexpr std::string_view scheme = "http://";
  if (target.size() > scheme.size() && equals_ignoring_case(target.substr(0, 7), scheme)) {
    const std::size_t slash = target.find('/', scheme.size());  // absolute-form, from a proxy
    if (slash == std::string_view::npos) return kBadRequest;
    target.remove_prefix(slash);
  }
  if (target.empty() || (target[0] != '/' && target != "*")) return kBadRequest;
  head_.target_ = slice(target);
  return 0;
}

int HttpParser::parse_header_line(std::string_view line) {
  // A line that starts with a blank (obs-fold) fails here too: a blank is no token character.
  const std::size_t name_length = token_length(line);
  if (name_length == 0 || name_length == line.size() || line[name_length] != ':') {
    return kBadRequest;
  }
  if (head_.header_count_ == kHeaderCountMax) return kHeadTooLarge;
  const std::string_view name = line.substr(0, name_length);
  const HeadSlice value = slice(trim_blanks(line.substr(name_length + 1)));
  head_.headers_[head_.header_count_++] = {slice(name), value};
  return note_known_header(name, value);
}

int HttpParser::note_known_header(std::string_view name, HeadSlice value) {
  const std::string_view text = head_.view(value);
  switch (name.size()) {
    case 4:
      if (is_named(name, "host")) return note_host(value);
      return is_named(name, "date") ? note_once(value, head_.date_) : 0;
    case 6:
      if (is_named(name, "origin")) {
        head_.origin_ = value;
      } else if (is_named(name, "expect")) {
        if (!equals_ignoring_case(text, "100-continue")) return kExpectationFailed;
        head_.expects_continue_ = true;
      }
      return 0;
    case 10:
      if (is_named(name, "x-amz-date")) return note_once(value, head_.amz_date_);
      return is_named(name, "connection") ? note_connection(text) : 0;
    case 12:
      if (is_named(name, "x-amz-target")) return note_once(value, head_.amz_target_);
      return is_named(name, "content-type") ? note_once(value, head_.content_type_) : 0;
    case 13:
      return is_named(name, "authorization") ? note_once(value, head_.authorization_) : 0;
    case 14:
      return is_named(name, "content-length") ? note_content_length(text) : 0;
    case 16:
      return is_named(name, "content-encoding") ? note_once(value, head_.content_encoding_) : 0;
    case 17:
      return is_named(name, "transfer-encoding") ? note_transfer_encoding(text) : 0;
    default:
      return 0;
  }
}

int HttpParser::note_once(HeadSlice value, HeadSlice& noted) {
  if (noted.offset != 0) return kBadRequest;  // which of the two is meant?
  noted = value;
  return 0;
}

int HttpParser::note_content_length(std::string_view value) {
  constexpr std::size_t kDigitsMax = 18;  // cannot overflow, and far beyond any body we accept
  if (head_.has_content_length_ || value.empty() || value.size() > kDigitsMax) return kBadRequest;
  std::uint64_t length = 0;
  for (const char c : value) {
    if (!is_digit(c)) return kBadRequest;
    length = length * 10 + static_cast<std::uint64_t>(c - '0');
  }
  head_.content_length_ = length;
  head_.has_content_length_ = true;
  return 0;
}

int HttpParser::note_transfer_encoding(std::string_view value) {
  if (head_.has_transfer_encoding_) return kBadRequest;
  if (!equals_ignoring_case(value, "chunked")) return kNotImplemented;
  head_.has_transfer_encoding_ = true;
  return 0;
}

int HttpParser::note_connection(std::string_view value) {
  while (!value.empty()) {
    const std::size_t comma = value.find(',');
    const std::string_view option = trim_blanks(value.substr(0, comma));
    if (equals_ignoring_case(option, "close")) head_.connection_close_ = true;
    if (equals_ignoring_case(option, "keep-alive")) head_.connection_keep_alive_ = true;
    if (comma == std::string_view::npos) break;
    value.remove_prefix(comma + 1);
  }
  return 0;
}

int HttpParser::note_host(HeadSlice value) {
  if (head_.has_host_) return kBadRequest;
  for (const char c : head_.view(value)) {
    if (!kHostCharacters[static_cast<unsigned char>(c)]) return kBadRequest;
  }
  head_.has_host_ = true;
  head_.host_ = value;
  return 0;
}

}  // namespace partita
