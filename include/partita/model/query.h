// Queries by named access pattern, and scans.
//
//   for (const Dinosaur& d : dinosaurs.query<"by_diet">(Diet::carnivore)
//                                .between(500, 9000).filter(field<"found.country"> == "NZ")
//                                .newest_first().limit(50)) …
//
// query<"pattern"> is called with the members of its partition key, in the order in which the
// template names them; query() without a name reads by the primary key. Members of the sort key are
// given from the left, as many as wanted:
//
//   .under(a, b)          those whose first members are a and b
//   .equal(a, b, c)       all of them given
//   .begins_with(a, "x")  the last one given only by its start (text)
//   .between(a, b)        first member from a to b, both included
//   .before(a) .up_to(a) .after(a) .from(a)
//   .between(values(a, x), values(a, y))   the second member from x to y, the first equal
//
// Without any of them all items of the entity are read: those that start with the fixed text of the
// sort template.
//
// A partition key with {member|shard:N} is read from all N buckets, merged in order of the sort
// key, at the same time with threads(N). One with {time:day} takes a time; query_within<"pattern">
// (first, last) reads a range of days (hours, …).
//
// Results: range-for (status() tells afterwards whether it went well), all(), first(), page(n,
// cursor), count().
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "partita/model/operation.h"
#include "partita/model/pass.h"
#include "partita/model/query_run.h"

namespace partita::model {

template <typename T>
struct Page {
  std::vector<T> items{};
  std::string next{};  // the cursor of the page behind this one; empty at the end
};

// Several leading members of a sort key, for between, before, after, …
template <typename... Values>
auto values(const Values&... given) {
  return std::tuple<detail::Kept<Values>...>(given...);
}

namespace detail {

template <typename T>
inline constexpr bool is_tuple = false;
template <typename... V>
inline constexpr bool is_tuple<std::tuple<V...>> = true;

enum class Bound : std::uint8_t { Under, BeginsWith, Equal, Before, UpTo, After, From };

// One end of a range: inputs in the order of the pieces of the sort key, the first `given` known.
struct SortBound {
  Bound bound;
  GatheredInputs inputs;
  std::size_t given;
};

// The partitions of a query: each bucket of a sharded key.
Result<void> add_partitions(const GatheredInputs& inputs, QuerySpec& spec);
// One for each unit (day, hour, …) from the first to the last, by time.
Result<void> add_time_partitions(const GatheredInputs& inputs, std::int64_t first_millisecond,
                                 std::int64_t last_millisecond, QuerySpec& spec);
Result<void> set_sort_range(const SortBound& bound, QuerySpec& spec);
Result<void> set_sort_range(const SortBound& low, const SortBound& high, QuerySpec& spec);
// Puts groups in the wanted direction, and asks for items of this entity alone when nothing else is
// said about the sort key.
void set_default_range(QuerySpec& spec);
// Keys and type are read along with chosen members; cursors need them.
std::vector<std::string_view> add_keys_to_projection(QuerySpec& spec);

}  // namespace detail

// What is read, whole objects or chosen members, item by item.
template <typename Row>
class ResultReader {
 public:
  using Decode = Result<std::optional<Row>> (*)(ItemView);

  // Goes through the results once. Ends early when a request fails: ask status().
  using Iterator = detail::Pass<ResultReader, Row>;
  Iterator begin() { return Iterator::start(*this); }
  Iterator end() { return Iterator(); }
  // Whether the last range-for came to its end well.
  const Result<void>& status() const { return status_; }
  // The same, to be handed on: PARTITA_CHECK(query.finish()).
  Result<void> finish() { return std::exchange(status_, Result<void>()); }

