#include "expression/placeholders.h"

#include <algorithm>
#include <bit>
#include <numeric>
#include <string>

#include "expression/lexer.h"
#include "value/attribute_name.h"
#include "value/item_size.h"

namespace partita {
namespace {

constexpr std::size_t kPlaceholderBytesMax = 255;
constexpr std::size_t kAllPlaceholdersBytesMax = 2 * 1024 * 1024;
constexpr std::size_t kSearchedOneByOneMax = 16;

bool is_placeholder(std::string_view text, char sigil) {
  return text.size() > 1 && text[0] == sigil &&
         std::all_of(text.begin() + 1, text.end(), is_word_character);
}

template <typename Entry>
Result<void> check_keys(std::span<const Entry> entries, char sigil, const char* parameter) {
  if (entries.empty()) {
    return Error::validation(std::string(parameter) + " must not be empty");
  }
  for (const Entry& entry : entries) {
    if (entry.placeholder.size() > kPlaceholderBytesMax) {
      return Error::validation(std::string(parameter) +
                               " contains invalid key: The expression attribute map contains a key "
                               "that is too long; size of key: " +
                               std::to_string(entry.placeholder.size()));
    }
    if (!is_placeholder(entry.placeholder, sigil)) {
      return Error::validation(std::string(parameter) +
                               " contains invalid key: Syntax error; key: \"" +
                               std::string(entry.placeholder) + "\"");
    }
  }
  return {};
}

Result<void> check_name(const ExpressionAttributeName& entry) {
  const char* problem = attribute_name_problem(entry.name);
  if (problem == nullptr) return {};
  return Error::validation("ExpressionAttributeNames contains invalid value: " +
                           std::string(problem) + " for key " + std::string(entry.placeholder));
}

// All names and values together have a limit. A value's encoded form is about as long as its size,
// so only requests that come near are measured to the byte.
Result<void> check_size(const ExpressionAttributes& attributes) {
  std::size_t bytes = 0;
  std::size_t encoded_bytes = 0;
  if (attributes.names) {
    for (const ExpressionAttributeName& entry : *attributes.names) {
      bytes += entry.placeholder.size() + entry.name.size();
    }
  }
  if (attributes.values) {
    for (const ExpressionAttributeValue& entry : *attributes.values) {
      bytes += entry.placeholder.size();
      encoded_bytes += entry.value.bytes().size();
    }
  }
  if (bytes + encoded_bytes <= kAllPlaceholdersBytesMax / 4) [[likely]]
    return {};
  if (attributes.values) {
    for (const ExpressionAttributeValue& entry : *attributes.values) {
      bytes += value_size_bytes(entry.value);
    }
  }
  if (bytes <= kAllPlaceholdersBytesMax) return {};
  return Error::validation(
      "Combined size of ExpressionAttributeNames and ExpressionAttributeValues exceeds max size");
}

// Java's String.hashCode, spread as HashMap spreads it.
std::uint32_t java_hash(std::string_view text) {
  std::uint32_t hash = 0;
  for (char c : text) hash = 31 * hash + static_cast<unsigned char>(c);
  return hash ^ (hash >> 16);
}

// DynamoDB lists unused placeholders as a Java HashSet of all of them would iterate.
template <typename Entry>
Result<void> check_used(std::span<const Entry> entries, std::span<const std::uint8_t> used,
                        const char* parameter) {
  if (std::find(used.begin(), used.end(), 0) == used.end()) return {};
  std::vector<std::string_view> unused;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    if (!used[i]) unused.push_back(entries[i].placeholder);
  }
  const auto buckets = static_cast<std::uint32_t>(
      std::bit_ceil(std::max<std::size_t>(entries.size() * 4 / 3 + 1, 16)));
  std::stable_sort(unused.begin(), unused.end(),
                   [&](std::string_view left, std::string_view right) {
                     return (java_hash(left) & (buckets - 1)) < (java_hash(right) & (buckets - 1));
                   });
  std::string message =
      "Value provided in " + std::string(parameter) + " unused in expressions: keys: {";
  for (std::string_view placeholder : unused) {
    if (message.back() != '{') message.append(", ");
    message.append(placeholder);
  }
  return Error::validation(message + "}");
}

}  // namespace

