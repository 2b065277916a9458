// Changes: what a stream tells of the items of an entity, typed.
//
//   match(change,
//         [&](const Inserted<Deal>& e) { tell_watchers(e.now); },
//         [&](const Modified<Deal>& e) { if (e.now.price < e.before.price) … },
//         [&](const Removed<Session>& e) { if (e.expired) … });
//
// A StreamReader (stream.h) finds them in a table's stream. Records that come another way, as the
// event that Lambda or `partita serve --stream-target` delivers, become the same:
//
//   PARTITA_TRY(const auto records, parse_stream_event(body));
//   for (const StreamRecord& record : records) {
//     PARTITA_TRY(const auto changes, (Changes<EntityOf<deal>>::decode(record)));
//     for (const auto& change : changes) match(change, …);
//   }
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "partita/model/entity.h"
#include "partita/model/time_points.h"
#include "partita/requests/streams.h"

namespace partita::model {

// What is known of every change.
struct ChangeFacts {
  std::string_view entity{};      // the name of its definition
  std::string sequence_number{};  // ascends for each item
  std::string event_id{};         // the same when a record is delivered again
  std::chrono::sys_seconds at{};  // about when it happened
};

template <typename T>
struct Inserted : ChangeFacts {
  T now{};
};
template <typename T>
struct Modified : ChangeFacts {
  T before{};
  T now{};
};
template <typename T>
struct Removed : ChangeFacts {
  T before{};
  bool expired = false;  // by its time to live, not by a request
};

// The changes of some entities as one variant.
template <typename... Entities>
struct Changes {
  using Any =
      std::variant<Inserted<typename Entities::Object>..., Modified<typename Entities::Object>...,
                   Removed<typename Entities::Object>...>;

  // What a record tells of them. Nothing when it concerns other items; two changes when one of
  // these entities took the key of another. The stream has to keep old and new images.
  static Result<std::vector<Any>> decode(const StreamRecord& record) {
    std::vector<Any> changes;
    PARTITA_CHECK(check_images(record));
    Result<void> done;
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      (void)((done = decode_one<I, Entities>(record, changes), done.has_value()) && ...);
    }
    (std::make_index_sequence<sizeof...(Entities)>{});
    if (!done) return std::move(done).error();
    // What went goes before what came.
    if (changes.size() == 2 && changes[0].index() < sizeof...(Entities)) {
      std::swap(changes[0], changes[1]);
    }
    return changes;
  }

 private:
  static Result<void> check_images(const StreamRecord& record) {
    const bool complete = (record.event_name == StreamEventName::Insert || record.old_image) &&
                          (record.event_name == StreamEventName::Remove || record.new_image);
    if (complete) return {};
    return Error(
        EntityUnreadable,
        "a stream record lacks an image: typed changes need a stream of NEW_AND_OLD_IMAGES");
  }

  template <std::size_t I, typename Entity>
  static Result<void> decode_one(const StreamRecord& record, std::vector<Any>& changes) {
    constexpr std::size_t count = sizeof...(Entities);
    PARTITA_TRY(auto before, decode_image<Entity>(record.old_image));
    PARTITA_TRY(auto now, decode_image<Entity>(record.new_image));
    if (before && now) {
      auto& change = add<count + I>(record, Entity::plan.name, changes);
      change.before = std::move(*before);
      change.now = std::move(*now);
    } else if (now) {
      add<I>(record, Entity::plan.name, changes).now = std::move(*now);
    } else if (before) {
      auto& change = add<2 * count + I>(record, Entity::plan.name, changes);
      change.before = std::move(*before);
      change.expired = record.by_expiry;
    }
    return {};
  }
  template <typename Entity>
  static Result<std::optional<typename Entity::Object>> decode_image(
      const std::optional<Item>& image) {
    // Without a type an item is nobody's: a stream shows all that is in the table.
    if (!image || !image->find(Entity::table.type_attribute)) {
      return std::optional<typename Entity::Object>();
    }
    return Entity::decode(*image);
  }
  template <std::size_t Index>
  static auto& add(const StreamRecord& record, std::string_view entity, std::vector<Any>& changes) {
    auto& change = std::get<Index>(changes.emplace_back(std::in_place_index<Index>));
    change.entity = entity;
    change.sequence_number = record.sequence_number;
    change.event_id = record.event_id;
    change.at = std::chrono::sys_seconds(std::chrono::seconds(record.approximate_creation_seconds));
    return change;
  }
};

namespace detail {

template <typename... Handlers>
struct Overloaded : Handlers... {
  using Handlers::operator()...;
};
template <typename... Handlers>
Overloaded(Handlers...) -> Overloaded<Handlers...>;

}  // namespace detail

// Calls the handler for what is in a variant of changes, or of a collection's entities; nothing
// when there is none for it. Handlers return nothing, or all of them a Result<void>, which is then
// handed on.
template <typename... Alternatives, typename... Handlers>
auto match(const std::variant<Alternatives...>& any, Handlers&&... handlers) {
  using All = detail::Overloaded<std::remove_cvref_t<Handlers>...>;
  static_assert((std::is_invocable_v<All&, const Alternatives&> || ...),
                "no handler takes any of what this variant can be");
  constexpr bool fallible = (std::is_invocable_r_v<Result<void>, All&, const Alternatives&> || ...);
  All all{std::forward<Handlers>(handlers)...};
  return std::visit(
      [&]<typename Alternative>(
          const Alternative& alternative) -> std::conditional_t<fallible, Result<void>, void> {
        if constexpr (std::is_invocable_v<All&, const Alternative&>) {
          return all(alternative);
        } else if constexpr (fallible) {
          return {};
        }
      },
      any);
}

// The records of the JSON that Lambda gets from a stream.
Result<std::vector<StreamRecord>> parse_stream_event(std::string_view json);

}  // namespace partita::model
