#include "wire/legacy_members.h"

#include <optional>
#include <string>
#include <vector>

#include "wire/enum_names.h"
#include "wire/kept_elements.h"
#include "wire/map_entries.h"

namespace partita {

namespace {

constexpr std::size_t kAttributesToGetMax = 255;
using Text = std::optional<std::string_view>;
using ValueOf = RequestReader::ValueOf;

// "expected.name.member.comparisonOperator"
std::string member_path(std::string_view map, std::string_view attribute, std::string_view member) {
  return std::string(map).append(".").append(attribute).append(".member.").append(member);
}

std::span<const ValueView> read_value_list(RequestReader& reader, ValueOf value_of) {
  std::pmr::vector<ValueView> values(reader.memory());
  reader.enter_list();
  while (reader.next_element()) {
    if (const auto value = reader.next_value(value_of)) values.push_back(*value);
  }
  return reader.kept(values);
}

std::optional<ValueView> read_single_value(RequestReader& reader) {
  reader.check_member_value();
  return reader.next_value(ValueOf::Parameter);
}

// A map from attribute names to structures; `read_entry` reads the members of one. An attribute
// named twice keeps its last entry.
template <typename Entry, typename ReadEntry>
std::span<const Entry> read_entries(RequestReader& reader, std::string_view structure,
                                    ReadEntry read_entry) {
  std::pmr::vector<Entry> entries(reader.memory());
  reader.enter_map(structure);
  for (std::string_view attribute; reader.next_member(attribute);) {
    Entry entry;
    entry.attribute = attribute;
    reader.enter_structure(structure);
    read_entry(entry);
    entries.push_back(entry);
  }
  drop_repeated(entries);
  return reader.kept(entries);
}

}  // namespace

std::span<const AttributeCondition> read_conditions(RequestReader& reader, std::string_view path,
                                                    ShapeRules& rules, ValueOf value_of) {
  return read_entries<AttributeCondition>(
      reader, "com.amazonaws.dynamodb.v20120810.Condition", [&](AttributeCondition& condition) {
        Text comparison;
        for (std::string_view name; reader.next_member(name);) {
          if (name == "AttributeValueList") {
            condition.values = read_value_list(reader, value_of);
          } else if (name == "ComparisonOperator") {
            comparison = reader.text();
          } else {
            reader.skip();
          }
        }
        const std::string place = member_path(path, condition.attribute, "comparisonOperator");
        rules.not_null(place, comparison.has_value());
        condition.comparison_operator = rules.word(place, comparison, kComparisonOperator)
                                            .value_or(condition.comparison_operator);
      });
}

std::span<const ExpectedAttribute> read_expected(RequestReader& reader, ShapeRules& rules) {
  return read_entries<ExpectedAttribute>(
      reader, "com.amazonaws.dynamodb.v20120810.ExpectedAttributeValue",
      [&](ExpectedAttribute& expected) {
        Text comparison;
        for (std::string_view name; reader.next_member(name);) {
          if (name == "AttributeValueList") {
            expected.values = read_value_list(reader, ValueOf::Parameter);
          } else if (name == "ComparisonOperator") {
            comparison = reader.text();
          } else if (name == "Value") {
            expected.value = read_single_value(reader);
          } else if (name == "Exists") {
            expected.exists = reader.truth();
          } else {
            reader.skip();
          }
        }
        expected.comparison_operator =
            rules.word(member_path("expected", expected.attribute, "comparisonOperator"),
                       comparison, kComparisonOperator);
      });
}

std::span<const AttributeUpdate> read_attribute_updates(RequestReader& reader, ShapeRules& rules) {
  return read_entries<AttributeUpdate>(
      reader, "com.amazonaws.dynamodb.v20120810.AttributeValueUpdate",
      [&](AttributeUpdate& update) {
        Text action;
        for (std::string_view name; reader.next_member(name);) {
          if (name == "Action") {
            action = reader.text();
          } else if (name == "Value") {
            update.value = read_single_value(reader);
          } else {
            reader.skip();
          }
        }
        update.action = rules
                            .word(member_path("attributeUpdates", update.attribute, "action"),
                                  action, kAttributeAction)
                            .value_or(AttributeAction::Put);
      });
}

std::span<const std::string_view> read_attributes_to_get(RequestReader& reader,
                                                         std::string_view path, ShapeRules& rules) {
  std::pmr::vector<std::string_view> names(reader.memory());
  reader.enter_list();
  while (reader.next_element()) next_place(names) = reader.text();
  if (names.empty() || names.size() > kAttributesToGetMax) {
    std::string shown = "[";
    for (const std::string_view name : names) {
      shown.append(shown.size() == 1 ? "" : ", ").append(name);
    }
    rules.list_length(path, names.size(), 1, kAttributesToGetMax, shown + "]");
  }
  return reader.kept(names);
}

std::optional<ConditionalOperator> read_conditional_operator(RequestReader& reader,
                                                             ShapeRules& rules) {
  return rules.word("conditionalOperator", reader.text(), kConditionalOperator);
}

}  // namespace partita