Result<void> check_expression_attributes(const ExpressionAttributes& attributes,
                                         std::span<const ExpressionParameter> parameters) {
  bool any_given = false;
  bool any_takes_values = false;
  std::string without_values;
  std::size_t value_parameters = 0;
  for (const ExpressionParameter& parameter : parameters) {
    any_given = any_given || parameter.given;
    if (!parameter.takes_values) continue;
    any_takes_values = any_takes_values || parameter.given;
    ++value_parameters;
  }
  if (attributes.names && !any_given) {
    return Error::validation(
        "ExpressionAttributeNames can only be specified when using expressions");
  }
  if (!attributes.values || any_takes_values || value_parameters == 0) return {};
  for (const ExpressionParameter& parameter : parameters) {
    if (!parameter.takes_values) continue;
    if (!without_values.empty()) without_values.append(" and ");
    without_values.append(parameter.name);
  }
  return Error::validation(
      "ExpressionAttributeValues can only be specified when using expressions: " + without_values +
      (value_parameters > 1 ? " are null" : " is null"));
}

Placeholders::Placeholders(const ExpressionAttributes& attributes,
                           std::pmr::memory_resource* memory)
    : attributes_(attributes), names_(memory), values_(memory) {
  if (attributes.names) names_.used.resize(attributes.names->size());
  if (attributes.values) values_.used.resize(attributes.values->size());
}

Result<void> Placeholders::check() const {
  if (attributes_.names) {
    PARTITA_CHECK(check_keys(*attributes_.names, '#', "ExpressionAttributeNames"));
    for (const ExpressionAttributeName& entry : *attributes_.names) {
      PARTITA_CHECK(check_name(entry));
    }
  }
  if (attributes_.values) {
    PARTITA_CHECK(check_keys(*attributes_.values, ':', "ExpressionAttributeValues"));
    if (attributes_.value_fault) return told_fault(*attributes_.value_fault);
  }
  return check_size(attributes_);
}

template <typename Entry>
std::size_t Placeholders::use(std::span<const Entry> entries, Usage& usage,
                              std::string_view placeholder) {
  std::size_t found = kAbsent;
  if (entries.size() <= kSearchedOneByOneMax) {
    for (std::size_t i = 0; i < entries.size() && found == kAbsent; ++i) {
      if (entries[i].placeholder == placeholder) found = i;
    }
  } else {
    const auto less = [&](std::uint32_t left, std::uint32_t right) {
      return entries[left].placeholder < entries[right].placeholder;
    };
    if (usage.by_placeholder.empty()) {
      usage.by_placeholder.resize(entries.size());
      std::iota(usage.by_placeholder.begin(), usage.by_placeholder.end(), 0U);
      std::sort(usage.by_placeholder.begin(), usage.by_placeholder.end(), less);
    }
    const auto at = std::lower_bound(
        usage.by_placeholder.begin(), usage.by_placeholder.end(), placeholder,
        [&](std::uint32_t i, std::string_view wanted) { return entries[i].placeholder < wanted; });
    if (at != usage.by_placeholder.end() && entries[*at].placeholder == placeholder) found = *at;
  }
  if (found != kAbsent) usage.used[found] = 1;
  return found;
}

Result<std::string_view> Placeholders::name(std::string_view placeholder) {
  const auto entries = attributes_.names.value_or(std::span<const ExpressionAttributeName>());
  const std::size_t found = use(entries, names_, placeholder);
  if (found != kAbsent) return entries[found].name;
  return Error::validation(
      "An expression attribute name used in the document path is not defined; attribute name: " +
      std::string(placeholder));
}

Result<ValueView> Placeholders::value(std::string_view placeholder) {
  const auto entries = attributes_.values.value_or(std::span<const ExpressionAttributeValue>());
  const std::size_t found = use(entries, values_, placeholder);
  if (found != kAbsent) return entries[found].value;
  return Error::validation(
      "An expression attribute value used in expression is not defined; attribute value: " +
      std::string(placeholder));
}

Result<void> Placeholders::check_all_used() const {
  if (attributes_.names) {
    PARTITA_CHECK(check_used(*attributes_.names, names_.used, "ExpressionAttributeNames"));
  }
  if (attributes_.values) {
    PARTITA_CHECK(check_used(*attributes_.values, values_.used, "ExpressionAttributeValues"));
  }
  return {};
}

}  // namespace partita
