// Updates: some members of an item are changed where it is stored, and with them the keys of the
// indexes it is found in.
//
//   dinosaurs.update("rex")
//       .set<&Dinosaur::weight>(7100).set<"found.region">("Otago")
//       .add<&Dinosaur::tags>({"armoured"}).remove<&Dinosaur::expedition>()
//       .append<&Dinosaur::log>({"moved"}).set_if_absent<&Dinosaur::seen>(now)
//       .set_entry<&Dinosaur::measures>("height", 5).set_element<&Dinosaur::aliases>(0, "Rex")
//       .when(field<&Dinosaur::diet> == Diet::carnivore)
//       .run();                              // or .returning_new(), .returning_old()
//
// The item must be there, as one of this entity; upsert creates it otherwise.
//
// Keys of an index are made anew when a member they are made of is changed, and removed when the
// item leaves the index. All members of such a key must be known: set in the same update, or part
// of the primary key. Otherwise the update does not compile; set the others too, or say
// read_modify_write(), which reads them first and writes only if they are still the same. Then the
// whole object is known, and validate(…) judges it as it judges what is created.
//
// An item of an older schema (evolve<…>) is upgraded where it is stored before it is updated.
#pragma once

#include <initializer_list>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "partita/model/operation.h"
#include "partita/model/update_clauses.h"

namespace partita::model {

namespace detail {

template <typename Entity>
struct UpdateState {
  UpdateTarget target;
  UpdateClauses clauses;
  typename Entity::Object known{};  // the primary key and what is set
  bool stamped = false;
};

}  // namespace detail

template <typename Entity, typename... Changes>
class [[nodiscard]] Update {
 public:
  using Object = typename Entity::Object;
  using State = detail::UpdateState<Entity>;
  explicit Update(std::unique_ptr<State> state) : state_(std::move(state)) {}

  // An empty optional or set removes the attribute.
  template <Selector S, typename V = typename detail::Selected<Object, S>::Type>
  auto set(V&& value) {
    using Chosen = detail::Selected<Object, S>;
    using Member = typename Chosen::Type;
    static_assert(std::is_convertible_v<V, Member>, "a member is set to a value of another type");
    auto& known = detail::reach_member<Chosen::path>(state_->known);
    known = std::forward<V>(value);
    detail::UpdateClauses& clauses = state_->clauses;
    if (detail::is_absent(known)) {
      clauses.set.name(clauses.next(clauses.removes), Chosen::path.view());
    } else {
      state_->clauses.begin_set(Chosen::path.view());
      add_encoded<Chosen::path.view() == Entity::table.ttl>(known);
    }
    return changed<detail::ChangeKind::Set, Chosen::path>();
  }

  template <Selector S>
  auto remove() {
    using Chosen = detail::Selected<Object, S>;
    detail::reach_member<Chosen::path>(state_->known) = typename Chosen::Type{};
    state_->clauses.set.name(detail::UpdateClauses::next(state_->clauses.removes),
                             Chosen::path.view());
    if constexpr (detail::is_optional<typename Chosen::Type>) {
      return changed<detail::ChangeKind::Remove, Chosen::path>();
    } else {
      return changed<detail::ChangeKind::Other, Chosen::path>();
    }
  }

  // Sets the member unless the attribute is there.
  template <Selector S, typename V>
  auto set_if_absent(V&& value) {
    using Chosen = detail::Selected<Object, S>;
    static_assert(std::is_convertible_v<V, typename Chosen::Type>,
                  "a member is set to a value of another type");
    detail::UpdateClauses& clauses = state_->clauses;
    state_->clauses.begin_set(Chosen::path.view());
    clauses.sets += "if_not_exists(";
    clauses.set.name(clauses.sets, Chosen::path.view());
    clauses.sets += ", ";
    add_encoded<Chosen::path.view() == Entity::table.ttl>(
        typename Chosen::Type(std::forward<V>(value)));
    clauses.sets += ')';
    return changed<detail::ChangeKind::Other, Chosen::path>();
  }

