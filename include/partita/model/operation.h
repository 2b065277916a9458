// Operations on one item: get, create, put, remove. A Repository makes them; nothing is sent before
// run().
//
//   dinosaurs.get("rex").consistent().run()                     Result<std::optional<Dinosaur>>
//   dinosaurs.get("rex").select<&Dinosaur::weight>().run()      Result<optional<tuple<…>>>
//   dinosaurs.create(rex).run()                                 Result<Dinosaur>, as it was stored
//   dinosaurs.put(rex).when(field<&Dinosaur::weight> < 9000).run()
//   dinosaurs.remove("rex").returning_old()
#pragma once

#include <optional>
#include <utility>

#include "partita/model/condition.h"
#include "partita/model/entity.h"
#include "partita/model/key_values.h"
#include "partita/model/selection.h"
#include "partita/model/write_set.h"

namespace partita::model {

namespace detail {

Result<std::optional<Item>> send_get(const Store& store, const EntityPlan& plan,
                                     const KeyInput* inputs, bool consistent,
                                     ExpressionSet* projection);
Result<std::optional<Item>> read_item(const Store& store, ItemView key);  // consistently
Result<void> send_put(const Store& store, const EntityPlan& plan, const void* object,
                      const Expectation& expected, ExpressionSet* conditions);
Result<std::optional<Item>> send_remove(const Store& store, const EntityPlan& plan,
                                        const KeyInput* inputs, const Expectation& expected,
                                        ExpressionSet* conditions, bool return_old);

template <typename Time>
void set_time(Time& member, std::chrono::system_clock::time_point now) {
  using Member = unwrapped<Time>;
  static_assert(is_time<Member> || Integer<Member>,
                "created<…> and updated<…> name time points, or integers for seconds since 1970");
  if constexpr (is_time<Member>) {
    member = std::chrono::floor<typename Member::duration>(now);
  } else {
    member = static_cast<Member>(
        std::chrono::floor<std::chrono::seconds>(now).time_since_epoch().count());
  }
}
template <typename Time>
bool is_unset_time(const Time& member) {
  if constexpr (is_optional<Time>) {
    return !member;
  } else {
    return member == Time{};
  }
}

// Ids, timestamps and the version of an object that is about to be written whole.
template <typename Entity>
Expectation complete_object(typename Entity::Object& object, const Store& store, bool must_be_new) {
  using Parts = typename Entity::PartList;
  Expectation expected{must_be_new, {}};
  if constexpr (Parts::template count<Role::Generated> + Parts::template count<Role::Created> +
                    Parts::template count<Role::Updated> !=
                0) {
    const auto now = store.now();
    Parts::template each<Role::Generated>([&]<typename Part>(std::type_identity<Part>) {
      if ((object.*Part::member).empty()) object.*Part::member = Part::make(now);
    });
    Parts::template each<Role::Created>([&]<typename Part>(std::type_identity<Part>) {
      if (must_be_new || is_unset_time(object.*Part::member)) set_time(object.*Part::member, now);
    });
    Parts::template each<Role::Updated>(
        [&]<typename Part>(std::type_identity<Part>) { set_time(object.*Part::member, now); });
  }
  Parts::template each<Role::Version>([&]<typename Part>(std::type_identity<Part>) {
    auto& version = object.*Part::member;
    static_assert(Integer<std::remove_cvref_t<decltype(version)>>, "a version is an integer");
    if (must_be_new) {
      version = 1;
    } else {
      expected.version = static_cast<std::int64_t>(version);
      ++version;
    }
  });
  return expected;
}

// Numbers that are still to be given.
template <typename Entity>
Result<void> number_object(typename Entity::Object& object, const Store& store) {
  Result<void> done;
  Entity::PartList::template each<Role::Sequence>([&]<typename Part>(std::type_identity<Part>) {
    if (!done || object.*Part::member != 0) return;
    using T = typename Entity::Object;
    Sequence sequence{&Entity::plan, "_sequence", optional_template<T, Part::partition>(),
                      optional_template<T, Part::sort>(), false};
    if constexpr (std::is_member_object_pointer_v<std::remove_cv_t<decltype(Part::counter)>>) {
      sequence.attribute = attribute_name<Part::counter>;
      sequence.must_exist = true;
    }
    auto number = next_number(store, sequence, &object);
    if (number) {
      object.*Part::member =
          static_cast<std::remove_cvref_t<decltype(object.*Part::member)>>(*number);
    } else {
      done = std::move(number).error();
    }
  });
  return done;
}

template <typename Entity>
Result<void> check_object(const typename Entity::Object& object) {
  Issues issues;
  Entity::PartList::template each<Role::Validate>(
      [&]<typename Part>(std::type_identity<Part>) { typename Part::Checker{}(object, issues); });
  if (issues.empty()) return {};
  return Error(EntityInvalid, std::string(Entity::plan.name) + ": " + issues.text());
}

template <typename Entity>
Result<std::optional<typename Entity::Object>> decode_optional(const std::optional<Item>& item) {
  if (!item) return std::optional<typename Entity::Object>();
  return Entity::decode(*item);
}

}  // namespace detail

template <typename Entity, Selector... Chosen>
class SelectedGet;

template <typename Entity>
class [[nodiscard]] Get {
 public:
  using Object = typename Entity::Object;
  Get(const Store& store, const detail::GatheredInputs& inputs) : store_(&store), inputs_(inputs) {}

