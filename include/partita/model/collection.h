// Collections: items of several entities that share a partition, read by one query.
//
//   inline constexpr auto customer_and_orders = define_collection<"", customer, order>();
//   inline constexpr auto order_and_items = define_collection<"GSI1", order, order_item>();
//
//   auto reader = order_and_items.in(table);
//   for (const auto& each : reader.query("order-1")) std::visit(…, each);  // in order of the keys
//   auto [orders, items] = reader.query("order-1").fetch().value();
//
// The first argument is the index; "" is the table itself. match (change.h) visits with a handler
// for each kind. decode tells of any item which entity it is.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

#include "partita/model/query.h"
#include "partita/model/stream.h"

namespace partita::model {

namespace detail {

template <typename Entity>
constexpr std::size_t pattern_on(std::string_view table_index) {
  for (std::size_t i = 0; i < Entity::patterns.size(); ++i) {
    if (Entity::patterns[i].index == table_index) return i;
  }
  return Entity::patterns.size();
}

// Two templates make the same keys of the same values: equal but for the names of members.
constexpr bool same_shape(const KeyTemplate& left, const KeyTemplate& right) {
  if (left.count != right.count || left.tail != right.tail || left.native != right.native) {
    return false;
  }
  for (std::size_t i = 0; i < left.count; ++i) {
    const KeyPiece& a = left.pieces[i];
    const KeyPiece& b = right.pieces[i];
    if (a.literal != b.literal || a.digits != b.digits || a.unit != b.unit ||
        a.reversed != b.reversed || a.buckets != b.buckets || a.letters != b.letters) {
      return false;
    }
  }
  return true;
}

}  // namespace detail

template <FixedString TableIndex, const auto& First, const auto&... Rest>
class Collection {
 public:
  using Leader = EntityOf<First>;
  using Any = std::variant<typename Leader::Object, typename EntityOf<Rest>::Object...>;
  using Lists = std::tuple<std::vector<typename Leader::Object>,
                           std::vector<typename EntityOf<Rest>::Object>...>;

  static constexpr std::size_t pattern = detail::pattern_on<Leader>(TableIndex.view());
  static_assert(pattern < Leader::patterns.size() &&
                    ((detail::pattern_on<EntityOf<Rest>>(TableIndex.view()) <
                      EntityOf<Rest>::patterns.size()) &&
                     ...),
                "every entity of a collection has an access pattern on its index");
  static_assert(
      (std::is_same_v<typename Leader::TableDefinition, typename EntityOf<Rest>::TableDefinition> &&
       ...),
      "the entities of a collection are of one table");
  static_assert(
      (detail::same_shape(
           *Leader::patterns[pattern].partition.all[0].key,
           *EntityOf<Rest>::patterns[detail::pattern_on<EntityOf<Rest>>(TableIndex.view())]
                .partition.all[0]
                .key) &&
       ...),
      "the partition key templates of a collection's entities have the same shape");

  // Of whichever entity it is; nothing when of none.
  static Result<std::optional<Any>> decode(ItemView item) {
    std::optional<Any> found;
    Result<void> done;
    const auto try_one = [&]<typename Entity>(std::type_identity<Entity>) {
      if (found || !done) return;
      auto decoded = Entity::decode(item);
      if (!decoded) {
        done = std::move(decoded).error();
      } else if (*decoded) {
        found = std::move(**decoded);
      }
    };
    try_one(std::type_identity<Leader>{});
    (try_one(std::type_identity<EntityOf<Rest>>{}), ...);
    if (!done) return std::move(done).error();
    return found;
  }

  class [[nodiscard]] Query : public ResultReader<Any> {
   public:
    Query(std::unique_ptr<QuerySpec> spec, Result<void> problem)
        : ResultReader<Any>(std::move(spec), std::move(problem), &Collection::decode) {}

    Query newest_first() { return descending(); }
    Query descending() {
      this->spec_->forward = false;
      return std::move(*this);
    }
    Query limit(std::int64_t items) {
      this->spec_->limit = items;
      return std::move(*this);
    }
    Query consistent() {
      static_assert(TableIndex.empty() || Leader::patterns[pattern].local,
                    "a global index cannot be read consistently");
      this->spec_->consistent = true;
      return std::move(*this);
    }
    // Part of the collection, by the text of the sort key.
    Query begins_with(std::string_view text) { return range(SortRange::Kind::BeginsWith, text); }
    Query up_to(std::string_view text) { return range(SortRange::Kind::AtMost, text); }
    Query from(std::string_view text) { return range(SortRange::Kind::AtLeast, text); }

    // A list of each entity.
    Result<Lists> fetch() {
      Lists lists;
      PARTITA_TRY(std::vector<Any> all, this->all());
      for (Any& any : all) sort_in(any, lists, std::make_index_sequence<1 + sizeof...(Rest)>{});
      return lists;
    }

   private:
    Query range(SortRange::Kind kind, std::string_view text) {
      this->spec_->sort = {};
      this->spec_->sort.kind = kind;
      this->spec_->sort.low = Value::string(text);
      return std::move(*this);
    }
    template <std::size_t... I>
    static void sort_in(Any& any, Lists& lists, std::index_sequence<I...>) {
      (void)((any.index() == I &&
              (std::get<I>(lists).push_back(std::move(std::get<I>(any))), true)) ||
             ...);
    }
  };

  class In {
   public:
    explicit In(const Store& store) : store_(&store) {}
    // With the members of the partition key, as the first entity names them.
    template <typename... Values>
    Query query(const Values&... values) const {
      static_assert(sizeof...(Values) == detail::partition_inputs_of<Leader, pattern>.count,
                    "the partition key of this access pattern wants another number of values: one "
                    "for each member that its template names, in their order");
      auto spec = std::make_unique<QuerySpec>();
      spec->store = store_;
      spec->plan = &Leader::plan;
      spec->pattern = &Leader::plan.patterns[pattern];
      spec->only_this_type = false;
      spec->whole_partition = true;
      auto done = detail::add_partitions(
          detail::gather<typename Leader::Object, detail::partition_inputs_of<Leader, pattern>>(
              values...),
          *spec);
      return Query(std::move(spec), std::move(done));
    }
    // What changes in these entities; see stream.h.
    auto stream(std::string_view checkpoint = {}) const {
      return StreamReader<Leader, EntityOf<Rest>...>(*store_, checkpoint);
    }

   private:
    const Store* store_;
  };
  In in(const Store& store) const { return In(store); }
};

template <FixedString TableIndex, const auto& First, const auto&... Rest>
constexpr Collection<TableIndex, First, Rest...> define_collection() {
  return {};
}

}  // namespace partita::model
