// Key templates: "DIET#{diet}", "W#{weight:08}#{id}", "ALL#{id|shard:16}".
//
//   {member}         the member's value; {found.country} looks into a nested struct
//   {n:08}           an integer with 8 digits, zeros in front; a negative one is refused
//   {n:+08}          the same for any sign: negative ones come first, in order
//   {t}              a time in ISO 8601
//   {t:day}          cut to year, month, day, hour or minute: "2024-06-01"
//   {n:08|rev} {t|rev}   the other way round: larger numbers and later times come first
//   {m|shard:16}     one of 16 buckets ("00" … "15") by a hash of the value
//   {s|lower} {s|upper}  in one case (ASCII)
//
// Text between members separates them; it starts with something else than a letter or digit. In the
// value of a text member '#', '%' and the separators of the template are written as %23, %25, …
// so that no value can look like another key. (Key attributes that are members themselves are kept
// as they are.)
//
// An empty optional makes the whole key absent: the item is not in that index. In the primary key
// it is an error, and so is an empty string.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "partita/model/codec.h"
#include "partita/model/fixed_string.h"
#include "partita/model/inline_text.h"
#include "partita/model/member_path.h"

namespace partita::model {

// What a member gives to a key.
struct KeyInput {
  enum class Kind : std::uint8_t { Absent, Text, Integer, Natural, Time, Bucket };
  Kind kind = Kind::Absent;
  detail::TimePrecision precision{};
  std::string_view text{};
  std::int64_t number = 0;  // Time: milliseconds since 1970; Natural: the same bits
};
using KeyInputOf = KeyInput (*)(const void* object);

enum class TimeUnit : std::uint8_t { Whole, Year, Month, Day, Hour, Minute };
enum class LetterCase : std::uint8_t { Kept, Lower, Upper };

// A member's place in a template, and the text before it.
struct KeyPiece {
  std::string_view literal{};
  std::string_view path{};
  KeyInputOf input = nullptr;
  std::uint8_t digits = 0;
  bool any_sign = false;
  bool reversed = false;
  TimeUnit unit = TimeUnit::Whole;
  LetterCase letters = LetterCase::Kept;
  std::uint16_t buckets = 0;
  KeyInput::Kind kind = KeyInput::Kind::Absent;  // what the member gives when it is there
  bool optional = false;                         // it may be absent
};

inline constexpr std::size_t kKeyPiecesMax = 8;

struct KeyTemplate {
  std::string_view text{};
  std::array<KeyPiece, kKeyPiecesMax> pieces{};
  std::uint8_t count = 0;
  std::string_view tail{};
  std::array<char, kKeyPiecesMax + 2> separators{};  // what is escaped in text, 0 at the end
  bool native = false;  // the attribute is the member itself, of its own type