  // Adds to a number, which counts as 0 when it is not there.
  template <Selector S>
  auto add(typename detail::Selected<Object, S>::Type amount) {
    using Chosen = detail::Selected<Object, S>;
    using Member = detail::unwrapped<typename Chosen::Type>;
    static_assert(detail::stored_type<Member>() == ValueType::N || detail::Set<Member>,
                  "add is for numbers and sets");
    detail::UpdateClauses& clauses = state_->clauses;
    if constexpr (detail::PathParts<Chosen::path>::nested) {
      static_assert(!detail::Set<Member>, "add to a set within a nested struct is not possible");
      state_->clauses.begin_set(Chosen::path.view());
      clauses.sets += "if_not_exists(";
      clauses.set.name(clauses.sets, Chosen::path.view());
      clauses.sets += ", ";
      clauses.set.integer_value(clauses.sets, 0);
      clauses.sets += ") + ";
      add_encoded<false>(amount);
    } else {
      clauses.set.name(clauses.next(clauses.adds), Chosen::path.view());
      clauses.adds += ' ';
      detail::add_value<typename Chosen::Type>(amount, clauses.adds, clauses.set);
    }
    if constexpr (!detail::Set<Member>) {
      detail::reach_member<Chosen::path>(state_->known) = amount;
    }
    return changed < detail::Set<Member> ? detail::ChangeKind::Other : detail::ChangeKind::Add,
           Chosen::path > ();
  }

  // Takes elements out of a set.
  template <Selector S>
  auto erase(typename detail::Selected<Object, S>::Type elements) {
    using Chosen = detail::Selected<Object, S>;
    static_assert(detail::Set<detail::unwrapped<typename Chosen::Type>>, "erase is for sets");
    detail::UpdateClauses& clauses = state_->clauses;
    clauses.set.name(clauses.next(clauses.deletes), Chosen::path.view());
    clauses.deletes += ' ';
    detail::add_value<typename Chosen::Type>(elements, clauses.deletes, clauses.set);
    return changed<detail::ChangeKind::Other, Chosen::path>();
  }

  // Puts elements behind or before those of a list, which counts as empty when it is not there.
  template <Selector S>
  auto append(typename detail::Selected<Object, S>::Type elements) {
    return extend<S>(elements, false);
  }
  template <Selector S>
  auto prepend(typename detail::Selected<Object, S>::Type elements) {
    return extend<S>(elements, true);
  }

  // One entry of a std::map member; the map must be there.
  template <Selector S, typename V>
  auto set_entry(std::string key, const V& value) {
    using Entries = detail::unwrapped<typename detail::Selected<Object, S>::Type>;
    static_assert(detail::Map<Entries>, "set_entry is for std::map<std::string, …>");
    return set_place<S, typename Entries::mapped_type>(std::move(key), value);
  }
  template <Selector S>
  auto remove_entry(std::string key) {
    using Entries = detail::unwrapped<typename detail::Selected<Object, S>::Type>;
    static_assert(detail::Map<Entries>, "remove_entry is for std::map<std::string, …>");
    return remove_place<S>(std::move(key));
  }

  // One element of a list, by its place from 0. Set behind the last it is appended; removed, those
  // behind it move up.
  template <Selector S, typename V>
  auto set_element(std::size_t place, const V& value) {
    using List = detail::unwrapped<typename detail::Selected<Object, S>::Type>;
    static_assert(detail::is_vector<List>, "set_element is for std::vector");
    return set_place<S, typename List::value_type>(place, value);
  }
  template <Selector S>
  auto remove_element(std::size_t place) {
    using List = detail::unwrapped<typename detail::Selected<Object, S>::Type>;
    static_assert(detail::is_vector<List>, "remove_element is for std::vector");
    return remove_place<S>(place);
  }

