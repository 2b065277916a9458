// Entities: a struct, the keys under which it is stored, and the indexes in which it is found.
//
//   inline constexpr auto dinosaur = define_entity<Dinosaur, "dinosaur">(
//       park,
//       key<"DINO#{id}", "METADATA">,
//       indexed<"by_diet", "GSI1", "DIET#{diet}", "W#{weight:08}#{id}">,
//       indexed<"by_expedition", "GSI2", "EXP#{expedition}", "{discovered|rev}#{id}">,  // sparse
//       indexed<"unread", "GSI1", "USER#{user}", "{id}", when<"unread">>,
//       version<&Dinosaur::version>, created<&Dinosaur::created>, updated<&Dinosaur::updated>,
//       ulid<&Dinosaur::id>,
//       validate([](const Dinosaur& d, Issues& issues) {
//         if (d.weight <= 0) issues.add("weight", "must be positive");
//       }));
//
// Everything is known at compile time; a definition that cannot work does not compile.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "partita/model/entity_binding.h"
#include "partita/model/entity_parts.h"
#include "partita/model/entity_plan.h"
#include "partita/model/member_path.h"
#include "partita/model/table.h"

namespace partita::model {

template <typename T, FixedString Name, typename TableType, typename... Parts>
class Entity {
 public:
  using Object = T;
  using TableDefinition = TableType;
  using PartList = detail::PartList<Parts...>;

  static_assert(std::is_aggregate_v<T> && std::is_default_constructible_v<T>,
                "an entity is a plain aggregate: a struct without constructors, private members "
                "and virtual functions");
  static_assert(PartList::template count<detail::Role::Key> == 1,
                "an entity needs exactly one key<\"partition template\", \"sort template\">");

  static constexpr const TableShape& table = TableType::shape;

 private:
  using PrimaryKey = typename decltype(detail::first_of<detail::Role::Key, Parts...>())::type;
  static_assert(table.sort_key.name.empty() == PrimaryKey::sort.empty(),
                "an entity has a sort key template exactly when its table has a sort key");

  template <ScalarType Declared, const KeyTemplate& Template, ValueType Stored>
  static constexpr void check_key_type() {
    static_assert(Declared == ScalarType::S || Template.native,
                  "a key template makes text, but its key attribute is declared as a number");
    static_assert(!Template.native || (Declared == ScalarType::S) == (Stored == ValueType::S),
                  "a member that is a key attribute is declared with another type: \"name:N\" is a "
                  "number, \"name\" is text");
  }

  // A key attribute that is a member, or made by this template.
  template <FixedString Attribute, FixedString Template, ScalarType Type>
  static constexpr KeyPart make_part() {
    constexpr std::size_t member = detail::member_index<T>(Attribute.view());
    KeyPart part{Attribute.view(), Type, nullptr, false};
    if constexpr (member < Members<T>::count) {
      static_assert(Template.empty() || is_braced<Template>(Attribute.view()),
                    "a key attribute with the name of a member is that member: its template is "
                    "\"{member}\"");
      constexpr const KeyTemplate& native = detail::native_template<T, member>;
      using Member = typename Members<T>::template Type<member>;
      check_key_type<Type, native, detail::stored_type<Member>()>();
      part.key = &native;
    } else {
      static_assert(!Template.empty(),
                    "an access pattern needs a template for a key attribute that is no member");
      constexpr const KeyTemplate& bound = detail::bound_template<T, Template>;
      check_key_type<Type, bound, ValueType::S>();
      part.key = &bound;
      part.written = true;
    }
    return part;
  }
  template <FixedString Template>
  static constexpr bool is_braced(std::string_view name) {
    const std::string_view text = Template.view();
    return text.size() == name.size() + 2 && text[0] == '{' && text.back() == '}' &&
           text.substr(1, name.size()) == name;
  }
  // Names of key attributes as template arguments: of the table, and of index N of it.
  template <std::size_t N, bool Sort, std::size_t I>
  struct IndexAttribute {
    static constexpr KeyAttribute value =
        Sort ? table.indexes[N].sort.all[I] : table.indexes[N].partition.all[I];
  };
  struct PartitionAttribute {
    static constexpr KeyAttribute value = table.partition_key;
  };
  struct SortAttribute {
    static constexpr KeyAttribute value = table.sort_key;
  };
  template <typename Attribute>
  static consteval auto attribute_text() {
    FixedString<Attribute::value.name.size() + 1> text;
    for (std::size_t i = 0; i < Attribute::value.name.size(); ++i) {
      text.text[i] = Attribute::value.name[i];
    }
    return text;
  }

