// The constraints of the API model: which members must be there, how long they may be, which words
// they may hold.
//
// Violations are collected and told together, as AWS does:
//
//   2 validation errors detected: Value null at 'item' failed to satisfy constraint: Member must
//   not be null; Value 'X' at 'returnValues' failed to satisfy constraint: Member must satisfy enum
//   …
//
// Members are checked in the order in which AWS names them, not in the order of the document.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "partita/result.h"

namespace partita {

inline constexpr std::size_t kTableNameLengthMax = 1024;  // it may be an ARN

// A word of the API and what it means. A table of them is in the order in which messages list them.
template <typename Enum>
struct EnumName {
  std::string_view text;
  Enum value;
};

template <typename Enum, std::size_t N>
std::string_view enum_text(const std::array<EnumName<Enum>, N>& names, Enum value) {
  for (const EnumName<Enum>& name : names) {
    if (name.value == value) return name.text;
  }
  return {};
}

class ShapeRules {
 public:
  static constexpr std::size_t kViolationsToldMax = 10;  // AWS stops there too

  // `path` names the member as AWS does: "keySchema.1.member.keyType".
  void not_null(std::string_view path, bool present) {
    if (!present) [[unlikely]]
      violated(path, std::nullopt, "Member must not be null");
  }
  void length(std::string_view path, std::string_view text, std::size_t min, std::size_t max);
  void list_length(std::string_view path, std::size_t count, std::size_t min, std::size_t max,
                   std::string_view shown);
  void range(std::string_view path, std::int64_t number, std::int64_t min, std::int64_t max);
  // A table's or index's name: its alphabet and length.
  void resource_name(std::string_view path, std::string_view name);

  template <typename Enum, std::size_t N>
  std::optional<Enum> word(std::string_view path, const std::optional<std::string_view>& text,
                           const std::array<EnumName<Enum>, N>& names) {
    if (!text) return std::nullopt;
    for (const EnumName<Enum>& name : names) {
      if (name.text == *text) return name.value;
    }
    std::string set;
    for (const EnumName<Enum>& name : names) {
      set.append(set.empty() ? "" : ", ").append(name.text);
    }
    violated(path, text, "Member must satisfy enum value set: [" + set + "]");
    return std::nullopt;
  }

  // Those that were found elsewhere.
  void add(const ShapeRules& others) {
    for (const std::string& violation : others.violations_) {
      if (violations_.size() < kViolationsToldMax) violations_.push_back(violation);
    }
  }
  // One violation in words of its own: "Value at 'Limit' failed to satisfy constraint: …".
  void violated_as(std::string sentence) { violations_.push_back(std::move(sentence)); }
  // The first few are kept.
  void violated(std::string_view path, std::optional<std::string_view> value,
                std::string_view constraint);

  // All violations as one error.
  Result<void> check() const {
    if (violations_.empty()) [[likely]]
      return {};
    return error();
  }

 private:
  Error error() const;

  std::vector<std::string> violations_;
};

// The TableName of an operation on items: a name or an ARN. AWS tells of a bad one before it looks
// at anything else, but counts a missing one among the other violations. What an empty one lacks
// is said of ARNs and names together: one character.
Result<void> check_item_table_name(std::optional<std::string_view> name);
// The TableName of an operation on tables, which must be there.
Result<void> check_table_name(std::optional<std::string_view> name);

}  // namespace partita
