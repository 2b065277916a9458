// Fields that rows of tables and rows of streams have in common.
#pragma once

#include <cassert>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

#include "partita/table.h"

#include "base/clock.h"
#include "catalog/row_fields.h"
#include "catalog/table_schema.h"

namespace partita {

// Enumerations are stored under DynamoDB's names for them.
template <typename Enum>
struct Word {
  Enum value;
  std::string_view text;
};
inline constexpr Word<ScalarType> kScalarTypes[] = {
    {ScalarType::S, "S"}, {ScalarType::N, "N"}, {ScalarType::B, "B"}};
inline constexpr Word<StreamViewType> kStreamViewTypes[] = {
    {StreamViewType::KeysOnly, "KEYS_ONLY"},
    {StreamViewType::NewImage, "NEW_IMAGE"},
    {StreamViewType::OldImage, "OLD_IMAGE"},
    {StreamViewType::NewAndOldImages, "NEW_AND_OLD_IMAGES"}};

template <typename Enum, std::size_t N>
std::string_view text_of(const Word<Enum> (&words)[N], Enum value) {
  for (const auto& word : words) {
    if (word.value == value) return word.text;
  }
  assert(false);
  return {};
}

template <typename Enum, std::size_t N>
Enum read_word(const Word<Enum> (&words)[N], const RowFields& fields, std::string_view name) {
  const std::string text = fields.string(name);
  for (const auto& word : words) {
    if (word.text == text) return word.value;
  }
  fields.reject(name);
  return words[0].value;
}

inline std::int64_t milliseconds(TimePoint time) { return time.time_since_epoch().count(); }
inline TimePoint time_from(std::int64_t count) {
  return TimePoint(std::chrono::milliseconds(count));
}

inline void begin_list(ItemWriter& writer, std::string_view name) {
  writer.name(name);
  [[maybe_unused]] const auto begun = writer.begin_list();
  assert(begun.has_value());  // a schema is never nested deeper than an item may be
}

inline void begin_map(ItemWriter& writer) {
  [[maybe_unused]] const auto begun = writer.begin_map();
  assert(begun.has_value());
}

// AttributeDefinition and KeyAttribute look alike.
template <typename Attributes>
void write_attributes(ItemWriter& writer, std::string_view name, const Attributes& attributes) {
  begin_list(writer, name);
  for (const auto& attribute : attributes) {
    begin_map(writer);
    write_field(writer, "name", attribute.name);
    write_field(writer, "type", text_of(kScalarTypes, attribute.type));
    writer.end_map();
  }
  writer.end_list();
}

inline void write_key(ItemWriter& writer, const KeySchema& key) {
  write_attributes(writer, "partition_key", key.partition);
  write_attributes(writer, "sort_key", key.sort);
}

template <typename Attributes>
void read_attributes(const RowFields& fields, std::string_view name, Attributes& attributes) {
  fields.for_each_map(name, [&](const RowFields& attribute) {
    attributes.push_back({attribute.string("name"), read_word(kScalarTypes, attribute, "type")});
    if (attributes.back().name.empty()) attribute.reject("name");
  });
}

inline KeySchema read_key(const RowFields& fields, std::size_t components_max) {
  KeySchema key;
  read_attributes(fields, "partition_key", key.partition);
  read_attributes(fields, "sort_key", key.sort);
  if (key.partition.empty() || key.partition.size() > components_max) {
    fields.reject("partition_key");
  }
  if (key.sort.size() > components_max) fields.reject("sort_key");
  return key;
}

inline SpaceId read_space(const RowFields& fields) {
  const std::int64_t space = fields.integer("space");
  if (space < 1 || space > std::numeric_limits<SpaceId>::max()) fields.reject("space");
  return static_cast<SpaceId>(space);
}

}  // namespace partita
