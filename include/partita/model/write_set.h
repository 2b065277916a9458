// WriteSet: what an operation writes when it is more than one item: the item, the markers that keep
// values unique, the counters that count it. They are written in one transaction.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "partita/model/entity_plan.h"
#include "partita/model/expression_set.h"
#include "partita/requests/transactions.h"

namespace partita::model {

namespace detail {

// Writes the names and values of a key of the table with these texts; tables without a sort key
// have the first alone.
void encode_text_key(const TableShape& table, std::string_view partition, std::string_view sort,
                     ItemSink& sink);
// A key with this text in each of its attributes.
Item text_key(const TableShape& table, std::string_view text);

// What is asked of an item besides the caller's condition.
struct Expectation {
  bool must_be_new = false;
  std::optional<std::int64_t> version{};  // 0: it has none yet
  bool must_exist = false;                // as an item of this entity
};

enum class ActionRole : std::uint8_t { Item, Marker, Counter };

struct WriteAction {
  TransactWrite::Kind kind = TransactWrite::Kind::Put;
  Item item{};  // or its key
  ExpressionSet expressions{};
  ActionRole role = ActionRole::Item;
  const EntityPlan* plan = nullptr;
  Expectation expected{};
  std::size_t operation = 0;
  std::string_view about{};  // the members that are unique, the attribute that counts
};

}  // namespace detail

class WriteSet {
 public:
  std::vector<detail::WriteAction> actions;
  std::size_t operations = 0;

  WriteSet();  // not inline, as the copies of ExpressionSet
  WriteSet(WriteSet&&) noexcept;
  WriteSet& operator=(WriteSet&&) noexcept;
  ~WriteSet();

  detail::WriteAction& add(TransactWrite::Kind kind, ItemView item, const EntityPlan& plan,
                           detail::ActionRole role = detail::ActionRole::Item);
  // Makes the actions of others part of the operation that is being added.
  void take_over(WriteSet& others);
};

namespace detail {

// Adds what `expected` says to the condition.
void add_expectation(const EntityPlan& plan, const Expectation& expected, ExpressionSet& set);
// A failed condition: StaleVersion when it was the version that did not hold, otherwise a sentence
// that says whether there is an item, or none, or what else was asked of it was not met.
Error explain_failure(const EntityPlan& plan, const Expectation& expected, Error error);
// The error of one action whose condition failed, whatever it is there for.
Error explain_refusal(const WriteAction& action, Error error);

// Markers for the unique values of an object that changes from `before` to `after`; either may be
// null.
Result<void> add_markers(const EntityPlan& plan, const void* before, const void* after,
                         WriteSet& writes);
// Counts the object up or down wherever it is counted.
Result<void> add_counters(const EntityPlan& plan, const void* object, int amount, WriteSet& writes);

// Conditions that these members are what they were when the item was read; without an item, that
// there is none.
void add_unchanged(const EntityPlan& plan, const std::optional<Item>& before,
                   std::span<const std::string_view> paths, ExpressionSet& set);
// Writes the item anew if nobody has changed it since it was read; otherwise it stays as it is.
Result<void> replace_unchanged(const Store& store, const EntityPlan& plan, const Item& before,
                               ItemView after);
// Whether they still are, as far as the failed condition's item shows.
bool is_unchanged(const std::optional<Item>& before, const std::optional<Item>& now,
                  std::span<const std::string_view> paths);
// The members that unique values are made of.
std::vector<std::string_view> unique_paths(const EntityPlan& plan);

// One transaction; a single action goes as the plain operation it is. The error is that of
// TransactWriteItems, with a reason for each action.
Result<void> send_writes(const Store& store, WriteSet& writes,
                         std::optional<std::string_view> token = {});
// The error of one operation, told in its own words: NotUnique, StaleVersion, …
Error explain_cancellation(const WriteSet& writes, Error error);
// The item that the first action's condition met.
std::optional<Item> item_met(const Error& error);

// The next number of a sequence.
Result<std::int64_t> next_number(const Store& store, const Sequence& sequence, const void* object);

inline constexpr int kConflictRetries = 10;

}  // namespace detail
}  // namespace partita::model
