// Conditions and filters without strings:
//
//   field<&Dinosaur::diet> == Diet::carnivore && size(field<&Dinosaur::tags>) < 10
//   field<"found.country"> == "NZ" || missing(field<&Dinosaur::expedition>)
//   between(field<&Dinosaur::weight>, 500, 9000), begins_with(field<&Dinosaur::species>, "Tyr")
//   contains(field<&Dinosaur::tags>, "armoured")
//   in(field<&Dinosaur::diet>, {Diet::carnivore, Diet::omnivore})          or a std::vector
//   has_type(field<&Dinosaur::weight>, ValueType::N), !(…), field<&A::x> < field<&A::y>
//
// Members and the types of values are checked when the condition meets its entity.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "partita/model/codec.h"
#include "partita/model/expression_set.h"
#include "partita/model/member_path.h"

namespace partita::model {

struct ConditionNode {};
template <typename T>
concept Condition = std::is_base_of_v<ConditionNode, T>;

namespace detail {

// A value of what a member holds. Text is not copied to be compared; a time to live is compared as
// the number it is stored as.
template <typename Member, bool Epoch = false, typename V>
void add_value(const V& value, std::string& out, ExpressionSet& set) {
  using Wanted = unwrapped<Member>;
  ItemSink sink;
  if constexpr (std::is_same_v<Wanted, std::string>) {
    static_assert(std::is_convertible_v<V, std::string_view>,
                  "a member is compared with, or set to, a value of another type");
    encode(std::string_view(value), sink);
  } else {
    static_assert(std::is_convertible_v<V, Wanted>,
                  "a member is compared with, or set to, a value of another type");
    if constexpr (std::is_convertible_v<V, Wanted> && Epoch) {
      encode_epoch(static_cast<Wanted>(value), sink);
    } else if constexpr (std::is_convertible_v<V, Wanted>) {
      encode(static_cast<Wanted>(value), sink);
    }
  }
  if (!sink.failed()) set.value(out, sink.value());
}

// The type within a list, set or map.
template <typename T>
struct ElementOf {
  using Type = T;
};
template <typename T>
requires(is_vector<T> && !std::is_same_v<T, Binary>) struct ElementOf<T> {
  using Type = typename T::value_type;
};
template <Set T>
struct ElementOf<T> {
  using Type = typename T::key_type;
};

template <typename T, FixedString Path, typename Owner>
constexpr void check_field() {
  static_assert(std::is_void_v<Owner> || std::is_same_v<Owner, T>,
                "a condition names a member of another entity");
  static_assert(path_exists<T, Path>(), "a condition names a member that the entity does not have");
}

}  // namespace detail

template <FixedString Path, typename Owner, typename Measure = void>
struct Field {
  static constexpr auto path = Path;

  template <typename Entity>
  using Type = std::conditional_t<std::is_void_v<Measure>,
                                  detail::PathType<typename Entity::Object, Path>, Measure>;

  template <typename Entity>
  static void render(std::string& out, ExpressionSet& set) {
    detail::check_field<typename Entity::Object, Path, Owner>();
    if (!std::is_void_v<Measure>) out += "size(";
    set.name(out, Path.view());
    if (!std::is_void_v<Measure>) out += ')';
  }
  // A value that it is compared with.
  template <typename Entity, typename V>
  static void add(const V& value, std::string& out, ExpressionSet& set) {
    constexpr bool epoch = std::is_void_v<Measure> && Path.view() == Entity::table.ttl;
    detail::add_value<Type<Entity>, epoch>(value, out, set);
  }
};

namespace detail {

template <typename T>
inline constexpr bool is_field = false;
template <FixedString P, typename O, typename M>
inline constexpr bool is_field<Field<P, O, M>> = true;

template <typename Left, typename Right>
struct Comparison : ConditionNode {
  std::string_view sign;
  Right right;
  Comparison(std::string_view s, Right r) : sign(s), right(std::move(r)) {}

  template <typename Entity>
  void render(std::string& out, ExpressionSet& set) const {
    Left::template render<Entity>(out, set);
    out += sign;
    if constexpr (is_field<Right>) {
      Right::template render<Entity>(out, set);
    } else {
      Left::template add<Entity>(right, out, set);
    }
  }
};

template <typename F, typename... Values>
struct Call : ConditionNode {
  std::string_view function;
  std::tuple<Values...> values;
  Call(std::string_view f, Values... v) : function(f), values(std::move(v)...) {}

  template <typename Entity>
  void render(std::string& out, ExpressionSet& set) const {
    out += function;
    out += '(';
    F::template render<Entity>(out, set);
    using Member = unwrapped<typename F::template Type<Entity>>;
    using Element = typename ElementOf<Member>::Type;
    const auto add = [&](const auto& value) {
      out += ", ";
      add_value<Element>(value, out, set);
    };
    std::apply([&](const auto&... each) { (add(each), ...); }, values);
    out += ')';
  }
};

template <typename F, typename Low, typename High>
struct Between : ConditionNode {
  Low low;
  High high;
  Between(Low l, High h) : low(std::move(l)), high(std::move(h)) {}

