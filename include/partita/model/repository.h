// Repository: typed access to the items of one entity in one table.
//
//   auto table = park.in(database);
//   auto dinosaurs = table.repository<dinosaur>();
//   auto rex = dinosaurs.create({.species = "T. rex", .diet = Diet::carnivore}).run();
//
// Keys are given by value, in the order in which the key templates name the members, or as an
// object that has them: get("rex") and get({.id = "rex"}) are the same.
#pragma once

#include <memory>
#include <utility>

#include "partita/model/query.h"
#include "partita/model/stream.h"
#include "partita/model/update.h"

namespace partita::model {

template <typename Entity>
class Repository {
 public:
  using Object = typename Entity::Object;
  explicit Repository(const Store& store) : store_(&store) {}
  const Store& store() const { return *store_; }

  // Fails with ConditionalCheckFailed when there is an item with this key.
  Put<Entity> create(Object object) const { return {*store_, std::move(object), true}; }
  // Replaces the item, or creates it.
  Put<Entity> put(Object object) const { return {*store_, std::move(object), false}; }

  template <typename... Keys>
  Get<Entity> get(const Keys&... keys) const {
    return {*store_, key_of(keys...)};
  }
  Get<Entity> get(const Object& object) const { return {*store_, key_in(object)}; }

  template <typename... Keys>
  Remove<Entity> remove(const Keys&... keys) const {
    return {*store_, key_of(keys...)};
  }
  Remove<Entity> remove(const Object& object) const { return {*store_, key_in(object)}; }

  // For a transaction: the item meets a condition, or is there.
  template <typename... Keys>
  Check<Entity> check(const Keys&... keys) const {
    return {*store_, key_of(keys...)};
  }
  Check<Entity> check(const Object& object) const { return {*store_, key_in(object)}; }

  // Changes an item that must be there.
  template <typename... Keys>
  Update<Entity> update(const Keys&... keys) const {
    return start_update(true, keys...);
  }
  Update<Entity> update(const Object& object) const { return start_update_of(true, object); }
  // Changes an item, or creates it with what is set.
  template <typename... Keys>
  Update<Entity> upsert(const Keys&... keys) const {
    return start_update(false, keys...);
  }
  Update<Entity> upsert(const Object& object) const { return start_update_of(false, object); }

  // By the primary key.
  template <typename... Values>
  auto query(const Values&... values) const {
    return start_query<0>(values...);
  }
  // By a named access pattern.
  template <FixedString Pattern, typename... Values>
  auto query(const Values&... values) const {
    return start_query<pattern_index<Pattern>()>(values...);
  }
  template <FixedString Pattern>
  auto query(const Object& object) const {
    constexpr std::size_t index = pattern_index<Pattern>();
    constexpr const detail::InputNames& names = detail::partition_inputs_of<Entity, index>;
    auto spec = new_spec(index);
    auto done = detail::add_partitions(
        detail::gather_from<names>(&object, Entity::patterns[index].partition, nullptr), *spec);
    return Query<Entity, index>(std::move(spec), std::move(done));
  }
  // By a pattern whose partition key names a cut time ({at:day}): every unit from `first` to
  // `last`. The other members of the partition key come behind.
  template <FixedString Pattern, typename Time, typename... Values>
  auto query_within(Time first, Time last, const Values&... values) const {
    return start_query_within<pattern_index<Pattern>()>(first, last, values...);
  }
  // The same by the primary key.
  template <typename Time, typename... Values>
  auto query_within(Time first, Time last, const Values&... values) const {
    return start_query_within<0>(first, last, values...);
  }

  // Every item of the entity, found by reading the whole table.
  Scan<Entity> scan() const {
    auto spec = new_spec(0);
    spec->scan = true;
    return Scan<Entity>(std::move(spec));
  }
  // Every item in an index, which may be far fewer when it is sparse.
  template <FixedString Pattern>
  Scan<Entity> scan() const {
    auto spec = new_spec(pattern_index<Pattern>());
    spec->scan = true;
    return Scan<Entity>(std::move(spec));
  }

  // What changes in the items of the entity; see stream.h.
  StreamReader<Entity> stream(std::string_view checkpoint = {}) const {
    return StreamReader<Entity>(*store_, checkpoint);
  }

  // The item that made a condition fail, if there was one.
  static std::optional<Object> existing(const Error& error) {
    if (!error.item()) return std::nullopt;
    auto decoded = Entity::decode(*error.item());
    return decoded ? std::move(*decoded) : std::nullopt;
  }

 private:
  static constexpr const detail::InputNames& kPrimary = detail::primary_inputs_of<Entity>;

  template <FixedString Pattern>
  static constexpr std::size_t pattern_index() {
    constexpr std::size_t found = [] {
      std::size_t index = 1;
      while (index < Entity::patterns.size() && Entity::patterns[index].name != Pattern.view()) {
        ++index;
      }
      return index;
    }();
    static_assert(found < Entity::patterns.size(), "the entity has no access pattern of this name");
    return found < Entity::patterns.size() ? found : 0;
  }