  Get& consistent() { return consistent_ = true, *this; }
  // Reads these members alone, as a tuple.
  template <Selector... Chosen>
  SelectedGet<Entity, Chosen...> select() const {
    return {*store_, inputs_, consistent_};
  }

  // For a batch or a transaction.
  Result<Item> prepare() {
    ItemSink key;
    PARTITA_CHECK(encode_key(Entity::plan, inputs_.all.data(), key));
    return Item(key.item());
  }
  const Store& store() const { return *store_; }
  bool is_consistent() const { return consistent_; }

  // Nothing when there is no such item.
  Result<std::optional<Object>> run() {
    PARTITA_TRY(const std::optional<Item> item,
                detail::send_get(*store_, Entity::plan, inputs_.all.data(), consistent_, nullptr));
    return detail::decode_optional<Entity>(item);
  }

 private:
  const Store* store_;
  detail::GatheredInputs inputs_;
  bool consistent_ = false;
};

// A get of chosen members.
template <typename Entity, Selector... Chosen>
class [[nodiscard]] SelectedGet {
  using Selection = detail::Selection<Entity, Chosen...>;

 public:
  SelectedGet(const Store& store, const detail::GatheredInputs& inputs, bool consistent)
      : store_(&store), inputs_(inputs), consistent_(consistent) {}

  Result<std::optional<typename Selection::Row>> run() {
    ExpressionSet set;
    const std::vector<std::string_view> type{Entity::table.type_attribute};
    set.name(set.projection, type[0]);
    Selection::project(type, set);
    PARTITA_TRY(const std::optional<Item> item,
                detail::send_get(*store_, Entity::plan, inputs_.all.data(), consistent_, &set));
    if (!item) return std::optional<typename Selection::Row>();
    return Selection::decode(*item);
  }

 private:
  const Store* store_;
  detail::GatheredInputs inputs_;
  bool consistent_;
};

template <typename Entity>
class [[nodiscard]] Put {
 public:
  using Object = typename Entity::Object;
  Put(const Store& store, Object object, bool must_be_new)
      : store_(&store), object_(std::move(object)), must_be_new_(must_be_new) {}

  template <Condition C>
  Put& when(const C& condition) {
    if (!conditions_) conditions_.emplace();
    ExpressionSet::begin_conjunct(conditions_->condition);
    condition.template render<Entity>(conditions_->condition, *conditions_);
    return *this;
  }

  // The object as it was stored: with its id, timestamps and version.
  Result<Object> run() {
    PARTITA_CHECK(complete());
    if constexpr (Entity::writes_together) {
      PARTITA_CHECK(run_together());
    } else {
      PARTITA_CHECK(detail::send_put(*store_, Entity::plan, &object_, expected_,
                                     conditions_ ? &*conditions_ : nullptr));
    }
    return std::move(object_);
  }

