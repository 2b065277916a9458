// Operations on one item: get, create, put, remove. A Repository makes them; nothing is sent before
// run().
//
//   dinosaurs.get("rex").consistent().run()                     Result<std::optional<Dinosaur>>
//   dinosaurs.create(rex).run()                                 Result<Dinosaur>, as it was stored
//   dinosaurs.put(rex).when(field<&Dinosaur::weight> < 9000).run()
//   dinosaurs.remove("rex").returning_old()
#pragma once

#include <optional>
#include <utility>

#include "partita/model/condition.h"
#include "partita/model/entity.h"
#include "partita/model/key_values.h"

namespace partita::model {

namespace detail {

// What is asked of an item besides the caller's condition.
struct Expectation {
  bool must_be_new = false;
  std::optional<std::int64_t> version{};  // 0: it has none yet
};

Result<std::optional<Item>> send_get(const Store& store, const EntityPlan& plan,
                                     const KeyInput* inputs, bool consistent,
                                     ExpressionSet* projection);
Result<void> send_put(const Store& store, const EntityPlan& plan, const void* object,
                      const Expectation& expected, ExpressionSet* conditions);
Result<std::optional<Item>> send_remove(const Store& store, const EntityPlan& plan,
                                        const KeyInput* inputs, const Expectation& expected,
                                        ExpressionSet* conditions, bool return_old);

// Adds what `expected` says to the condition.
void add_expectation(const EntityPlan& plan, const Expectation& expected, ExpressionSet& set);
// A failed condition, told as StaleVersion when it was the version that did not hold.
Error explain_failure(const EntityPlan& plan, const Expectation& expected, Error error);

template <typename Time>
void set_time(Time& member, std::chrono::system_clock::time_point now) {
  static_assert(is_time<unwrapped<Time>>, "created<…> and updated<…> name time points");
  member = std::chrono::floor<typename unwrapped<Time>::duration>(now);
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

template <typename Entity>
class [[nodiscard]] Get {
 public:
  using Object = typename Entity::Object;
  Get(const Store& store, const detail::GatheredInputs& inputs) : store_(&store), inputs_(inputs) {}

  Get& consistent() { return consistent_ = true, *this; }

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
    condition.template render<Object>(conditions_->condition, *conditions_);
    return *this;
  }

  // The object as it was stored: with its id, timestamps and version.
  Result<Object> run() {
    const detail::Expectation expected =
        detail::complete_object<Entity>(object_, *store_, must_be_new_);
    PARTITA_CHECK(detail::check_object<Entity>(object_));
    PARTITA_CHECK(detail::send_put(*store_, Entity::plan, &object_, expected,
                                   conditions_ ? &*conditions_ : nullptr));
    return std::move(object_);
  }

 private:
  const Store* store_;
  Object object_;
  bool must_be_new_;
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
    condition.template render<Object>(conditions_->condition, *conditions_);
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

 private:
  Result<std::optional<Item>> send(bool return_old) {
    return detail::send_remove(*store_, Entity::plan, inputs_.all.data(), expected_,
                               conditions_ ? &*conditions_ : nullptr, return_old);
  }

  const Store* store_;
  detail::GatheredInputs inputs_;
  detail::Expectation expected_;
  std::optional<ExpressionSet> conditions_;
};

}  // namespace partita::model
