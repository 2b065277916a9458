// Tables: which key attributes and indexes there are. Declared once, usable at compile time.
//
//   inline constexpr auto park = define_table<"Park">(
//       key<"PK", "SK">,
//       gsi<"GSI1", "GSI1PK", "GSI1SK">,
//       gsi<"ByScore", "game", "score:N", keys_only>,        // members may be keys, numbers too
//       gsi<"Rounds", "tournament,region", "round:N,id">,    // or several at once
//       lsi<"ByTotal", "LSI1SK">,
//       ttl<"expires">,
//       streamed);
//
//   auto table = park.in(database);            // or park.in(database, "Park-test")
//   table.create_if_missing();
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "partita/api.h"
#include "partita/model/fixed_string.h"
#include "partita/model/time_points.h"
#include "partita/table.h"

namespace partita::model {

struct KeyAttribute {
  std::string_view name{};
  ScalarType type = ScalarType::S;
};

inline constexpr std::size_t kKeyAttributesMax = 4;

struct KeyAttributes {
  std::array<KeyAttribute, kKeyAttributesMax> all{};
  std::uint8_t count = 0;
};

struct IndexShape {
  std::string_view name{};
  bool local = false;
  KeyAttributes partition{};
  KeyAttributes sort{};
  ProjectionType projection = ProjectionType::All;
  std::string_view included{};  // "a,b"

  constexpr bool keeps_all() const { return projection == ProjectionType::All; }
};

inline constexpr std::size_t kIndexesMax = 25;

struct TableShape {
  std::string_view name{};
  KeyAttribute partition_key{};
  KeyAttribute sort_key{};  // without a name: the table has none
  std::array<IndexShape, kIndexesMax> indexes{};
  std::uint8_t index_count = 0;
  std::string_view ttl{};
  bool streamed = false;
  std::string_view type_attribute = "_type";
  std::string_view schema_attribute = "_schema";

  constexpr const IndexShape* find_index(std::string_view wanted) const {
    for (std::size_t i = 0; i < index_count; ++i) {
      if (indexes[i].name == wanted) return &indexes[i];
    }
    return nullptr;
  }
};

namespace detail {

// "score:N"
constexpr KeyAttribute parse_key_attribute(std::string_view text) {
  if (text.ends_with(":N")) return {text.substr(0, text.size() - 2), ScalarType::N};
  if (text.ends_with(":S")) return {text.substr(0, text.size() - 2), ScalarType::S};
  return {text, ScalarType::S};
}

// "tournament,round:N"
constexpr KeyAttributes parse_key_attributes(std::string_view text) {
  KeyAttributes parsed;
  while (!text.empty() && parsed.count < kKeyAttributesMax) {
    const std::size_t comma = find_character(text, ',');
    parsed.all[parsed.count++] = parse_key_attribute(text.substr(0, comma));
    text.remove_prefix(comma == std::string_view::npos ? text.size() : comma + 1);
  }
  return parsed;
}

constexpr bool is_resource_name(std::string_view name) {
  for (const char c : name) {
    const bool good = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                      c == '_' || c == '-' || c == '.';
    if (!good) return false;
  }
  return name.size() >= 3 && name.size() <= 255;
}
constexpr bool index_names_are_good(const TableShape& table) {
  for (std::size_t i = 0; i < table.index_count; ++i) {
    if (!is_resource_name(table.indexes[i].name)) return false;
  }
  return true;
}
constexpr bool index_names_differ(const TableShape& table) {
  for (std::size_t i = 0; i < table.index_count; ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (table.indexes[i].name == table.indexes[j].name) return false;
    }
  }
  return true;
}
constexpr int local_indexes(const TableShape& table) {
  int count = 0;
  for (std::size_t i = 0; i < table.index_count; ++i) count += table.indexes[i].local ? 1 : 0;
  return count;
}

}  // namespace detail

// ---- What tables and entities are declared with