  // For a transaction.
  Result<void> prepare(WriteSet& writes) {
    PARTITA_CHECK(complete());
    std::optional<Item> before;
    return add_to(writes, before);
  }
  // For a batch, which can check nothing.
  Result<Item> prepare_unchecked() {
    static_assert(!Entity::writes_together && !Entity::versioned,
                  "a batch cannot check versions, uniqueness and counts: use a transaction");
    PARTITA_CHECK(complete());
    if (must_be_new_ || conditions_) {
      return Error::validation("a batch cannot check conditions: use put, or a transaction");
    }
    return Entity::encode(object_);
  }
  const Store& store() const { return *store_; }

 private:
  Result<void> complete() {
    if (must_be_new_) PARTITA_CHECK(detail::number_object<Entity>(object_, *store_));
    expected_ = detail::complete_object<Entity>(object_, *store_, must_be_new_);
    return detail::check_object<Entity>(object_);
  }

  // The item, its markers and counters. Unless it must be new, what is there decides about them.
  Result<void> add_to(WriteSet& writes, std::optional<Item>& before) {
    ItemSink item;
    PARTITA_CHECK(encode_entity(Entity::plan, &object_, item));
    detail::WriteAction& action = writes.add(TransactWrite::Kind::Put, item.item(), Entity::plan);
    if (conditions_) action.expressions = *conditions_;
    action.expected = expected_;
    detail::add_expectation(Entity::plan, expected_, action.expressions);
    if constexpr (Entity::writes_together) {
      Object old{};
      if (!must_be_new_) {
        ItemSink key;
        PARTITA_CHECK(encode_key(Entity::plan, &object_, key));
        PARTITA_TRY(before, detail::read_item(*store_, key.item()));
        if (before) PARTITA_CHECK(decode_entity(Entity::plan, *before, &old));
        detail::add_unchanged(Entity::plan, before, detail::unique_paths(Entity::plan),
                              action.expressions);
      }
      PARTITA_CHECK(detail::add_markers(Entity::plan, before ? &old : nullptr, &object_, writes));
      if (!before) PARTITA_CHECK(detail::add_counters(Entity::plan, &object_, 1, writes));
    }
    ++writes.operations;
    return {};
  }

  Result<void> run_together() {
    for (int attempt = 0;; ++attempt) {
      WriteSet writes;
      std::optional<Item> before;
      PARTITA_CHECK(add_to(writes, before));
      auto sent = detail::send_writes(*store_, writes);
      if (sent) return {};
      if (must_be_new_ || attempt == detail::kConflictRetries ||
          detail::is_unchanged(before, detail::item_met(sent.error()),
                               detail::unique_paths(Entity::plan))) {
        return detail::explain_cancellation(writes, std::move(sent).error());
      }
    }
  }

  const Store* store_;
  Object object_;
  bool must_be_new_;
  detail::Expectation expected_;
  std::optional<ExpressionSet> conditions_;
};

template <typename Entity>
class [[nodiscard]] Remove {
 public:
  using Object = typename Entity::Object;
  Remove(const Store& store, const detail::GatheredInputs& inputs)
      : store_(&store), inputs_(inputs) {}

  template <Condition C>
  Remove& when(const C& condition) {
    if (!conditions_) conditions_.emplace();
    ExpressionSet::begin_conjunct(conditions_->condition);
    condition.template render<Entity>(conditions_->condition, *conditions_);
    return *this;
  }
  // Fails with StaleVersion when the item has another version.
  Remove& if_version(std::int64_t version) {
    static_assert(Entity::versioned, "this entity has no version<…>");
    return expected_.version = version, *this;
  }

  Result<void> run() {
    PARTITA_CHECK(send(false));
    return {};
  }
  // What was removed, or nothing.
  Result<std::optional<Object>> returning_old() {
    PARTITA_TRY(const std::optional<Item> old, send(true));
    return detail::decode_optional<Entity>(old);
  }

