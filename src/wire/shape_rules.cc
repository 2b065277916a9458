#include "wire/shape_rules.h"

#include <algorithm>

namespace partita {

namespace {

constexpr std::size_t kNameLengthMin = 3;
constexpr std::size_t kNameLengthMax = 255;
constexpr std::size_t kArnLengthMax = 1024;
constexpr std::string_view kNamePattern =
    "Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+";

bool is_name_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '.' || c == '-';
}

bool matches_name_pattern(std::string_view name) {
  return !name.empty() && std::all_of(name.begin(), name.end(), is_name_character);
}

bool is_arn(std::string_view name) { return name.starts_with("arn:"); }

// Lengths count characters, and every byte that does not continue a character starts one.
std::size_t character_count(std::string_view text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

std::string at_least(std::string_view what, std::int64_t min) {
  return std::string("Member must have ").append(what) + " greater than or equal to " +
         std::to_string(min);
}

std::string at_most(std::string_view what, std::int64_t max) {
  return std::string("Member must have ").append(what) + " less than or equal to " +
         std::to_string(max);
}

Error missing_table_name() {
  return Error::validation(
      "The parameter 'TableName' is required but was not present in the request");
}

}  // namespace

void ShapeRules::length(std::string_view path, std::string_view text, std::size_t min,
                        std::size_t max) {
  list_length(path, character_count(text), min, max, text);
}

void ShapeRules::list_length(std::string_view path, std::size_t count, std::size_t min,
                             std::size_t max, std::string_view shown) {
  if (count < min) violated(path, shown, at_least("length", static_cast<std::int64_t>(min)));
  if (count > max) violated(path, shown, at_most("length", static_cast<std::int64_t>(max)));
}

void ShapeRules::range(std::string_view path, std::int64_t number, std::int64_t min,
                       std::int64_t max) {
  if (number < min) violated(path, std::to_string(number), at_least("value", min));
  if (number > max) violated(path, std::to_string(number), at_most("value", max));
}

void ShapeRules::resource_name(std::string_view path, std::string_view name) {
  if (!matches_name_pattern(name)) violated(path, name, kNamePattern);
  length(path, name, kNameLengthMin, kNameLengthMax);
}

void ShapeRules::violated(std::string_view path, std::optional<std::string_view> value,
                          std::string_view constraint) {
  if (violations_.size() == kViolationsToldMax) return;
  std::string sentence = "Value ";
  if (value) {
    sentence.append("'").append(*value).append("'");
  } else {
    sentence.append("null");
  }
  sentence.append(" at '").append(path).append("' failed to satisfy constraint: ");
  sentence.append(constraint);
  violations_.push_back(std::move(sentence));
}

Error ShapeRules::error() const {
  const std::size_t count = violations_.size();
  std::string message =
      std::to_string(count) + " validation error" + (count == 1 ? "" : "s") + " detected: ";
  for (std::size_t i = 0; i < count; ++i) message.append(i == 0 ? "" : "; ").append(violations_[i]);
  return Error::validation(std::move(message));
}

Result<void> check_item_table_name(std::optional<std::string_view> name) {
  if (!name) return {};
  // Every request comes by here, and its name is nearly always a good one.
  if (name->size() >= kNameLengthMin && name->size() <= kNameLengthMax &&
      matches_name_pattern(*name)) [[likely]] {
    return {};
  }
  ShapeRules rules;
  if (name->empty() || is_arn(*name)) {
    rules.length("tableName", *name, 1, kArnLengthMax);
  } else {
    rules.resource_name("tableName", *name);
  }
  return rules.check();
}

Result<void> check_table_name(std::optional<std::string_view> name) {
  if (!name) return missing_table_name();
  ShapeRules rules;
  if (is_arn(*name)) {
    rules.length("tableName", *name, 1, kArnLengthMax);
  } else {
    rules.resource_name("tableName", *name);
  }
  return rules.check();
}

}  // namespace partita