// Of a table: the names of its key attributes. Of an entity: the templates that make them.
template <FixedString Partition, FixedString Sort>
struct Key {
  static constexpr auto partition = Partition;
  static constexpr auto sort = Sort;
  static constexpr void declare(TableShape& table) {
    table.partition_key = detail::parse_key_attribute(Partition.view());
    table.sort_key = detail::parse_key_attribute(Sort.view());
  }
};
template <FixedString Partition, FixedString Sort = "">
inline constexpr Key<Partition, Sort> key{};

struct KeysOnly {
  static constexpr void declare(IndexShape& index) { index.projection = ProjectionType::KeysOnly; }
};
inline constexpr KeysOnly keys_only{};

template <FixedString Attributes>
struct Include {
  static constexpr void declare(IndexShape& index) {
    index.projection = ProjectionType::Include;
    index.included = Attributes.view();
  }
};
// The attributes an index keeps besides keys: include<"name,weight">. Queries read the others from
// the table, 100 items at a time, unless they select<…> members that the index keeps.
template <FixedString Attributes>
inline constexpr Include<Attributes> include{};

template <FixedString Name, FixedString Partition, FixedString Sort, bool Local, auto... Options>
struct SecondaryIndex {
  static constexpr void declare(TableShape& table) {
    IndexShape& index = table.indexes[table.index_count++];
    index.name = Name.view();
    index.local = Local;
    index.partition = detail::parse_key_attributes(Partition.view());
    index.sort = detail::parse_key_attributes(Sort.view());
    (Options.declare(index), ...);
  }
};
template <FixedString Name, FixedString Partition, FixedString Sort = "", auto... Options>
inline constexpr SecondaryIndex<Name, Partition, Sort, false, Options...> gsi{};
// A local index has the table's partition key.
template <FixedString Name, FixedString Sort, auto... Options>
inline constexpr SecondaryIndex<Name, "", Sort, true, Options...> lsi{};

template <FixedString Attribute>
struct Ttl {
  static constexpr void declare(TableShape& table) { table.ttl = Attribute.view(); }
};
// The attribute that says when an item expires. A time member of that name is stored as a number of
// seconds since 1970.
template <FixedString Attribute>
inline constexpr Ttl<Attribute> ttl{};

struct Streamed {
  static constexpr void declare(TableShape& table) { table.streamed = true; }
};
// The table has a stream of old and new images, for stream.h to read.
inline constexpr Streamed streamed{};

template <FixedString Attribute>
struct TypeAttribute {
  static constexpr void declare(TableShape& table) { table.type_attribute = Attribute.view(); }
};
// The attribute that says of which entity an item is; "_type" if not declared.
template <FixedString Attribute>
inline constexpr TypeAttribute<Attribute> type_attribute{};

// ---- A table somewhere

class PartitionMonitor;

using Clock = std::function<std::chrono::system_clock::time_point()>;

// A table of this shape at an Api. Repositories refer to it, so it outlives them.
class Store {
 public:
  Store(Api& api, const TableShape& shape, std::string table_name)
      : api_(&api), shape_(&shape), table_name_(std::move(table_name)) {}

  Api& api() const { return *api_; }
  const TableShape& shape() const { return *shape_; }
  const std::string& table_name() const { return table_name_; }

  // What timestamps and generated ids are made from; for tests.
  void set_clock(Clock clock) { clock_ = std::move(clock); }
  std::chrono::system_clock::time_point now() const {
    return clock_ ? clock_() : std::chrono::system_clock::now();
  }

  // Every access by way of this object is noted under its partition key, that of a query under the
  // one of its index, and that of an item that is written whole also under those of its indexes.
  // See partition_monitor.h; the monitor outlives this.
  void watch(PartitionMonitor& monitor) { monitor_ = &monitor; }
  void note_read(ItemView key) const {
    if (monitor_ != nullptr) note(key, false);
  }
  void note_write(ItemView item) const {
    if (monitor_ != nullptr) note(item, true);
  }
  void note_query(std::span<const Value> partition_key) const {
    if (monitor_ != nullptr) note(partition_key);
  }

