#include "partita/model/write_set.h"

#include <algorithm>

namespace partita::model {

WriteSet::WriteSet() = default;
WriteSet::WriteSet(WriteSet&&) noexcept = default;
WriteSet& WriteSet::operator=(WriteSet&&) noexcept = default;
WriteSet::~WriteSet() = default;

void WriteSet::take_over(WriteSet& others) {
  for (detail::WriteAction& action : others.actions) {
    action.operation = operations;
    actions.push_back(std::move(action));
  }
  others.actions.clear();
}

detail::WriteAction& WriteSet::add(TransactWrite::Kind kind, ItemView item, const EntityPlan& plan,
                                   detail::ActionRole role) {
  detail::WriteAction& action = actions.emplace_back();
  action.kind = kind;
  action.item = Item(item);
  action.plan = &plan;
  action.role = role;
  action.operation = operations;
  return action;
}

namespace detail {

void encode_text_key(const TableShape& table, std::string_view partition, std::string_view sort,
                     ItemSink& sink) {
  const auto add = [&sink](std::string_view name, std::string_view text) {
    sink.name(name);
    sink.string(text);
  };
  add(table.partition_key.name, partition);
  if (!table.sort_key.name.empty()) add(table.sort_key.name, sort);
}
Item text_key(const TableShape& table, std::string_view text) {
  ItemSink sink;
  sink.begin_item();
  encode_text_key(table, text, text, sink);
  sink.end_item();
  return Item(sink.item());
}

namespace {

constexpr std::string_view kMarkerType = "_unique";

// "UNIQUE#user#email#ada@example.com"; empty when a member has no value.
Result<std::string> marker_text(const EntityPlan& plan, const UniqueKey& unique,
                                const void* object) {
  if (object == nullptr) return std::string();
  KeyText text;
  text.append("UNIQUE#");
  text.append(plan.name);
  text.append('#');
  text.append(unique.label);
  text.append('#');
  const KeyProblem problem = write_key(*unique.key, object, text);
  if (problem == KeyProblem::Absent) return std::string();
  if (problem > KeyProblem::Empty) {
    return Error(KeyIncomplete, std::string(plan.name) + ": " + describe(problem, *unique.key));
  }
  return std::string(text.view());
}

void add_absence(const EntityPlan& plan, ExpressionSet& set) {
  ExpressionSet::begin_conjunct(set.condition);
  set.condition += "attribute_not_exists(";
  set.name(set.condition, plan.table->partition_key.name);
  set.condition += ')';
}
void add_presence(const EntityPlan& plan, ExpressionSet& set) {
  ExpressionSet::begin_conjunct(set.condition);
  set.condition += "attribute_exists(";
  set.name(set.condition, plan.table->partition_key.name);
  set.condition += ')';
}

// What lies at a path of maps.
std::optional<ValueView> value_at(ItemView item, std::string_view path) {
  std::size_t dot = path.find('.');
  std::optional<ValueView> value = item.find(path.substr(0, dot));
  while (value && dot != std::string_view::npos) {
    path.remove_prefix(dot + 1);
    dot = path.find('.');
    if (!value->is(ValueType::M)) return std::nullopt;
    value = value->map().find(path.substr(0, dot));
  }
  return value;
}

Result<void> encode_counter_key(const EntityPlan& plan, const KeyTemplate& partition,
                                const KeyTemplate* sort, const void* object, ItemSink& sink) {
  KeyText texts[2];
  const KeyTemplate* keys[] = {&partition, sort};
  for (std::size_t i = 0; i < 2; ++i) {
    if (keys[i] == nullptr) continue;
    const KeyProblem problem = write_key(*keys[i], object, texts[i]);
    if (problem != KeyProblem::None) {
      return Error(KeyIncomplete, std::string(plan.name) + ": " + describe(problem, *keys[i]));
    }
  }
  sink.begin_item();
  encode_text_key(*plan.table, texts[0].view(), texts[1].view(), sink);
  sink.end_item();
  return {};
}

Result<void> send_alone(const Store& store, WriteAction& action) {
  const auto fill = [&](auto& request) {
    request.table_name = store.table_name();
    request.condition_expression = ExpressionSet::given(action.expressions.condition);
    request.expression_attributes = action.expressions.attributes();
    request.return_values_on_condition_check_failure = ReturnValuesOnConditionCheckFailure::AllOld;
  };
  if (action.kind == TransactWrite::Kind::Put) {
    PutItemRequest request;
    fill(request);
    request.item = action.item;
    PARTITA_CHECK(store.api().put_item(request));
  } else if (action.kind == TransactWrite::Kind::Delete) {
    DeleteItemRequest request;
    fill(request);
    request.key = action.item;
    PARTITA_CHECK(store.api().delete_item(request));
  } else {
    UpdateItemRequest request;
    fill(request);
    request.key = action.item;
    request.update_expression = ExpressionSet::given(action.expressions.update);
    PARTITA_CHECK(store.api().update_item(request));
  }
  return {};
}

}  // namespace

void add_expectation(const EntityPlan& plan, const Expectation& expected, ExpressionSet& set) {
  if (expected.must_be_new) add_absence(plan, set);
  if (!expected.version) return;
  std::string& condition = set.condition;
  ExpressionSet::begin_conjunct(condition);
  if (*expected.version == 0) {
    condition += "attribute_not_exists(";
    set.name(condition, plan.version_attribute);
    condition += ')';
  } else {
    set.name(condition, plan.version_attribute);
    condition += " = ";
    set.integer_value(condition, *expected.version);
  }
}

namespace {

// Why a condition failed, as far as the item that it met shows.
std::string reason_of(const EntityPlan& plan, const Expectation& expected,
                      const std::optional<Item>& met) {
  if (expected.must_be_new) return "there is an item with this key already";
  if (expected.must_exist && !met) return "there is no item with this key";
  if (expected.must_exist) {
    const auto type = met->find(plan.table->type_attribute);
    if (!type || !type->is(ValueType::S)) return "the item with this key is of no entity";
    if (type->string() != plan.name) {
      return "the item with this key is of the entity '" + std::string(type->string()) + "'";
    }
  }
  return "the condition is not met";
}

}  // namespace

Error explain_failure(const EntityPlan& plan, const Expectation& expected, Error error) {
  if (error.code() != ErrorCode::ConditionalCheckFailed) return error;
  const std::string entity = std::string(plan.name) + ": ";
  const auto tell = [&](ErrorCode code, const std::string& sentence) {
    Error told(code, entity + sentence);
    if (error.item()) told.set_item(*error.item());
    return told;
  };
  if (expected.version) {
    std::int64_t stored = 0;
    if (error.item()) {
      const auto version = error.item()->find(plan.version_attribute);
      if (version && version->is(ValueType::N)) read_integer(version->ordered_number(), stored);
    }
    if (stored != *expected.version) {
      return tell(StaleVersion, "expected version " + std::to_string(*expected.version) +
                                    ", but the stored one is " +
                                    (stored == 0 ? "gone" : std::to_string(stored)));
    }
  }
  return tell(ErrorCode::ConditionalCheckFailed, reason_of(plan, expected, error.item()));
}

Error explain_refusal(const WriteAction& action, Error error) {
  const std::string entity(action.plan->name);
  if (action.role == ActionRole::Marker) {
    return Error(NotUnique, entity + ": another one has this " + std::string(action.about));
  }
  if (action.role == ActionRole::Counter) {
    return Error(
        ErrorCode::ConditionalCheckFailed,
        entity + ": the item that counts it in '" + std::string(action.about) + "' is not there");
  }
  return explain_failure(*action.plan, action.expected, std::move(error));
}

Result<void> add_markers(const EntityPlan& plan, const void* before, const void* after,
                         WriteSet& writes) {
  for (const UniqueKey& unique : plan.uniques) {
    PARTITA_TRY(const std::string old_text, marker_text(plan, unique, before));
    PARTITA_TRY(const std::string new_text, marker_text(plan, unique, after));
    if (old_text == new_text) continue;
    if (!old_text.empty()) {
      ItemSink key;
      key.begin_item();
      encode_text_key(*plan.table, old_text, old_text, key);
      key.end_item();
      writes.add(TransactWrite::Kind::Delete, key.item(), plan, ActionRole::Marker).about =
          unique.label;
    }
    if (!new_text.empty()) {
      ItemSink marker;
      marker.begin_item();
      encode_text_key(*plan.table, new_text, new_text, marker);
      marker.name(plan.table->type_attribute);
      marker.string(kMarkerType);
      marker.end_item();
      WriteAction& action =
          writes.add(TransactWrite::Kind::Put, marker.item(), plan, ActionRole::Marker);
      action.about = unique.label;
      add_absence(plan, action.expressions);
    }
  }
  return {};
}

Result<void> add_counters(const EntityPlan& plan, const void* object, int amount,
                          WriteSet& writes) {
  for (const ReferenceCounter& counter : plan.counters) {
    ItemSink key;
    PARTITA_CHECK(encode_counter_key(plan, *counter.partition, counter.sort, object, key));
    WriteAction& action =
        writes.add(TransactWrite::Kind::Update, key.item(), plan, ActionRole::Counter);
    action.about = counter.attribute;
    ExpressionSet& set = action.expressions;
    set.update = "ADD ";
    set.name(set.update, counter.attribute);
    set.update += ' ';
    set.integer_value(set.update, amount);
    add_presence(plan, set);
  }
  return {};
}

void add_unchanged(const EntityPlan& plan, const std::optional<Item>& before,
                   std::span<const std::string_view> paths, ExpressionSet& set) {
  if (!before) return add_absence(plan, set);
  add_presence(plan, set);
  for (const std::string_view path : paths) {
    ExpressionSet::begin_conjunct(set.condition);
    if (const auto value = value_at(*before, path)) {
      set.name(set.condition, path);
      set.condition += " = ";
      set.value(set.condition, *value);
    } else {
      set.condition += "attribute_not_exists(";
      set.name(set.condition, path);
      set.condition += ')';
    }
  }
}

bool is_unchanged(const std::optional<Item>& before, const std::optional<Item>& now,
                  std::span<const std::string_view> paths) {
  if (before.has_value() != now.has_value()) return false;
  return !before || std::all_of(paths.begin(), paths.end(), [&](std::string_view path) {
    return value_at(*before, path) == value_at(*now, path);
  });
}

Result<void> replace_unchanged(const Store& store, const EntityPlan& plan, const Item& before,
                               ItemView after) {
  std::vector<std::string_view> names;
  for (const Attribute attribute : before.view()) names.push_back(attribute.name);
  WriteSet writes;
  add_unchanged(plan, before, names, writes.add(TransactWrite::Kind::Put, after, plan).expressions);
  auto sent = send_writes(store, writes);
  if (!sent && sent.error().code() != ErrorCode::ConditionalCheckFailed) return sent;
  return {};
}

std::vector<std::string_view> unique_paths(const EntityPlan& plan) {
  std::vector<std::string_view> paths;
  for (const UniqueKey& unique : plan.uniques) {
    for (std::size_t i = 0; i < unique.key->count; ++i) paths.push_back(unique.key->pieces[i].path);
  }
  return paths;
}

Result<void> send_writes(const Store& store, WriteSet& writes,
                         std::optional<std::string_view> token) {
  for (const WriteAction& action : writes.actions) {
    const bool put = action.kind == TransactWrite::Kind::Put;
    put ? store.note_write(action.item) : store.note_read(action.item);
  }
  if (writes.actions.size() == 1 && !token &&
      writes.actions[0].kind != TransactWrite::Kind::ConditionCheck) {
    return send_alone(store, writes.actions[0]);
  }
  std::vector<TransactWrite> actions(writes.actions.size());
  for (std::size_t i = 0; i < actions.size(); ++i) {
    WriteAction& from = writes.actions[i];
    TransactWrite& to = actions[i];
    to.kind = from.kind;
    to.table_name = store.table_name();
    to.item = from.item;
    to.update_expression = ExpressionSet::given(from.expressions.update);
    to.condition_expression = ExpressionSet::given(from.expressions.condition);
    to.expression_attributes = from.expressions.attributes();
    to.return_values_on_condition_check_failure = ReturnValuesOnConditionCheckFailure::AllOld;
  }
  TransactWriteItemsRequest request;
  request.transact_items = actions;
  request.client_request_token = token;
  PARTITA_CHECK(store.api().transact_write_items(request));
  return {};
}

Error explain_cancellation(const WriteSet& writes, Error error) {
  const WriteAction& main = writes.actions.front();
  if (error.code() == ErrorCode::ConditionalCheckFailed) {
    return explain_failure(*main.plan, main.expected, std::move(error));
  }
  if (error.code() != ErrorCode::TransactionCanceled) return error;
  const auto& reasons = error.cancellation_reasons();
  for (std::size_t i = 0; i < reasons.size() && i < writes.actions.size(); ++i) {
    if (reasons[i].code != "ConditionalCheckFailed") continue;
    Error failed(ErrorCode::ConditionalCheckFailed, reasons[i].message);
    if (reasons[i].item) failed.set_item(*reasons[i].item);
    return explain_refusal(writes.actions[i], std::move(failed));
  }
  return error;
}

std::optional<Item> item_met(const Error& error) {
  if (error.item()) return *error.item();
  if (error.cancellation_reasons().empty()) return std::nullopt;
  return error.cancellation_reasons()[0].item;
}

Result<std::int64_t> next_number(const Store& store, const Sequence& sequence, const void* object) {
  ItemSink key;
  PARTITA_CHECK(
      encode_counter_key(*sequence.plan, *sequence.partition, sequence.sort, object, key));
  ExpressionSet set;
  set.update = "ADD ";
  set.name(set.update, sequence.attribute);
  set.update += ' ';
  set.integer_value(set.update, 1);
  if (sequence.must_exist) add_presence(*sequence.plan, set);
  UpdateItemRequest request;
  request.table_name = store.table_name();
  request.key = key.item();
  request.update_expression = ExpressionSet::given(set.update);
  request.condition_expression = ExpressionSet::given(set.condition);
  request.expression_attributes = set.attributes();
  request.return_values = ReturnValues::UpdatedNew;
  PARTITA_TRY(const UpdateItemResponse response, store.api().update_item(request));
  const auto value =
      response.attributes ? response.attributes->find(sequence.attribute) : std::nullopt;
  std::int64_t number = 0;
  if (!value || !value->is(ValueType::N) || !read_integer(value->ordered_number(), number)) {
    return Error(EntityUnreadable, "a sequence is not an integer");
  }
  return number;
}

}  // namespace detail
}  // namespace partita::model