  static constexpr AccessPattern make_primary() {
    AccessPattern pattern;
    pattern.partition.count = 1;
    pattern.partition.all[0] = make_part<attribute_text<PartitionAttribute>(),
                                         PrimaryKey::partition, table.partition_key.type>();
    if constexpr (!table.sort_key.name.empty()) {
      pattern.sort.count = 1;
      pattern.sort.all[0] =
          make_part<attribute_text<SortAttribute>(), PrimaryKey::sort, table.sort_key.type>();
    }
    return pattern;
  }
  static constexpr AccessPattern primary = make_primary();

  template <typename Attribute, FixedString Template>
  static constexpr KeyPart make_index_part() {
    if constexpr (Attribute::value.name == table.partition_key.name) {
      KeyPart part = primary.partition.all[0];
      part.written = false;
      return part;
    } else if constexpr (Attribute::value.name == table.sort_key.name) {
      KeyPart part = primary.sort.all[0];
      part.written = false;
      return part;
    } else {
      return make_part<attribute_text<Attribute>(), Template, Attribute::value.type>();
    }
  }

  static constexpr std::size_t index_number(std::string_view name) {
    std::size_t number = 0;
    while (number < table.index_count && table.indexes[number].name != name) ++number;
    return number;
  }

  template <typename Part>
  static constexpr AccessPattern make_index() {
    constexpr std::size_t number = index_number(Part::table_index.view());
    static_assert(number < table.index_count,
                  "an access pattern names an index that its table does not have");
    AccessPattern pattern;
    pattern.name = Part::name.view();
    pattern.index = Part::table_index.view();
    if constexpr (number < table.index_count) {
      constexpr IndexShape index = table.indexes[number];
      pattern.local = index.local;
      static_assert(index.sort.count != 0 || Part::sort.empty(),
                    "an access pattern has a sort key template, but its index has no sort key");
      static_assert(!index.local || Part::partition.empty() ||
                        Part::partition.view() == PrimaryKey::partition.view(),
                    "a local index has the partition key of the table");
      pattern.partition.count = index.partition.count;
      [&]<std::size_t... I>(std::index_sequence<I...>) {
        ((pattern.partition.all[I] =
              make_index_part<IndexAttribute<number, false, I>, Part::partition>()),
         ...);
      }
      (std::make_index_sequence<index.partition.count>{});
      pattern.sort.count = index.sort.count;
      [&]<std::size_t... I>(std::index_sequence<I...>) {
        ((pattern.sort.all[I] = make_index_part<IndexAttribute<number, true, I>, Part::sort>()),
         ...);
      }
      (std::make_index_sequence<index.sort.count>{});
    }
    detail::bind_options<T>(pattern, Part{});
    return pattern;
  }

  static constexpr std::size_t pattern_count = 1 + PartList::template count<detail::Role::Index>;
  static constexpr std::array<AccessPattern, pattern_count> make_patterns() {
    std::array<AccessPattern, pattern_count> made;
    made[0] = primary;
    std::size_t next = 1;
    PartList::template each<detail::Role::Index>(
        [&]<typename Part>(std::type_identity<Part>) { made[next++] = make_index<Part>(); });
    return made;
  }

 public:
  static constexpr std::array<AccessPattern, pattern_count> patterns = make_patterns();

 private:
  static constexpr bool names_are_unique() {
    for (std::size_t i = 0; i < pattern_count; ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        if (patterns[i].name == patterns[j].name) return false;
      }
    }
    return true;
  }
  static_assert(names_are_unique(), "two access patterns of an entity have the same name");

  static constexpr std::size_t written_keys() {
    std::size_t count = 0;
    for (const AccessPattern& pattern : patterns) {
      for (const KeyPart& part : pattern.partition.all) count += part.written ? 1 : 0;
      for (const KeyPart& part : pattern.sort.all) count += part.written ? 1 : 0;
    }
    return count;
  }

  static constexpr std::size_t slot_count =
      Members<T>::count + written_keys() + 1 + PartList::template count<detail::Role::Evolve>;