  // Creates the table with its indexes, paid per request, and waits until it is there. A table that
  // is there already must have the declared keys and indexes. Expiry and the stream are switched on
  // where they are declared and off.
  Result<void> create_if_missing();
  // Adds the global indexes that the table there lacks, one after another, and waits until each is
  // filled: their names. Items get the keys of a new index when they are written; a Migration that
  // changes nothing else writes all of them.
  Result<std::vector<std::string>> add_missing_indexes();
  // Deletes the table with all that is in it, and waits until it is gone.
  Result<void> drop();
  CreateTableRequest create_request() const;

 private:
  void note(ItemView item, bool with_indexes) const;
  void note(std::span<const Value> partition_key) const;

  Api* api_;
  const TableShape* shape_;
  std::string table_name_;
  Clock clock_;
  PartitionMonitor* monitor_ = nullptr;
};

template <typename Entity>
class Repository;
template <typename... Entities>
class StreamReader;
template <const auto& Definition>
struct EntityOf;

template <typename Definition>
class Table final : public Store {
 public:
  Table(Api& api, std::string table_name) : Store(api, Definition::shape, std::move(table_name)) {}

  // Typed access to the items of one entity: table.repository<dinosaur>().
  template <const auto& Entity>
  auto repository() const& {
    static_assert(
        std::is_same_v<typename std::remove_cvref_t<decltype(Entity)>::TableDefinition, Definition>,
        "this entity was defined for another table");
    return Repository<EntityOf<Entity>>(*this);
  }
  template <const auto& Entity>
  void repository() const&& {
    static_assert(sizeof(Entity) == 0,
                  "a repository refers to its table, which would be gone: keep the table in a "
                  "variable, as in auto table = park.in(api)");
  }

  // What changes in the items of some entities, from the beginning or behind a checkpoint:
  // table.stream<deal, brand>(). See stream.h.
  template <const auto&... Entities>
  auto stream(std::string_view checkpoint = {}) const& {
    return StreamReader<EntityOf<Entities>...>(*this, checkpoint);
  }
  template <const auto&... Entities>
  void stream(std::string_view = {}) const&& {
    static_assert(
        sizeof...(Entities) == 0xffff,
        "a stream refers to its table, which would be gone: keep the table in a variable");
  }
};

template <FixedString Name, typename... Parts>
struct TableDefinition {
  static constexpr TableShape make_shape() {
    TableShape made;
    made.name = Name.view();
    (Parts::declare(made), ...);
    for (std::size_t i = 0; i < made.index_count; ++i) {
      if (!made.indexes[i].local) continue;
      made.indexes[i].partition.all[0] = made.partition_key;
      made.indexes[i].partition.count = 1;
    }
    return made;
  }
  static constexpr TableShape shape = make_shape();
  static_assert(detail::is_resource_name(Name.view()),
                "the name of a table has 3 to 255 characters: letters, digits, '_', '-' and '.'");
  static_assert(detail::index_names_are_good(shape),
                "the name of an index has 3 to 255 characters: letters, digits, '_', '-' and '.'");
  static_assert(detail::index_names_differ(shape), "two indexes of a table have the same name");
  static_assert(detail::local_indexes(shape) <= 5, "a table has at most 5 local indexes");
  static_assert(shape.index_count - detail::local_indexes(shape) <= 20,
                "a table has at most 20 global indexes");
  static_assert(!shape.partition_key.name.empty(),
                "a table needs a key: define_table<\"Name\">(key<\"PK\", \"SK\">, …)");

  Table<TableDefinition> in(Api& api) const { return {api, std::string(Name.view())}; }
  Table<TableDefinition> in(Api& api, std::string table_name) const {
    return {api, std::move(table_name)};
  }
};

template <FixedString Name, typename... Parts>
constexpr TableDefinition<Name, Parts...> define_table(Parts...) {
  return {};
}

}  // namespace partita::model