  template <typename Entity>
  void render(std::string& out, ExpressionSet& set) const {
    F::template render<Entity>(out, set);
    out += " BETWEEN ";
    F::template add<Entity>(low, out, set);
    out += " AND ";
    F::template add<Entity>(high, out, set);
  }
};

template <typename F, typename V>
struct OneOf : ConditionNode {
  std::vector<V> values;
  explicit OneOf(std::vector<V> v) : values(std::move(v)) {}

  template <typename Entity>
  void render(std::string& out, ExpressionSet& set) const {
    F::template render<Entity>(out, set);
    out += " IN (";
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (i != 0) out += ", ";
      F::template add<Entity>(values[i], out, set);
    }
    out += ')';
  }
};

template <typename F>
struct TypeIs : ConditionNode {
  ValueType type;
  explicit TypeIs(ValueType t) : type(t) {}

  template <typename Entity>
  void render(std::string& out, ExpressionSet& set) const {
    out += "attribute_type(";
    F::template render<Entity>(out, set);
    out += ", ";
    set.text_value(out, type_name(type));
    out += ')';
  }
};

template <typename Left, typename Right>
struct Both : ConditionNode {
  std::string_view word;
  Left left;
  Right right;
  Both(std::string_view w, Left l, Right r) : word(w), left(std::move(l)), right(std::move(r)) {}

  template <typename Entity>
  void render(std::string& out, ExpressionSet& set) const {
    out += '(';
    left.template render<Entity>(out, set);
    out += word;
    right.template render<Entity>(out, set);
    out += ')';
  }
};

template <typename Inner>
struct Negation : ConditionNode {
  Inner inner;
  explicit Negation(Inner i) : inner(std::move(i)) {}

  template <typename Entity>
  void render(std::string& out, ExpressionSet& set) const {
    out += "NOT (";
    inner.template render<Entity>(out, set);
    out += ')';
  }
};

template <typename L>
concept AnyField = is_field<L>;

// What is kept of a literal: a condition may live longer than what it was made from.
template <typename V>
using Kept = std::conditional_t<std::is_convertible_v<V, std::string_view>, std::string, V>;

}  // namespace detail

// A member, by pointer (field<&Dinosaur::weight>) or path (field<"found.country">).
template <Selector S>
inline constexpr Field<detail::path_of<S>(), typename decltype(detail::owner_of<S>())::type>
    field{};

// The length of a text, list, set or map.
template <FixedString P, typename O>
constexpr Field<P, O, std::int64_t> size(Field<P, O>) {
  return {};
}

template <detail::AnyField F, typename V>
auto operator==(F, const V& value) {
  return detail::Comparison<F, detail::Kept<V>>(" = ", value);
}
template <detail::AnyField F, typename V>
auto operator!=(F, const V& value) {
  return detail::Comparison<F, detail::Kept<V>>(" <> ", value);
}
template <detail::AnyField F, typename V>
auto operator<(F, const V& value) {
  return detail::Comparison<F, detail::Kept<V>>(" < ", value);
}
template <detail::AnyField F, typename V>
auto operator<=(F, const V& value) {
  return detail::Comparison<F, detail::Kept<V>>(" <= ", value);
}
template <detail::AnyField F, typename V>
auto operator>(F, const V& value) {
  return detail::Comparison<F, detail::Kept<V>>(" > ", value);
}
template <detail::AnyField F, typename V>
auto operator>=(F, const V& value) {
  return detail::Comparison<F, detail::Kept<V>>(" >= ", value);
}

template <detail::AnyField F>
auto exists(F) {
  return detail::Call<F>("attribute_exists");
}
template <detail::AnyField F>
auto missing(F) {
  return detail::Call<F>("attribute_not_exists");
}
template <detail::AnyField F>
auto begins_with(F, std::string start) {
  return detail::Call<F, std::string>("begins_with", std::move(start));
}
template <detail::AnyField F, typename V>
auto contains(F, const V& element) {
  return detail::Call<F, detail::Kept<V>>("contains", element);
}
template <detail::AnyField F, typename Low, typename High>
auto between(F, const Low& low, const High& high) {
  return detail::Between<F, detail::Kept<Low>, detail::Kept<High>>(low, high);
}
template <detail::AnyField F, typename V>
auto in(F, std::initializer_list<V> values) {
  return detail::OneOf<F, detail::Kept<V>>({values.begin(), values.end()});
}
template <detail::AnyField F, typename V>
auto in(F, const std::vector<V>& values) {
  return detail::OneOf<F, detail::Kept<V>>({values.begin(), values.end()});
}
template <detail::AnyField F>
auto has_type(F, ValueType type) {
  return detail::TypeIs<F>(type);
}

template <Condition Left, Condition Right>
auto operator&&(Left left, Right right) {
  return detail::Both<Left, Right>(" AND ", std::move(left), std::move(right));
}
template <Condition Left, Condition Right>
auto operator||(Left left, Right right) {
  return detail::Both<Left, Right>(" OR ", std::move(left), std::move(right));
}
template <Condition Inner>
auto operator!(Inner inner) {
  return detail::Negation<Inner>(std::move(inner));
}

}  // namespace partita::model