  // For a transaction.
  Result<void> prepare(WriteSet& writes) {
    std::optional<Item> before;
    return add_to(writes, before);
  }
  // For a batch, which can check nothing.
  Result<Item> prepare_unchecked() {
    static_assert(!Entity::writes_together,
                  "a batch cannot check versions, uniqueness and counts: use a transaction");
    if (conditions_ || expected_.version) {
      return Error::validation("a batch cannot check conditions: use a transaction");
    }
    ItemSink key;
    PARTITA_CHECK(encode_key(Entity::plan, inputs_.all.data(), key));
    return Item(key.item());
  }
  const Store& store() const { return *store_; }

 private:
  Result<void> add_to(WriteSet& writes, std::optional<Item>& before) {
    ItemSink key;
    PARTITA_CHECK(encode_key(Entity::plan, inputs_.all.data(), key));
    detail::WriteAction& action = writes.add(TransactWrite::Kind::Delete, key.item(), Entity::plan);
    if (conditions_) action.expressions = *conditions_;
    action.expected = expected_;
    detail::add_expectation(Entity::plan, expected_, action.expressions);
    if constexpr (Entity::writes_together) {
      PARTITA_TRY(before, detail::read_item(*store_, key.item()));
      detail::add_unchanged(Entity::plan, before, detail::unique_paths(Entity::plan),
                            action.expressions);
      if (before) {
        Object old{};
        PARTITA_CHECK(decode_entity(Entity::plan, *before, &old));
        PARTITA_CHECK(detail::add_markers(Entity::plan, &old, nullptr, writes));
        PARTITA_CHECK(detail::add_counters(Entity::plan, &old, -1, writes));
      }
    }
    ++writes.operations;
    return {};
  }

  Result<std::optional<Item>> send(bool return_old) {
    if constexpr (Entity::writes_together) {
      for (int attempt = 0;; ++attempt) {
        WriteSet writes;
        std::optional<Item> before;
        PARTITA_CHECK(add_to(writes, before));
        auto sent = detail::send_writes(*store_, writes);
        if (sent) return before;
        if (attempt == detail::kConflictRetries ||
            detail::is_unchanged(before, detail::item_met(sent.error()),
                                 detail::unique_paths(Entity::plan))) {
          return detail::explain_cancellation(writes, std::move(sent).error());
        }
      }
    } else {
      return detail::send_remove(*store_, Entity::plan, inputs_.all.data(), expected_,
                                 conditions_ ? &*conditions_ : nullptr, return_old);
    }
  }

  const Store* store_;
  detail::GatheredInputs inputs_;
  detail::Expectation expected_;
  std::optional<ExpressionSet> conditions_;
};

// A condition on an item that a transaction does not write: dinosaurs.check("rex").when(…).
template <typename Entity>
class [[nodiscard]] Check {
 public:
  using Object = typename Entity::Object;
  Check(const Store& store, const detail::GatheredInputs& inputs)
      : store_(&store), inputs_(inputs) {}

  template <Condition C>
  Check& when(const C& condition) {
    ExpressionSet::begin_conjunct(conditions_.condition);
    condition.template render<Entity>(conditions_.condition, conditions_);
    return *this;
  }
  // Without a condition the item has to be there.
  Result<void> prepare(WriteSet& writes) {
    ItemSink key;
    PARTITA_CHECK(encode_key(Entity::plan, inputs_.all.data(), key));
    const bool must_exist = conditions_.condition.empty();
    if (must_exist) detail::add_unchanged(Entity::plan, Item(key.item()), {}, conditions_);
    detail::WriteAction& action =
        writes.add(TransactWrite::Kind::ConditionCheck, key.item(), Entity::plan);
    action.expressions = conditions_;
    action.expected.must_exist = must_exist;
    ++writes.operations;
    return {};
  }
  const Store& store() const { return *store_; }

 private:
  const Store* store_;
  detail::GatheredInputs inputs_;
  ExpressionSet conditions_;
};

}  // namespace partita::model
