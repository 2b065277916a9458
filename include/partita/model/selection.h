// Selections: some members of items instead of whole objects, as tuples in the order asked for.
//
//   dinosaurs.get("rex").select<&Dinosaur::weight, "found.country">().run()
//   for (const auto& [id, weight] : dinosaurs.scan().select<&Dinosaur::id, &Dinosaur::weight>()) …
#pragma once

#include <optional>
#include <string_view>
#include <tuple>
#include <vector>

#include "partita/model/entity.h"
#include "partita/model/expression_set.h"
#include "partita/model/member_path.h"

namespace partita::model::detail {

template <typename Entity, Selector... Chosen>
struct Selection {
  using Row = std::tuple<typename Selected<typename Entity::Object, Chosen>::Type...>;

  // Adds the members to a projection in which some attributes are already: paths must not overlap.
  static void project(const std::vector<std::string_view>& there, ExpressionSet& set) {
    const auto add = [&](std::string_view path) {
      const std::string_view first = path.substr(0, path.find('.'));
      for (const std::string_view name : there) {
        if (name == first) return;
      }
      set.projection += ", ";
      set.name(set.projection, path);
    };
    (add(Selected<typename Entity::Object, Chosen>::path.view()), ...);
  }
  static Result<std::optional<Row>> decode(ItemView item) {
    PARTITA_TRY(auto object, Entity::decode(item));
    if (!object) return std::optional<Row>();
    const auto take = [&]<Selector S>() {
      using One = Selected<typename Entity::Object, S>;
      const auto* const member = find_member<One::path>(*object);
      return member == nullptr ? typename One::Type{} : *member;
    };
    return std::optional<Row>(std::in_place, take.template operator()<Chosen>()...);
  }
};

}  // namespace partita::model::detail
