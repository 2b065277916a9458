#include "partita/model/expression_set.h"

#include <algorithm>
#include <array>

#include "base/coding.h"

namespace partita::model {
namespace {

// More than the expressions of a request can name, which have 4 KB each. The next one is given the
// last number again, so that what is too long is refused by whoever gets it.
constexpr std::size_t kPlaceholders = 2000;

// "#0", "#1", … and ":0", ":1", …: five bytes each are room enough.
struct Placeholders {
  std::array<std::array<char, 5>, kPlaceholders> text{};
  constexpr explicit Placeholders(char sign) {
    for (std::size_t i = 0; i < kPlaceholders; ++i) {
      std::size_t at = 0;
      text[i][at++] = sign;
      if (i >= 1000) text[i][at++] = static_cast<char>('0' + i / 1000);
      if (i >= 100) text[i][at++] = static_cast<char>('0' + i / 100 % 10);
      if (i >= 10) text[i][at++] = static_cast<char>('0' + i / 10 % 10);
      text[i][at++] = static_cast<char>('0' + i % 10);
    }
  }
  std::string_view operator[](std::size_t i) const {
    const std::size_t digits = i >= 1000 ? 4 : i >= 100 ? 3 : i >= 10 ? 2 : 1;
    return {text[i].data(), digits + 1};
  }
};
constexpr Placeholders kNames('#');
constexpr Placeholders kValues(':');

// For what most requests have.
void make_room(std::vector<std::size_t>& value_ends, std::string& value_bytes) {
  value_ends.reserve(8);
  value_bytes.reserve(256);
}

}  // namespace

ExpressionSet::ExpressionSet() = default;
ExpressionSet::ExpressionSet(const ExpressionSet&) = default;
ExpressionSet::ExpressionSet(ExpressionSet&&) noexcept = default;
ExpressionSet& ExpressionSet::operator=(const ExpressionSet&) = default;
ExpressionSet& ExpressionSet::operator=(ExpressionSet&&) noexcept = default;
ExpressionSet::~ExpressionSet() = default;

void ExpressionSet::placeholder(std::string& out, char sign, std::size_t number) {
  if (out.capacity() < 32) out.reserve(120);
  out += (sign == '#' ? kNames : kValues)[std::min(number, kPlaceholders - 1)];
}

void ExpressionSet::whole_name(std::string& out, std::string_view name) {
  std::size_t index = 0;
  while (index < names_.size() && names_[index] != name) ++index;
  if (index == names_.size()) {
    if (index == 0) names_.reserve(8);
    names_.push_back(name);
  }
  placeholder(out, '#', index);
}

void ExpressionSet::name(std::string& out, std::string_view path) {
  while (true) {
    const std::size_t dot = path.find('.');
    whole_name(out, path.substr(0, dot));
    if (dot == std::string_view::npos) return;
    out += '.';
    path.remove_prefix(dot + 1);
  }
}

void ExpressionSet::value(std::string& out, ValueView value) {
  if (value_ends_.empty()) make_room(value_ends_, value_bytes_);
  placeholder(out, ':', value_ends_.size());
  value_bytes_ += value.bytes();
  value_ends_.push_back(value_bytes_.size());
}

void ExpressionSet::text_value(std::string& out, std::string_view text) {
  // Keys go this way with every update, so the value is made where it stands (partita/value.h).
  if (value_ends_.empty()) make_room(value_ends_, value_bytes_);
  placeholder(out, ':', value_ends_.size());
  value_bytes_ += encoding::kString;
  append_length_prefixed(value_bytes_, text);
  value_ends_.push_back(value_bytes_.size());
}

void ExpressionSet::integer_value(std::string& out, std::int64_t number) {
  ItemSink sink;
  sink.integer(number);
  value(out, sink.value());
}

std::vector<std::string_view> ExpressionSet::attributes_in(std::string_view expression) const {
  std::vector<std::string_view> found;
  for (std::size_t at = 0; at < expression.size(); ++at) {
    if (expression[at] != '#') continue;
    const bool nested = at > 0 && expression[at - 1] == '.';
    std::size_t number = 0;
    while (at + 1 < expression.size() && expression[at + 1] >= '0' && expression[at + 1] <= '9') {
      number = 10 * number + static_cast<std::size_t>(expression[++at] - '0');
    }
    if (!nested) found.push_back(names_[number]);
  }
  return found;
}

ExpressionAttributes ExpressionSet::attributes() {
  ExpressionAttributes attributes;
  name_list_.clear();
  value_list_.clear();
  name_list_.reserve(names_.size());
  value_list_.reserve(value_ends_.size());
  const std::size_t names = std::min(names_.size(), kPlaceholders);
  const std::size_t values = std::min(value_ends_.size(), kPlaceholders);
  for (std::size_t i = 0; i < names; ++i) name_list_.push_back({kNames[i], names_[i]});
  std::size_t start = 0;
  for (std::size_t i = 0; i < values; ++i) {
    const Bytes bytes = Bytes(value_bytes_).substr(start, value_ends_[i] - start);
    value_list_.push_back({kValues[i], ValueView(bytes)});
    start = value_ends_[i];
  }
  if (!name_list_.empty()) attributes.names = name_list_;
  if (!value_list_.empty()) attributes.values = value_list_;
  return attributes;
}

}  // namespace partita::model
