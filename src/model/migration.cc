#include "partita/model/migration.h"

#include "partita/model/ids.h"
#include "partita/model/operation.h"
#include "partita/model/write_set.h"

namespace partita::model::detail {
namespace {

constexpr int kItemRetries = 10;

std::int64_t seconds_of(std::chrono::system_clock::time_point time) {
  return std::chrono::floor<std::chrono::seconds>(time.time_since_epoch()).count();
}

std::int64_t integer_in(const Item& item, std::string_view name) {
  std::int64_t number = 0;
  const auto value = item.find(name);
  if (value && value->is(ValueType::N)) read_integer(value->ordered_number(), number);
  return number;
}

QuerySpec scan_of(const Store& store, const EntityPlan& plan) {
  QuerySpec spec;
  spec.store = &store;
  spec.plan = &plan;
  spec.pattern = &plan.patterns[0];
  spec.scan = true;
  spec.consistent = true;
  return spec;
}

// Every attribute is what it was: nobody wrote the item in between.
void expect_unchanged(const EntityPlan& plan, const Item& before, ExpressionSet& set) {
  std::vector<std::string_view> names;
  for (const Attribute attribute : before.view()) names.push_back(attribute.name);
  add_unchanged(plan, before, names, set);
}

Item key_of(const EntityPlan& plan, const Item& item) {
  Item key;
  for (const std::string_view name : {plan.table->partition_key.name, plan.table->sort_key.name}) {
    if (const auto value = item.find(name)) key.set(name, *value);
  }
  return key;
}

Result<void> check_same_key(const EntityPlan& plan, const Item& before, const Item& after) {
  if (key_of(plan, before) == key_of(plan, after)) return {};
  return Error(EntityInvalid,
               std::string(plan.name) + ": a migration cannot change a member of the primary key");
}

// By a condition, or by a transaction of somebody else that is under way.
bool is_refused(const Error& error) {
  return error.code() == ErrorCode::ConditionalCheckFailed ||
         error.code() == ErrorCode::TransactionCanceled ||
         error.code() == ErrorCode::TransactionConflict;
}

}  // namespace

MigrationRun::MigrationRun(const Store& store, const EntityPlan& plan, std::string name)
    : store_(&store), plan_(&plan), name_(std::move(name)), owner_(new_ulid()) {}

Item MigrationRun::state_key() const { return text_key(*plan_->table, "MIGRATION#" + name_); }

Result<MigrationProgress> MigrationRun::dry_run(const MigrationOptions&, const ItemChange& change) {
  MigrationProgress progress;
  QuerySpec spec = scan_of(*store_, *plan_);
  QueryRun run(spec);
  while (true) {
    PARTITA_TRY(const std::optional<ItemView> item, run.next());
    if (!item) break;
    ++progress.examined;
    WriteSet writes;
    PARTITA_CHECK(change(*item, writes));
    if (!writes.actions.empty()) ++progress.changed;
  }
  return progress;
}

// Takes the lock, or takes it over from one that has been silent; tells how far it is.
Result<MigrationRun::Checkpoint> MigrationRun::lock(const MigrationOptions& options) {
  const Item key = state_key();
  const std::int64_t now = seconds_of(store_->now());
  ExpressionSet set;
  const auto assign = [&](std::string_view name) {
    set.update += set.update.empty() ? "SET " : ", ";
    set.name(set.update, name);
    set.update += " = ";
  };
  assign(plan_->table->type_attribute);
  set.text_value(set.update, "_migration");
  assign("owner");
  set.text_value(set.update, owner_);
  assign("locked_until");
  set.integer_value(set.update, now + options.lease.count());
  set.condition = "attribute_not_exists(";
  set.name(set.condition, "owner");
  set.condition += ") OR ";
  set.name(set.condition, "owner");
  set.condition += " = ";
  set.text_value(set.condition, owner_);
  set.condition += " OR ";
  set.name(set.condition, "locked_until");
  set.condition += " < ";
  set.integer_value(set.condition, now);
  UpdateItemRequest request;
  request.table_name = store_->table_name();
  request.key = key;
  request.update_expression = ExpressionSet::given(set.update);
  request.condition_expression = ExpressionSet::given(set.condition);
  request.expression_attributes = set.attributes();
  request.return_values = ReturnValues::AllNew;
  auto locked = store_->api().update_item(request);
  if (!locked) {
    if (locked.error().code() != ErrorCode::ConditionalCheckFailed) {
      return std::move(locked).error();
    }
    return Error(MigrationLocked, "somebody else runs the migration " + name_);
  }
  const Item state = locked->attributes.value_or(Item());
  Checkpoint checkpoint;
  checkpoint.progress.examined = integer_in(state, "examined");
  checkpoint.progress.changed = integer_in(state, "changed");
  checkpoint.progress.finished = integer_in(state, "finished") != 0;
  if (const auto cursor = state.find("cursor")) checkpoint.cursor = std::string(cursor->string());
  return checkpoint;
}

Result<void> MigrationRun::save(const Checkpoint& checkpoint, const MigrationOptions& options,
                                bool release) {
  const Item key = state_key();
  ExpressionSet set;
  const auto assign = [&](std::string_view name, std::int64_t number) {
    set.update += set.update.empty() ? "SET " : ", ";
    set.name(set.update, name);
    set.update += " = ";
    set.integer_value(set.update, number);
  };
  assign("examined", checkpoint.progress.examined);
  assign("changed", checkpoint.progress.changed);
  assign("finished", checkpoint.progress.finished ? 1 : 0);
  assign("locked_until", seconds_of(store_->now()) + options.lease.count());
  if (!checkpoint.cursor.empty()) {
    set.update += ", ";
    set.name(set.update, "cursor");
    set.update += " = ";
    set.text_value(set.update, checkpoint.cursor);
  }
  if (release || checkpoint.cursor.empty()) {
    set.update += " REMOVE ";
    if (release) set.name(set.update, "owner");
    if (release && checkpoint.cursor.empty()) set.update += ", ";
    if (checkpoint.cursor.empty()) set.name(set.update, "cursor");
  }
  set.name(set.condition, "owner");
  set.condition += " = ";
  set.text_value(set.condition, owner_);
  UpdateItemRequest request;
  request.table_name = store_->table_name();
  request.key = key;
  request.update_expression = ExpressionSet::given(set.update);
  request.condition_expression = ExpressionSet::given(set.condition);
  request.expression_attributes = set.attributes();
  auto saved = store_->api().update_item(request);
  if (saved) return {};
  if (saved.error().code() != ErrorCode::ConditionalCheckFailed) return std::move(saved).error();
  return Error(MigrationLocked, "somebody else took over the migration " + name_);
}

// Writes what the item becomes. Somebody else's write in between is looked at again.
Result<bool> MigrationRun::change_item(ItemView item, const ItemChange& change) {
  std::optional<Item> before{Item(item)};
  for (int attempt = 0; before && attempt < kItemRetries; ++attempt) {
    WriteSet writes;
    PARTITA_CHECK(change(*before, writes));
    if (writes.actions.empty()) return false;
    PARTITA_CHECK(check_same_key(*plan_, *before, writes.actions[0].item));
    expect_unchanged(*plan_, *before, writes.actions[0].expressions);
    auto sent = send_writes(*store_, writes);
    if (sent) return true;
    if (!is_refused(sent.error())) return std::move(sent).error();
    PARTITA_TRY(std::optional<Item> now, read_item(*store_, key_of(*plan_, *before)));
    // Unless somebody wrote it in between, it was a value that has to be unique.
    if (now == before) return explain_cancellation(writes, std::move(sent).error());
    before = std::move(now);
  }
  if (!before) return false;  // it was removed meanwhile
  return Error(ErrorCode::TransactionConflict,
               "an item that the migration " + name_ + " changes is written all the time");
}

Result<MigrationProgress> MigrationRun::apply(const MigrationOptions& options,
                                              const ItemChange& change) {
  PARTITA_TRY(Checkpoint checkpoint, lock(options));
  MigrationProgress& progress = checkpoint.progress;
  while (!progress.finished) {
    QuerySpec spec = scan_of(*store_, *plan_);
    QueryRun run(spec);
    run.read_at_most(options.page_items);
    PARTITA_CHECK(run.resume(checkpoint.cursor));
    for (std::int64_t i = 0; i < options.page_items; ++i) {
      PARTITA_TRY(const std::optional<ItemView> item, run.next());
      if (!item) break;
      ++progress.examined;
      PARTITA_TRY(const bool changed, change_item(*item, change));
      if (changed) ++progress.changed;
    }
    checkpoint.cursor = run.cursor();
    progress.finished = checkpoint.cursor.empty();
    const bool stop = options.go_on && !options.go_on(progress.examined);
    PARTITA_CHECK(save(checkpoint, options, stop || progress.finished));
    if (stop) break;
  }
  return progress;
}

}  // namespace partita::model::detail