  Result<std::vector<Row>> all() {
    std::vector<Row> rows;
    while (advance()) rows.push_back(std::move(*current_));
    if (!status_) return std::move(status_).error();
    return rows;
  }
  Result<std::optional<Row>> first() {
    spec_->limit = 1;
    advance();
    if (!status_) return std::move(status_).error();
    return std::move(current_);
  }
  Result<Page<Row>> page(std::int64_t items, std::string_view cursor = {}) {
    spec_->limit = items;
    PARTITA_CHECK(start());
    PARTITA_CHECK(run_->resume(cursor));
    Page<Row> page;
    while (advance()) page.items.push_back(std::move(*current_));
    if (!status_) return std::move(status_).error();
    page.next = run_->cursor();
    return page;
  }
  // The requests that would be made: for explain.
  Result<QuerySpec*> spec() {
    PARTITA_CHECK(start());
    return spec_.get();
  }
  // Counted where they are stored; a limit does not matter.
  Result<std::int64_t> count() {
    PARTITA_CHECK(start());
    return run_->count();
  }

 protected:
  ResultReader(std::unique_ptr<QuerySpec> spec, Result<void> problem, Decode decode)
      : spec_(std::move(spec)), status_(std::move(problem)), decode_(decode) {}

  Result<void> start() {
    if (!status_) return std::move(status_).error();
    if (!run_) {
      if (!spec_->scan) detail::set_default_range(*spec_);
      run_ = std::make_unique<QueryRun>(*spec_);
      if (spec_->limit) run_->read_at_most(*spec_->limit);
    }
    return {};
  }
  bool advance() {
    current_.reset();
    if (!status_ || (spec_->limit && handed_on_ >= *spec_->limit)) return false;
    if (!run_) status_ = start();
    while (status_) {
      auto item = run_->next();
      if (!item) return status_ = std::move(item).error(), false;
      if (!*item) return false;
      auto row = decode_(**item);
      if (!row) return status_ = std::move(row).error(), false;
      if (!*row) continue;
      current_ = std::move(*row);
      ++handed_on_;
      return true;
    }
    return false;
  }

  std::unique_ptr<QuerySpec> spec_;
  Result<void> status_;

 private:
  friend Iterator;
  const Row& current() const { return *current_; }

  Decode decode_;
  std::unique_ptr<QueryRun> run_;
  std::optional<Row> current_;
  std::int64_t handed_on_ = 0;
};

// Rows of chosen members: for (const auto& [id, weight] : query.select<&D::id, &D::weight>()).
template <typename Row>
class [[nodiscard]] Rows : public ResultReader<Row> {
 public:
  Rows(std::unique_ptr<QuerySpec> spec, Result<void> problem,
       typename ResultReader<Row>::Decode decode)
      : ResultReader<Row>(std::move(spec), std::move(problem), decode) {}
};

namespace detail {

template <typename Entity, Selector... Chosen>
auto selected(std::unique_ptr<QuerySpec>& spec, Result<void>& status) {
  using Choice = Selection<Entity, Chosen...>;
  spec->whole_items = false;
  Choice::project(add_keys_to_projection(*spec), spec->expressions);
  return Rows<typename Choice::Row>(std::move(spec), std::move(status), &Choice::decode);
}

}  // namespace detail

template <typename Entity, std::size_t Pattern>
class [[nodiscard]] Query : public ResultReader<typename Entity::Object> {
  using Base = ResultReader<typename Entity::Object>;
  static constexpr const detail::InputNames& kSort = detail::sort_inputs_of<Entity, Pattern>;

 public:
  using Object = typename Entity::Object;
  explicit Query(std::unique_ptr<QuerySpec> spec, Result<void> problem)
      : Base(std::move(spec), std::move(problem), &Entity::decode) {}

