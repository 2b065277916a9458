#include "partita/model/key_template.h"

#include <charconv>

namespace partita::model {
namespace {

constexpr std::int64_t kPowersOfTen[] = {1,
                                         10,
                                         100,
                                         1000,
                                         10000,
                                         100000,
                                         1000000,
                                         10000000,
                                         100000000,
                                         1000000000,
                                         10000000000,
                                         100000000000,
                                         1000000000000,
                                         10000000000000,
                                         100000000000000,
                                         1000000000000000,
                                         10000000000000000,
                                         100000000000000000,
                                         1000000000000000000};
// 9999-12-31T23:59:59.999Z: reversed times count down to it.
constexpr std::int64_t kLastMillisecond = 253402300799999;
constexpr unsigned kReversedTimeDigits = 15;

void write_digits(std::uint64_t value, unsigned digits, KeyText& out) {
  char* const start = out.extend(digits);
  for (unsigned i = digits; i-- > 0; value /= 10) start[i] = static_cast<char>('0' + value % 10);
}

char in_case(char c, LetterCase letters) {
  if (letters == LetterCase::Lower && c >= 'A' && c <= 'Z') return static_cast<char>(c + 32);
  if (letters == LetterCase::Upper && c >= 'a' && c <= 'z') return static_cast<char>(c - 32);
  return c;
}

// Up to the first character that is not written as it is.
std::size_t plain_length(std::string_view text, const KeyTemplate& key) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (!detail::separates(c)) [[likely]]
      continue;
    for (const char* separator = key.separators.data(); *separator != 0; ++separator) {
      if (c == *separator) return i;
    }
  }
  return text.size();
}

void write_cased(std::string_view text, LetterCase letters, KeyText& out) {
  if (letters == LetterCase::Kept) return out.append(text);
  for (const char c : text) out.append(in_case(c, letters));
}

void write_escaped(std::string_view text, const KeyTemplate& key, LetterCase letters,
                   KeyText& out) {
  constexpr char hex[] = "0123456789ABCDEF";
  while (true) {
    const std::size_t plain = plain_length(text, key);
    write_cased(text.substr(0, plain), letters, out);
    if (plain == text.size()) return;
    const auto byte = static_cast<unsigned char>(text[plain]);
    const char escaped[] = {'%', hex[byte >> 4], hex[byte & 15]};
    out.append(std::string_view(escaped, 3));
    text.remove_prefix(plain + 1);
  }
}

// Stable for ever: items are found by it. FNV-1a, then mixed so that few buckets are filled evenly.
std::uint64_t bucket_hash(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  hash = (hash ^ (hash >> 33)) * 0xff51afd7ed558ccd;
  return hash ^ (hash >> 33);
}

KeyProblem write_padded(const KeyInput& input, const KeyPiece& piece, KeyText& out) {
  const bool negative = input.kind == KeyInput::Kind::Integer && input.number < 0;
  if (negative && !piece.any_sign) return KeyProblem::Negative;
  const auto limit = static_cast<std::uint64_t>(kPowersOfTen[piece.digits]);
  const std::uint64_t magnitude = negative ? 0 - static_cast<std::uint64_t>(input.number)
                                           : static_cast<std::uint64_t>(input.number);
  if (magnitude >= limit) return KeyProblem::TooManyDigits;
  if (!piece.any_sign) {
    write_digits(piece.reversed ? limit - 1 - magnitude : magnitude, piece.digits, out);
    return KeyProblem::None;
  }
  // '-' sorts before '0', and what is below zero counts up to it. Reversed is the order of -n.
  const bool below = piece.reversed ? !negative && magnitude != 0 : negative;
  out.append(below ? '-' : '0');
  write_digits(below ? limit - 1 - magnitude : magnitude, piece.digits, out);
  return KeyProblem::None;
}

KeyProblem write_time(const KeyInput& input, const KeyPiece& piece, KeyText& out) {
  constexpr std::size_t unit_lengths[] = {0, 4, 7, 10, 13, 16};
  char text[detail::kTimeTextBytesMax];
  const std::int64_t seconds =
      input.number >= 0 ? input.number / 1000 : -((999 - input.number) / 1000);
  const detail::TimeParts parts{seconds,
                                static_cast<std::int32_t>(input.number - seconds * 1000) * 1000000};
  const auto precision = input.precision > detail::TimePrecision::Millisecond
                             ? detail::TimePrecision::Millisecond
                             : input.precision;
  const std::size_t length = detail::print_time(parts, precision, text);
  if (length == 0) return KeyProblem::BadTime;
  if (piece.reversed) {
    write_digits(static_cast<std::uint64_t>(kLastMillisecond - input.number), kReversedTimeDigits,
                 out);
    return KeyProblem::None;
  }
  const std::size_t cut = unit_lengths[static_cast<std::size_t>(piece.unit)];
  out.append(std::string_view(text, cut == 0 || cut > length ? length : cut));
  return KeyProblem::None;
}