  template <Condition C>
  Update when(const C& condition) {
    ExpressionSet& set = state_->clauses.set;
    ExpressionSet::begin_conjunct(set.condition);
    condition.template render<Entity>(set.condition, set);
    return std::move(*this);
  }
  // Fails with StaleVersion when the item has another version.
  Update if_version(std::int64_t version) {
    static_assert(Entity::versioned, "this entity has no version<…>");
    state_->target.expected.version = version;
    return std::move(*this);
  }

  // Reads the item first, so that index keys can be made of members that this update does not set.
  // It is written only if those are still the same, and tried again otherwise.
  auto read_modify_write() { return changed<detail::ChangeKind::ReadsFirst, "">(); }
  // Writes the keys of a read-only index.
  template <FixedString Pattern>
  auto rebuild() {
    static_assert(Entity::plan.has_pattern(Pattern.view()),
                  "the entity has no access pattern of this name");
    return changed<detail::ChangeKind::Rebuild, Pattern>();
  }

  Result<void> run() {
    PARTITA_CHECK(send(ReturnValues::None));
    return {};
  }
  Result<Object> returning_new() { return decode(send(ReturnValues::AllNew)); }
  // The item as it was; with upsert there may have been none.
  Result<Object> returning_old() { return decode(send(ReturnValues::AllOld)); }

  // For a transaction.
  Result<void> prepare(WriteSet& writes) {
    if constexpr (stamps) stamp();
    if constexpr (evolves) PARTITA_CHECK(upgrade_stored());
    WriteSet markers;
    std::optional<Item> before;
    detail::UpdateClauses clauses = state_->clauses;
    PARTITA_CHECK(complete(clauses, before, markers));
    return add_to(writes, clauses, markers);
  }
  const Store& store() const { return *state_->target.store; }

 private:
  template <detail::ChangeKind Kind, FixedString Path>
  auto changed() {
    return Update<Entity, Changes..., detail::Change<Kind, Path>>(std::move(state_));
  }
  template <Selector S, typename Part, typename Place, typename V>
  auto set_place(Place place, const V& value) {
    using Chosen = detail::Selected<Object, S>;
    detail::UpdateClauses& clauses = state_->clauses;
    clauses.add_place(clauses.next(clauses.sets), Chosen::path.view(), std::move(place));
    clauses.sets += " = ";
    detail::add_value<Part>(value, clauses.sets, clauses.set);
    return changed<detail::ChangeKind::Other, Chosen::path>();
  }
  template <Selector S, typename Place>
  auto remove_place(Place place) {
    using Chosen = detail::Selected<Object, S>;
    detail::UpdateClauses& clauses = state_->clauses;
    clauses.add_place(clauses.next(clauses.removes), Chosen::path.view(), std::move(place));
    return changed<detail::ChangeKind::Other, Chosen::path>();
  }
  template <bool Epoch, typename V>
  void add_encoded(const V& value) {
    ItemSink sink;
    if constexpr (Epoch) {
      detail::encode_epoch(value, sink);
    } else {
      detail::encode(value, sink);
    }
    state_->clauses.add_written(sink);
  }
  template <Selector S, typename List>
  auto extend(const List& elements, bool front) {
    using Chosen = detail::Selected<Object, S>;
    static_assert(detail::stored_type<List>() == ValueType::L, "append and prepend are for lists");
    detail::UpdateClauses& clauses = state_->clauses;
    state_->clauses.begin_set(Chosen::path.view());
    clauses.sets += "list_append(";
    const auto there = [&] {
      clauses.sets += "if_not_exists(";
      clauses.set.name(clauses.sets, Chosen::path.view());
      clauses.sets += ", ";
      add_encoded<false>(List{});
      clauses.sets += ')';
    };
    if (!front) there();
    if (!front) clauses.sets += ", ";
    add_encoded<false>(elements);
    if (front) clauses.sets += ", ";
    if (front) there();
    clauses.sets += ')';
    return changed<detail::ChangeKind::Other, Chosen::path>();
  }

  static constexpr bool stamps = Entity::PartList::template count<detail::Role::Updated> != 0 &&
                                 !((Changes::path.view() == Entity::plan.updated_attribute) || ...);