  template <typename... Values>
  Query under(const Values&... given) {
    return range(detail::Bound::Under, std::tie(given...));
  }
  template <typename... Values>
  Query begins_with(const Values&... given) {
    return range(detail::Bound::BeginsWith, std::tie(given...));
  }
  template <typename... Values>
  Query equal(const Values&... given) {
    static_assert(sizeof...(Values) == kSort.count,
                  "equal() wants a value for every member of the sort key; under() takes some");
    return range(detail::Bound::Equal, std::tie(given...));
  }
  template <typename... Values>
  Query before(const Values&... given) {
    return range(detail::Bound::Before, std::tie(given...));
  }
  template <typename... Values>
  Query up_to(const Values&... given) {
    return range(detail::Bound::UpTo, std::tie(given...));
  }
  template <typename... Values>
  Query after(const Values&... given) {
    return range(detail::Bound::After, std::tie(given...));
  }
  template <typename... Values>
  Query from(const Values&... given) {
    return range(detail::Bound::From, std::tie(given...));
  }
  template <typename Low, typename High>
  Query between(const Low& low, const High& high) {
    const auto bound = [](detail::Bound kind, const auto& value) {
      if constexpr (detail::is_tuple<std::remove_cvref_t<decltype(value)>>) {
        return make_bound(kind, value);
      } else {
        return make_bound(kind, std::tie(value));
      }
    };
    note(detail::set_sort_range(bound(detail::Bound::From, low), bound(detail::Bound::UpTo, high),
                                *this->spec_));
    return std::move(*this);
  }

  Query newest_first() { return descending(); }
  Query descending() {
    this->spec_->forward = false;
    return std::move(*this);
  }
  Query limit(std::int64_t items) {
    this->spec_->limit = items;
    return std::move(*this);
  }
  // So many buckets of a sharded key are asked for at the same time. Worth it when answers take
  // longer than a thread to start, as over a network.
  Query threads(int count) {
    this->spec_->threads = count;
    return std::move(*this);
  }
  Query consistent() {
    static_assert(Pattern == 0 || Entity::patterns[Pattern].local,
                  "a global index cannot be read consistently");
    this->spec_->consistent = true;
    return std::move(*this);
  }
  template <Condition C>
  Query filter(const C& condition) {
    ExpressionSet& set = this->spec_->expressions;
    ExpressionSet::begin_conjunct(set.filter);
    condition.template render<Entity>(set.filter, set);
    return std::move(*this);
  }

  // Reads these members alone; what is read comes as tuples.
  template <Selector... Chosen>
  auto select() {
    return detail::selected<Entity, Chosen...>(this->spec_, this->status_);
  }

 private:
  template <typename Tuple>
  static detail::SortBound make_bound(detail::Bound kind, const Tuple& given) {
    constexpr std::size_t count = std::tuple_size_v<Tuple>;
    static_assert(count <= kSort.count,
                  "more values than the sort key of this access pattern has members");
    detail::SortBound bound{kind, {}, count};
    bound.inputs = std::apply(
        [](const auto&... each) { return detail::gather<Object, kSort>(each...); }, given);
    return bound;
  }
  template <typename Tuple>
  Query range(detail::Bound kind, const Tuple& given) {
    static_assert(Entity::patterns[Pattern].sort.count != 0,
                  "this access pattern has no sort key to compare");
    note(detail::set_sort_range(make_bound(kind, given), *this->spec_));
    return std::move(*this);
  }
  void note(Result<void> done) {
    if (!done && this->status_) this->status_ = std::move(done);
  }
};

template <typename Entity>
class [[nodiscard]] Scan : public ResultReader<typename Entity::Object> {
  using Base = ResultReader<typename Entity::Object>;

 public:
  using Object = typename Entity::Object;
  explicit Scan(std::unique_ptr<QuerySpec> spec) : Base(std::move(spec), {}, &Entity::decode) {}

  // So many parts of the table, each read by a thread.
  Scan segments(int count) {
    this->spec_->segments = count;
    this->spec_->threads = count;
    return std::move(*this);
  }
  Scan limit(std::int64_t items) {
    this->spec_->limit = items;
    return std::move(*this);
  }
  // Reads these members alone; what is read comes as tuples.
  template <Selector... Chosen>
  auto select() {
    return detail::selected<Entity, Chosen...>(this->spec_, this->status_);
  }
  Scan consistent() {
    this->spec_->consistent = true;
    return std::move(*this);
  }
  template <Condition C>
  Scan filter(const C& condition) {
    ExpressionSet& set = this->spec_->expressions;
    ExpressionSet::begin_conjunct(set.filter);
    condition.template render<Entity>(set.filter, set);
    return std::move(*this);
  }
};

}  // namespace partita::model