  static constexpr std::array<AttributeSlot, slot_count> make_slots() {
    std::array<AttributeSlot, slot_count> made{};
    std::size_t next = 0;
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      ((made[next++] = make_member_slot<I>()), ...);
    }
    (std::make_index_sequence<Members<T>::count>{});
    for (std::size_t p = 0; p < pattern_count; ++p) {
      const auto add = [&](const KeyParts& parts, std::size_t first) {
        for (std::size_t i = 0; i < parts.count; ++i) {
          if (!parts.all[i].written) continue;
          AttributeSlot& slot = made[next++];
          slot.name = parts.all[i].attribute;
          slot.kind = AttributeSlot::Kind::Key;
          slot.pattern = static_cast<std::uint8_t>(p);
          slot.part = static_cast<std::uint8_t>(first + i);
        }
      };
      add(patterns[p].partition, 0);
      add(patterns[p].sort, kKeyAttributesMax);
    }
    made[next].name = table.type_attribute;
    made[next++].kind = AttributeSlot::Kind::Type;
    if (next < slot_count) {
      made[next].name = table.schema_attribute;
      made[next++].kind = AttributeSlot::Kind::Schema;
    }
    for (std::size_t i = 1; i < slot_count; ++i) {  // by name; <algorithm> takes long to compile
      for (std::size_t j = i; j > 0 && made[j].name < made[j - 1].name; --j) {
        std::swap(made[j], made[j - 1]);
      }
    }
    return made;
  }
  template <std::size_t I>
  static constexpr AttributeSlot make_member_slot() {
    constexpr bool epoch = Members<T>::names[I] == table.ttl;
    AttributeSlot slot;
    slot.name = Members<T>::names[I];
    slot.type = epoch ? ValueType::N : detail::stored_type<typename Members<T>::template Type<I>>();
    slot.encode = &detail::encode_member<T, I, epoch>;
    slot.decode = &detail::decode_member<T, I, epoch>;
    return slot;
  }
  static constexpr std::array<AttributeSlot, slot_count> slots = make_slots();

  static constexpr bool attributes_are_unique() {
    for (std::size_t i = 1; i < slot_count; ++i) {
      if (slots[i].name == slots[i - 1].name) return false;
    }
    return true;
  }
  static_assert(attributes_are_unique(),
                "two access patterns of an entity make the same key attribute, or a member has the "
                "name of the type attribute");

  static constexpr auto make_uniques() {
    std::array<UniqueKey, PartList::template count<detail::Role::Unique>> made{};
    std::size_t next = 0;
    PartList::template each<detail::Role::Unique>([&]<typename Part>(std::type_identity<Part>) {
      made[next++] = detail::make_unique_key<T>(Part{});
    });
    return made;
  }
  static constexpr auto uniques = make_uniques();
  static_assert(uniques.empty() || table.partition_key.type == ScalarType::S,
                "unique<…> needs a table whose keys are text");

  static constexpr auto make_counters() {
    std::array<ReferenceCounter, PartList::template count<detail::Role::ReferenceCount>> made{};
    std::size_t next = 0;
    PartList::template each<detail::Role::ReferenceCount>(
        [&]<typename Part>(std::type_identity<Part>) {
          constexpr const KeyTemplate* partition = detail::optional_template<T, Part::partition>();
          constexpr const KeyTemplate* sort = detail::optional_template<T, Part::sort>();
          static_assert(
              detail::is_template_fixed_by<T, Part::partition>(primary) &&
                  detail::is_template_fixed_by<T, Part::sort>(primary),
              "counted_by<…> finds the counter by members of the primary key, which never change");
          made[next++] = {attribute_name<Part::member>, partition, sort};
        });
    return made;
  }
  static constexpr auto counters = make_counters();

  template <detail::Role R>
  static constexpr std::string_view role_attribute() {
    std::string_view name;
    PartList::template each<R>(
        [&]<typename Part>(std::type_identity<Part>) { name = attribute_name<Part::member>; });
    return name;
  }
  static constexpr EntityPlan make_plan() {
    EntityPlan made;
    made.name = Name.view();
    made.table = &table;
    made.patterns = patterns;
    made.slots = slots;
    made.uniques = uniques;
    made.counters = counters;
    PartList::template each<detail::Role::Evolve>([&]<typename Part>(std::type_identity<Part>) {
      made.schema_version = Part::version;
      made.upgrade = &Part::upgrade;
    });
    made.version_attribute = role_attribute<detail::Role::Version>();
    made.created_attribute = role_attribute<detail::Role::Created>();
    made.updated_attribute = role_attribute<detail::Role::Updated>();
    return made;
  }

 public:
  static constexpr EntityPlan plan = make_plan();
  // Whether writes concern more items than the one.
  static constexpr bool writes_together =
      PartList::template count<detail::Role::Unique> +
          PartList::template count<detail::Role::ReferenceCount> !=
      0;
  static constexpr bool versioned = PartList::template count<detail::Role::Version> != 0;

  // What an item holds: an error when it cannot be read, nothing when it is of another entity. For
  // items that come from elsewhere, such as a stream.
  static Result<std::optional<T>> decode(ItemView item) {
    T object{};
    PARTITA_TRY(const bool ours, decode_entity(plan, item, &object));
    if (!ours) return std::optional<T>();
    return std::optional<T>(std::move(object));
  }
  static Result<Item> encode(const T& object) {
    ItemSink sink;
    PARTITA_CHECK(encode_entity(plan, &object, sink));
    return Item(sink.item());
  }
};

// An entity by the name of its definition, so that types stay short.
template <const auto& Definition>
struct EntityOf : std::remove_cvref_t<decltype(Definition)> {};

// See the top of this file.
template <typename T, FixedString Name, typename TableType, typename... Parts>
constexpr Entity<T, Name, TableType, Parts...> define_entity(TableType, Parts...) {
  return {};
}

}  // namespace partita::model