  static constexpr bool evolves = Entity::PartList::template count<detail::Role::Evolve> != 0;

  static constexpr auto known_changes() {
    std::array<detail::KnownChange, sizeof...(Changes) + (stamps ? 1 : 0)> changes{
        detail::KnownChange{Changes::kind, Changes::path.view()}...};
    if (stamps) {
      changes[sizeof...(Changes)] = {detail::ChangeKind::Set, Entity::plan.updated_attribute};
    }
    return changes;
  }
  static constexpr detail::UpdateReach reach() {
    return detail::reach_of(Entity::plan, known_changes());
  }
  // Whether the item is read before it is written.
  static constexpr bool kReads = reach().reads_first || reach().touches_unique;

  void stamp() {
    if (std::exchange(state_->stamped, true)) return;
    Entity::PartList::template each<detail::Role::Updated>(
        [&]<typename Part>(std::type_identity<Part>) {
          detail::set_time(state_->known.*Part::member, state_->target.store->now());
          state_->clauses.begin_set(attribute_name<Part::member>);
          add_encoded<false>(state_->known.*Part::member);
        });
  }

  // Completes the update as it is sent, after a look at the item if one is needed: keys of indexes,
  // and in `markers` the unique values that change with it.
  Result<void> complete(detail::UpdateClauses& clauses, std::optional<Item>& before,
                        WriteSet& markers) {
    constexpr detail::UpdateReach reached = reach();
    static_assert(!reached.changes_primary_key,
                  "an update cannot change a member of the primary key: remove the item and create "
                  "it anew");
    static_assert(reached.complete || reached.reads_first,
                  "an update changes a member that an index key is made of, but does not know the "
                  "other members of that key: set them too, or use read_modify_write()");
    if (!clauses.failure.empty()) {
      return Error(EntityInvalid, std::string(Entity::plan.name) + ": " + clauses.failure);
    }
    if (!state_->target.expected.must_exist) {
      detail::add_new_item_attributes(Entity::plan, &state_->known, clauses);
    }
    if constexpr (kReads) {
      ItemSink key;
      PARTITA_CHECK(encode_key(Entity::plan, state_->target.inputs.all.data(), key));
      PARTITA_TRY(before, detail::read_item(store(), key.item()));
      Object old{};
      if (before) PARTITA_CHECK(decode_entity(Entity::plan, *before, &old));
      Object merged = before ? old : state_->known;
      if (before) (detail::apply_change<Changes>(state_->known, merged), ...);
      if constexpr (stamps) apply_stamp(merged);
      if constexpr (((Changes::kind != detail::ChangeKind::Other) && ...)) {
        PARTITA_CHECK(detail::check_object<Entity>(merged));
      }
      detail::add_unchanged(Entity::plan, before, read_paths(), clauses.set);
      PARTITA_CHECK(detail::add_index_keys(Entity::plan, reached.touched, &merged, clauses));
      if constexpr (reached.touches_unique) {
        PARTITA_CHECK(detail::add_markers(Entity::plan, before ? &old : nullptr, &merged, markers));
      }
    } else if constexpr (reached.touched != 0) {
      PARTITA_CHECK(detail::add_index_keys(Entity::plan, reached.touched, &state_->known, clauses));
    }
    detail::add_bookkeeping(state_->target, Entity::plan, clauses);
    return {};
  }
  // The same as actions of a transaction.
  Result<void> add_to(WriteSet& writes, const detail::UpdateClauses& clauses, WriteSet& markers) {
    ItemSink key;
    PARTITA_CHECK(encode_key(Entity::plan, state_->target.inputs.all.data(), key));
    detail::WriteAction& action = writes.add(TransactWrite::Kind::Update, key.item(), Entity::plan);
    action.expressions = clauses.set;
    action.expected = state_->target.expected;
    writes.take_over(markers);
    ++writes.operations;
    return {};
  }
  void apply_stamp(Object& object) {
    Entity::PartList::template each<detail::Role::Updated>(
        [&]<typename Part>(std::type_identity<Part>) {
          object.*Part::member = state_->known.*Part::member;
        });
  }
  static std::vector<std::string_view> read_paths() {
    constexpr auto changes = known_changes();
    return detail::read_paths(Entity::plan, reach(), changes);
  }

