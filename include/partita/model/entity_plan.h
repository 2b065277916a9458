// EntityPlan: what define_entity knows, without the type. Most of the kit works on plans, so that
// it is compiled once and not for every entity.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "partita/item.h"
#include "partita/model/error_codes.h"
#include "partita/model/item_sink.h"
#include "partita/model/key_template.h"
#include "partita/model/table.h"
#include "partita/result.h"

namespace partita::model {

class RawItem;

// One attribute of a key, and what makes it.
struct KeyPart {
  std::string_view attribute{};
  ScalarType type = ScalarType::S;
  const KeyTemplate* key = nullptr;
  bool written = false;  // by this access pattern: not a member, not another key's attribute
};

struct KeyParts {
  std::array<KeyPart, kKeyAttributesMax> all{};
  std::uint8_t count = 0;
};

// A way to find items: the primary key, or an index of the entity.
struct AccessPattern {
  std::string_view name{};
  std::string_view index{};  // of the table; empty: the table itself
  KeyParts partition{};
  KeyParts sort{};
  bool local = false;
  bool read_only = false;  // updates leave its keys alone
  // Only items for which this member is true (not empty, not zero) are in the index.
  std::string_view when_path{};
  KeyInputOf when = nullptr;
};

// One attribute of the stored item.
struct AttributeSlot {
  enum class Kind : std::uint8_t { Member, Key, Type, Schema };
  std::string_view name{};
  Kind kind = Kind::Member;
  std::uint8_t pattern = 0;  // Key
  std::uint8_t part = 0;     // Key: sort parts from 4
  ValueType type = ValueType::S;
  void (*encode)(const void* object, std::string_view name, ItemSink&) = nullptr;  // Member
  bool (*decode)(void* object, ValueView) = nullptr;                               // Member
};

struct EntityPlan;

// Members whose values together no other item of the entity has.
struct UniqueKey {
  std::string_view label{};  // "email", "org+name"
  const KeyTemplate* key = nullptr;
};

// An item elsewhere that counts how many there are of this entity.
struct ReferenceCounter {
  std::string_view attribute{};
  const KeyTemplate* partition = nullptr;
  const KeyTemplate* sort = nullptr;
};

// An item that hands out the numbers 1, 2, 3, …
struct Sequence {
  const EntityPlan* plan = nullptr;
  std::string_view attribute{};
  const KeyTemplate* partition = nullptr;
  const KeyTemplate* sort = nullptr;
  bool must_exist = false;
};

struct EntityPlan {
  std::string_view name{};
  const TableShape* table = nullptr;
  std::span<const AccessPattern> patterns{};  // the first is the primary key
  std::span<const AttributeSlot> slots{};     // ascending by name
  std::span<const UniqueKey> uniques{};
  std::span<const ReferenceCounter> counters{};
  std::string_view version_attribute{};
  std::string_view created_attribute{};
  std::string_view updated_attribute{};
  int schema_version = 1;
  void (*upgrade)(int from, RawItem&) = nullptr;

  constexpr const AccessPattern& primary() const { return patterns[0]; }
  // As find_pattern, and also at compile time under -fsanitize=undefined (see find_character).
  constexpr bool has_pattern(std::string_view wanted) const {
    for (const AccessPattern& pattern : patterns) {
      if (pattern.name == wanted) return true;
    }
    return false;
  }
  constexpr const AccessPattern* find_pattern(std::string_view wanted) const {
    for (const AccessPattern& pattern : patterns) {
      if (pattern.name == wanted) return &pattern;
    }
    return nullptr;
  }
};

// The whole item: members, keys, type.
Result<void> encode_entity(const EntityPlan& plan, const void* object, ItemSink& sink);
// False when the item is of another entity.
Result<bool> decode_entity(const EntityPlan& plan, ItemView item, void* object);

// Written under an older schema version than the entity has now.
bool is_outdated(const EntityPlan& plan, ItemView item);

// The primary key as an item, from inputs in the order of the pieces, partition first.
Result<void> encode_key(const EntityPlan& plan, const KeyInput* inputs, ItemSink& sink);
Result<void> encode_key(const EntityPlan& plan, const void* object, ItemSink& sink);

// False, zero, empty and absent are not.
bool is_true(const KeyInput& input);

// Appends the name and the value of a key attribute.
void encode_key_value(const KeyPart& part, const KeyInput& native, std::string_view text,
                      ItemSink& sink);

}  // namespace partita::model