  constexpr std::string_view fixed_start() const { return count == 0 ? tail : pieces[0].literal; }
  constexpr unsigned buckets() const {
    for (const KeyPiece& piece : pieces) {
      if (piece.buckets != 0) return piece.buckets;
    }
    return 0;
  }
};

using KeyText = InlineText<2048>;

enum class KeyProblem : std::uint8_t { None, Absent, Empty, Negative, TooManyDigits, BadTime };

// Appends the key made of the first `given` inputs: the whole key when all are given, otherwise its
// start, without the text that follows the last input. Inputs are in the order of the pieces.
KeyProblem write_key(const KeyTemplate& key, const KeyInput* inputs, std::size_t given,
                     KeyText& out);
// The key of an object.
KeyProblem write_key(const KeyTemplate& key, const void* object, KeyText& out);
// "member 'weight' is negative, which {weight:08} cannot order"
std::string describe(KeyProblem problem, const KeyTemplate& key);

namespace detail {

enum class TemplateError : std::uint8_t {
  None,
  UnclosedBrace,
  EmptyName,
  UnknownFormat,
  TooManyMembers,
  NoSeparator,
};

struct ParsedPiece {
  std::size_t literal_start = 0, literal_length = 0;
  std::size_t path_start = 0, path_length = 0;
  KeyPiece format{};
  constexpr bool fixed_width() const {
    return format.digits != 0 || format.unit != TimeUnit::Whole || format.buckets != 0 ||
           format.reversed;
  }
};

struct ParsedTemplate {
  TemplateError error = TemplateError::None;
  std::array<ParsedPiece, kKeyPiecesMax> pieces{};
  std::size_t count = 0;
  std::size_t tail_start = 0;
};

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
constexpr bool separates(char c) {
  return !is_digit(c) && !(c >= 'a' && c <= 'z') && !(c >= 'A' && c <= 'Z') &&
         static_cast<unsigned char>(c) < 0x80;
}

constexpr bool parse_number(std::string_view text, unsigned max, unsigned& number) {
  number = 0;
  for (const char c : text) {
    if (!is_digit(c) || number > max) return false;
    number = 10 * number + static_cast<unsigned>(c - '0');
  }
  return !text.empty() && number != 0 && number <= max;
}

// "08", "+08", "day"
constexpr bool parse_format(std::string_view text, KeyPiece& piece) {
  constexpr std::pair<std::string_view, TimeUnit> units[] = {{"year", TimeUnit::Year},
                                                             {"month", TimeUnit::Month},
                                                             {"day", TimeUnit::Day},
                                                             {"hour", TimeUnit::Hour},
                                                             {"minute", TimeUnit::Minute}};
  for (const auto& [name, unit] : units) {
    if (text == name) return piece.unit = unit, true;
  }
  if (text.starts_with('+')) {
    piece.any_sign = true;
    text.remove_prefix(1);
  }
  unsigned digits = 0;
  if (!text.starts_with('0') || !parse_number(text, 18, digits)) return false;
  piece.digits = static_cast<std::uint8_t>(digits);
  return true;
}

constexpr bool parse_transform(std::string_view text, KeyPiece& piece) {
  if (text == "rev") return piece.reversed = true;
  if (text == "lower") return piece.letters = LetterCase::Lower, true;
  if (text == "upper") return piece.letters = LetterCase::Upper, true;
  unsigned buckets = 0;
  if (!text.starts_with("shard:") || !parse_number(text.substr(6), 1000, buckets)) return false;
  piece.buckets = static_cast<std::uint16_t>(buckets);
  return true;
}

// What is between the braces.
constexpr TemplateError parse_piece(std::string_view inside, ParsedPiece& piece) {
  const std::size_t name_end = inside.find_first_of(":|");
  piece.path_length = name_end == std::string_view::npos ? inside.size() : name_end;
  if (piece.path_length == 0) return TemplateError::EmptyName;
  inside.remove_prefix(piece.path_length);
  if (inside.starts_with(':')) {
    const std::size_t end = find_character(inside, '|');
    if (!parse_format(inside.substr(1, end == std::string_view::npos ? end : end - 1),
                      piece.format)) {
      return TemplateError::UnknownFormat;
    }
    inside.remove_prefix(end == std::string_view::npos ? inside.size() : end);
  }
  while (!inside.empty()) {  // "|transform"
    const std::size_t end = find_character(inside, '|', 1);
    if (!parse_transform(inside.substr(1, end == std::string_view::npos ? end : end - 1),
                         piece.format)) {
      return TemplateError::UnknownFormat;
    }
    inside.remove_prefix(end == std::string_view::npos ? inside.size() : end);
  }
  return TemplateError::None;
}

constexpr ParsedTemplate parse_template(std::string_view text) {
  ParsedTemplate parsed;
  std::size_t at = 0;
  while (true) {
    const std::size_t open = find_character(text, '{', at);
    if (open == std::string_view::npos) break;
    const std::size_t close = find_character(text, '}', open);
    if (close == std::string_view::npos) return parsed.error = TemplateError::UnclosedBrace, parsed;
    if (parsed.count == kKeyPiecesMax) return parsed.error = TemplateError::TooManyMembers, parsed;
    const bool glued = parsed.count > 0 && (open == at || !separates(text[at]));
    if (glued && !parsed.pieces[parsed.count - 1].fixed_width()) {
      return parsed.error = TemplateError::NoSeparator, parsed;
    }
    ParsedPiece& piece = parsed.pieces[parsed.count++];
    piece.literal_start = at;
    piece.literal_length = open - at;
    piece.path_start = open + 1;
    parsed.error = parse_piece(text.substr(open + 1, close - open - 1), piece);
    if (parsed.error != TemplateError::None) return parsed;
    at = close + 1;
  }
  if (find_character(text, '}', at) != std::string_view::npos)
    parsed.error = TemplateError::UnclosedBrace;
  parsed.tail_start = at;
  return parsed;
}

// ---- Members as inputs

template <typename T>
inline constexpr bool is_key_type =
    Text<T> || Integer<T> || std::is_enum_v<T> || is_time<T> || std::is_same_v<T, bool>;

template <typename T>
KeyInput key_input(const T& value) {
  using Kind = KeyInput::Kind;
  if constexpr (is_optional<T>) {
    return value ? key_input(*value) : KeyInput{};
  } else if constexpr (Text<T>) {
    return {.kind = Kind::Text, .text = value};
  } else if constexpr (std::is_same_v<T, bool>) {
    return {.kind = Kind::Text, .text = value ? "true" : "false"};
  } else if constexpr (std::is_enum_v<T>) {
    return {.kind = Kind::Text, .text = Enumerators<T>::name(value)};
  } else if constexpr (is_time<T>) {
    const TimeParts parts = time_parts(value);
    return {.kind = Kind::Time,
            .precision = precision_of<typename T::duration>(),
            .number = parts.seconds * 1000 + parts.nanoseconds / 1000000};
  } else {
    static_assert(Integer<T>);
    return {.kind = std::is_signed_v<T> ? Kind::Integer : Kind::Natural,
            .number = static_cast<std::int64_t>(value)};
  }
}

// Which kind of input a member of this type gives.
template <typename Member>
constexpr KeyInput::Kind key_input_kind() {
  using Kind = KeyInput::Kind;
  if constexpr (is_time<Member>) return Kind::Time;
  if constexpr (Integer<Member>) return std::is_signed_v<Member> ? Kind::Integer : Kind::Natural;
  return Kind::Text;
}

template <typename T, FixedString P>
KeyInput key_input_at(const void* object) {
  const auto* const member = find_member<P>(*static_cast<const T*>(object));
  return member == nullptr ? KeyInput{} : key_input(*member);
}

template <typename T, std::size_t I>
KeyInput key_input_of_member(const void* object) {
  return key_input(Members<T>::template get<I>(*static_cast<T*>(const_cast<void*>(object))));
}

// ---- A template together with the struct whose members it names

template <typename T, FixedString Template, std::size_t I>
constexpr KeyPiece bind_piece() {
  constexpr ParsedPiece parsed = parse_template(Template.view()).pieces[I];
  constexpr auto path = substring<Template, parsed.path_start, parsed.path_length>();
  static_assert(path_exists<T, path>(),
                "a key template names a member that the entity does not have");
  KeyPiece piece = parsed.format;
  piece.literal = Template.view().substr(parsed.literal_start, parsed.literal_length);
  piece.path = Template.view().substr(parsed.path_start, parsed.path_length);
  if constexpr (path_exists<T, path>()) {
    using Member = unwrapped<PathType<T, path>>;
    static_assert(is_key_type<Member>,
                  "a key is made of text, integers, enums, bools and times; a key template names a "
                  "member of another type");
    static_assert(parsed.format.digits == 0 || Integer<Member>,
                  "zero padding such as {n:08} is for integers; a key template pads another type");
    static_assert(parsed.format.unit == TimeUnit::Whole || is_time<Member>,
                  "year, month, day, hour and minute cut times; a key template cuts another type");
    static_assert(!parsed.format.reversed || is_time<Member> || parsed.format.digits != 0,
                  "|rev reverses times and padded integers such as {n:08|rev}");
    if constexpr (is_key_type<Member>) piece.input = &key_input_at<T, path>;
    piece.kind = key_input_kind<Member>();
    piece.optional = is_optional<PathType<T, path>>;
  }
  return piece;
}

template <typename T, FixedString Template>
constexpr KeyTemplate bind_template() {
  constexpr ParsedTemplate parsed = parse_template(Template.view());
  static_assert(parsed.error != TemplateError::UnclosedBrace,
                "a key template has a brace without its partner");
  static_assert(parsed.error != TemplateError::EmptyName, "a key template has {} without a name");
  static_assert(parsed.error != TemplateError::UnknownFormat,
                "a key template has a format that is not known: see partita/model/key_template.h");
  static_assert(parsed.error != TemplateError::TooManyMembers,
                "a key template has more than 8 members");
  static_assert(parsed.error != TemplateError::NoSeparator,
                "two members of a key template follow each other without a separator such as '#'");
  KeyTemplate bound;
  bound.text = Template.view();
  bound.count = static_cast<std::uint8_t>(parsed.count);
  bound.tail = Template.view().substr(parsed.tail_start);
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    ((bound.pieces[I] = bind_piece<T, Template, I>()), ...);
  }
  (std::make_index_sequence < parsed.error == TemplateError::None ? parsed.count : 0 > {});