  Result<std::optional<Item>> send(ReturnValues return_values) {
    if constexpr (stamps) stamp();
    if constexpr (kReads) {
      if constexpr (evolves) PARTITA_CHECK(upgrade_stored());
      return send_reading(return_values);
    } else if constexpr (evolves) {
      return send_upgrading(return_values);
    } else {
      return send_once(state_->clauses, return_values);
    }
  }
  Result<std::optional<Item>> send_once(detail::UpdateClauses& clauses,
                                        ReturnValues return_values) {
    std::optional<Item> before;
    WriteSet markers;
    PARTITA_CHECK(complete(clauses, before, markers));
    return detail::send_update(state_->target, Entity::plan, clauses, return_values);
  }
  // Most items are of the current schema; the condition tells of those that are not.
  Result<std::optional<Item>> send_upgrading(ReturnValues return_values) {
    for (int attempt = 0;; ++attempt) {
      detail::UpdateClauses clauses = state_->clauses;
      auto sent = send_once(clauses, return_values);
      if (sent || attempt == detail::kConflictRetries || !sent.error().item()) return sent;
      PARTITA_TRY(const bool upgraded, upgrade(*sent.error().item()));
      if (!upgraded) return sent;
    }
  }
  Result<void> upgrade_stored() {
    ItemSink key;
    PARTITA_CHECK(encode_key(Entity::plan, state_->target.inputs.all.data(), key));
    PARTITA_TRY(const std::optional<Item> there, detail::read_item(store(), key.item()));
    if (there) PARTITA_CHECK(upgrade(*there));
    return {};
  }
  // False when the item is as new as can be.
  Result<bool> upgrade(const Item& there) {
    if (!is_outdated(Entity::plan, there)) return false;
    PARTITA_TRY(const auto object, Entity::decode(there));
    if (!object) return false;
    PARTITA_TRY(const Item upgraded, Entity::encode(*object));
    PARTITA_CHECK(detail::replace_unchanged(store(), Entity::plan, there, upgraded));
    return true;
  }
  Result<std::optional<Item>> send_reading(ReturnValues return_values) {
    for (int attempt = 0;; ++attempt) {
      WriteSet writes, markers;
      std::optional<Item> before;
      detail::UpdateClauses clauses = state_->clauses;
      PARTITA_CHECK(complete(clauses, before, markers));
      PARTITA_CHECK(add_to(writes, clauses, markers));
      auto sent = writes.actions.size() == 1
                      ? detail::send_update(state_->target, Entity::plan, clauses, return_values)
                      : send_together(writes, before, return_values);
      if (sent) return sent;
      if (attempt == detail::kConflictRetries ||
          detail::is_unchanged(before, detail::item_met(sent.error()), read_paths())) {
        return detail::explain_cancellation(writes, std::move(sent).error());
      }
    }
  }
  Result<std::optional<Item>> send_together(WriteSet& writes, std::optional<Item>& before,
                                            ReturnValues return_values) {
    PARTITA_CHECK(detail::send_writes(store(), writes));
    if (return_values == ReturnValues::AllOld) return std::move(before);
    if (return_values == ReturnValues::None) return std::optional<Item>();
    return detail::read_item(store(), writes.actions[0].item);
  }
  static Result<Object> decode(Result<std::optional<Item>> sent) {
    PARTITA_TRY(const std::optional<Item> item, std::move(sent));
    Object object{};
    if (item) PARTITA_CHECK(decode_entity(Entity::plan, *item, &object));
    return object;
  }

  std::unique_ptr<State> state_;
};

}  // namespace partita::model