  template <typename... Keys>
  static detail::GatheredInputs key_of(const Keys&... keys) {
    static_assert(sizeof...(Keys) == kPrimary.count,
                  "the primary key wants another number of values: one for each member that its "
                  "templates name, in their order");
    return detail::gather<Object, kPrimary>(keys...);
  }
  static detail::GatheredInputs key_in(const Object& object) {
    const AccessPattern& primary = Entity::plan.primary();
    return detail::gather_from<kPrimary>(&object, primary.partition, &primary.sort);
  }

  template <typename... Keys>
  Update<Entity> start_update(bool must_exist, const Keys&... keys) const {
    auto state = std::make_unique<detail::UpdateState<Entity>>();
    state->target = {store_, key_of(keys...), {.must_exist = must_exist}};
    [&]<std::size_t... J>(std::index_sequence<J...>) {
      ((detail::reach_member<detail::input_path<kPrimary, J>()>(state->known) =
            static_cast<detail::PathType<Object, detail::input_path<kPrimary, J>()>>(keys)),
       ...);
    }
    (std::make_index_sequence<sizeof...(Keys)>{});
    state->target.inputs = key_in(state->known);  // which owns its texts
    return Update<Entity>(std::move(state));
  }
  Update<Entity> start_update_of(bool must_exist, const Object& object) const {
    auto state = std::make_unique<detail::UpdateState<Entity>>();
    state->known = object;
    state->target = {store_, key_in(state->known), {.must_exist = must_exist}};
    return Update<Entity>(std::move(state));
  }

  std::unique_ptr<QuerySpec> new_spec(std::size_t pattern) const {
    auto spec = std::make_unique<QuerySpec>();
    spec->store = store_;
    spec->plan = &Entity::plan;
    spec->pattern = &Entity::plan.patterns[pattern];
    return spec;
  }
  template <std::size_t Index, typename... Values>
  Query<Entity, Index> start_query(const Values&... values) const {
    constexpr const detail::InputNames& names = detail::partition_inputs_of<Entity, Index>;
    static_assert(sizeof...(Values) == names.count,
                  "the partition key of this access pattern wants another number of values: one "
                  "for each member that its template names, in their order");
    auto spec = new_spec(Index);
    auto done = detail::add_partitions(detail::gather<Object, names>(values...), *spec);
    return Query<Entity, Index>(std::move(spec), std::move(done));
  }
  template <std::size_t Index, typename Time, typename... Values>
  Query<Entity, Index> start_query_within(Time first, Time last, const Values&... values) const {
    auto spec = new_spec(Index);
    auto done = detail::add_time_partitions(gather_around_time<Index>(first, values...),
                                            detail::key_input(first).number,
                                            detail::key_input(last).number, *spec);
    return Query<Entity, Index>(std::move(spec), std::move(done));
  }
  // Puts the time where the template has it and the other values around it.
  template <std::size_t Index, typename Time, typename... Values>
  static detail::GatheredInputs gather_around_time(const Time& time, const Values&... values) {
    constexpr detail::InputNames names = detail::partition_inputs<Entity, Index>();
    static_assert(sizeof...(Values) + 1 == names.count,
                  "query_within wants two times, and a value for each other member of the "
                  "partition key");
    constexpr std::size_t place = [](const detail::InputNames& inputs) {
      const KeyTemplate& key = *Entity::patterns[Index].partition.all[0].key;
      for (std::size_t i = 0; i < key.count; ++i) {
        if (key.pieces[i].unit != TimeUnit::Whole) return std::size_t{inputs.of_piece[i]};
      }
      return std::size_t{inputs.count};
    }(names);
    static_assert(place < names.count,
                  "the partition key of this access pattern has no cut time such as {at:day}");
    return [&]<std::size_t... J>(std::index_sequence<J...>) {
      const auto given = std::tie(values...);
      const auto pick = [&]<std::size_t I>(std::integral_constant<std::size_t, I>) -> const auto& {
        if constexpr (I == place) {
          return time;
        } else {
          return std::get<(I < place ? I : I - 1)>(given);
        }
      };
      return detail::gather<Object, detail::partition_inputs_of<Entity, Index>>(
          pick(std::integral_constant<std::size_t, J>{})...);
    }
    (std::make_index_sequence<names.count>{});
  }

  const Store* store_;
};

// For members of classes: TableOf<park> table; RepositoryOf<dinosaur> dinosaurs.
template <const auto& Definition>
using TableOf = Table<std::remove_cvref_t<decltype(Definition)>>;
template <const auto& Definition>
using RepositoryOf = Repository<EntityOf<Definition>>;

}  // namespace partita::model