  std::size_t separators = 0;
  bound.separators[separators++] = '#';
  bound.separators[separators++] = '%';
  for (std::size_t i = 1; i <= parsed.count; ++i) {
    const std::string_view after = i < parsed.count ? bound.pieces[i].literal : bound.tail;
    if (!after.empty() && separates(after[0]) && after[0] != '#' && after[0] != '%' &&
        separators < bound.separators.size() - 1) {
      bound.separators[separators++] = after[0];
    }
  }
  return bound;
}

template <typename T, FixedString Template>
inline constexpr KeyTemplate bound_template = bind_template<T, Template>();

// The key attribute is the member itself.
template <typename T, std::size_t I>
constexpr KeyTemplate bind_native() {
  KeyTemplate bound;
  bound.text = Members<T>::names[I];
  bound.count = 1;
  bound.native = true;
  bound.pieces[0].path = Members<T>::names[I];
  static_assert(is_key_type<unwrapped<typename Members<T>::template Type<I>>> ||
                    std::is_same_v<unwrapped<typename Members<T>::template Type<I>>, Decimal> ||
                    std::is_same_v<unwrapped<typename Members<T>::template Type<I>>, Binary>,
                "a key attribute is text, a number or bytes");
  if constexpr (is_key_type<unwrapped<typename Members<T>::template Type<I>>>) {
    bound.pieces[0].input = &key_input_of_member<T, I>;
  }
  bound.pieces[0].kind = key_input_kind<unwrapped<typename Members<T>::template Type<I>>>();
  bound.pieces[0].optional = is_optional<typename Members<T>::template Type<I>>;
  return bound;
}
template <typename T, std::size_t I>
inline constexpr KeyTemplate native_template = bind_native<T, I>();

}  // namespace detail
}  // namespace partita::model