void write_plain_number(const KeyInput& input, KeyText& out) {
  char text[24];
  const auto end =
      input.kind == KeyInput::Kind::Natural
          ? std::to_chars(text, text + sizeof text, static_cast<std::uint64_t>(input.number))
          : std::to_chars(text, text + sizeof text, input.number);
  out.append(std::string_view(text, static_cast<std::size_t>(end.ptr - text)));
}

KeyProblem write_input(const KeyTemplate& key, const KeyPiece& piece, const KeyInput& input,
                       KeyText& out) {
  switch (input.kind) {
    case KeyInput::Kind::Absent:
      return KeyProblem::Absent;
    case KeyInput::Kind::Text:
      if (key.native) return out.append(input.text), KeyProblem::None;
      write_escaped(input.text, key, piece.letters, out);
      return input.text.empty() ? KeyProblem::Empty : KeyProblem::None;
    case KeyInput::Kind::Time:
      return write_time(input, piece, out);
    case KeyInput::Kind::Integer:
    case KeyInput::Kind::Natural:
      if (piece.digits != 0) return write_padded(input, piece, out);
      write_plain_number(input, out);
      return KeyProblem::None;
    case KeyInput::Kind::Bucket:
      break;
  }
  return KeyProblem::None;
}

unsigned bucket_digits(unsigned buckets) {
  unsigned digits = 1;
  while (kPowersOfTen[digits] < buckets) ++digits;
  return digits;
}

KeyProblem write_bucket(const KeyTemplate& key, const KeyPiece& piece, const KeyInput& input,
                        KeyText& out) {
  auto bucket = static_cast<std::uint64_t>(input.number);
  if (input.kind != KeyInput::Kind::Bucket) {
    KeyText value;
    const KeyProblem problem = write_input(key, piece, input, value);
    if (problem != KeyProblem::None && problem != KeyProblem::Empty) return problem;
    bucket = bucket_hash(value.view()) % piece.buckets;
  }
  write_digits(bucket, bucket_digits(piece.buckets), out);
  return KeyProblem::None;
}

}  // namespace

KeyProblem write_key(const KeyTemplate& key, const KeyInput* inputs, std::size_t given,
                     KeyText& out) {
  KeyProblem worst = KeyProblem::None;
  for (std::size_t i = 0; i < given; ++i) {
    const KeyPiece& piece = key.pieces[i];
    out.append(piece.literal);
    const KeyProblem problem = piece.buckets != 0 ? write_bucket(key, piece, inputs[i], out)
                                                  : write_input(key, piece, inputs[i], out);
    if (problem == KeyProblem::Empty) {
      worst = problem;  // the key can still be written: only some uses mind
    } else if (problem != KeyProblem::None) {
      return problem;
    }
  }
  if (given == key.count) out.append(key.tail);
  return worst;
}

KeyProblem write_key(const KeyTemplate& key, const void* object, KeyText& out) {
  KeyInput inputs[kKeyPiecesMax];
  for (std::size_t i = 0; i < key.count; ++i) inputs[i] = key.pieces[i].input(object);
  return write_key(key, inputs, key.count, out);
}

std::string describe(KeyProblem problem, const KeyTemplate& key) {
  const std::string where = "the key \"" + std::string(key.text) + "\" ";
  switch (problem) {
    case KeyProblem::None:
      break;
    case KeyProblem::Absent:
      return where + "needs a member that has no value";
    case KeyProblem::Empty:
      return where + "needs a member that is an empty string";
    case KeyProblem::Negative:
      return where + "pads a member that is negative; use {name:+0N} for numbers of any sign";
    case KeyProblem::TooManyDigits:
      return where + "pads a member that has more digits than it has room for";
    case KeyProblem::BadTime:
      return where + "has a time outside the years 0 to 9999";
  }
  return where;
}

}  // namespace partita::model
