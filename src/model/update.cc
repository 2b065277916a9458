#include "partita/model/update.h"

namespace partita::model::detail {

UpdateClauses::UpdateClauses() = default;
UpdateClauses::UpdateClauses(const UpdateClauses&) = default;
UpdateClauses& UpdateClauses::operator=(const UpdateClauses&) = default;
UpdateClauses::~UpdateClauses() = default;

std::string& UpdateClauses::next(std::string& clause) {
  if (!clause.empty()) clause += ", ";
  return clause;
}

void UpdateClauses::begin_set(std::string_view path) {
  set.name(next(sets), path);
  sets += " = ";
}

void UpdateClauses::add_place(std::string& clause, std::string_view path, std::string key) {
  names.push_back(std::make_shared<const std::string>(std::move(key)));
  set.name(clause, path);
  clause += '.';
  set.whole_name(clause, *names.back());
}
void UpdateClauses::add_place(std::string& clause, std::string_view path, std::size_t element) {
  set.name(clause, path);
  clause.append("[").append(std::to_string(element)).append("]");
}

void UpdateClauses::add_written(const ItemSink& value) {
  if (value.failed()) {
    failure = value.failure();
  } else {
    set.value(sets, value.value());
  }
}

void UpdateClauses::join() {
  if (removes.empty() && adds.empty() && deletes.empty()) {  // most updates: nothing is copied
    if (!sets.empty()) sets.insert(0, "SET ");
    set.update.swap(sets);
    return;
  }
  const auto add = [this](std::string_view word, const std::string& clause) {
    if (clause.empty()) return;
    if (!set.update.empty()) set.update += ' ';
    set.update.append(word).append(clause);
  };
  set.update.clear();
  set.update.reserve(sets.size() + removes.size() + adds.size() + deletes.size() + 32);
  add("SET ", sets);
  add("REMOVE ", removes);
  add("ADD ", adds);
  add("DELETE ", deletes);
}

Result<void> add_index_keys(const EntityPlan& plan, std::uint32_t touched, const void* object,
                            UpdateClauses& clauses) {
  for (std::size_t p = 1; p < plan.patterns.size(); ++p) {
    if ((touched >> p & 1) == 0) continue;
    const AccessPattern& pattern = plan.patterns[p];
    KeyText texts[2];
    const KeyParts* both[] = {&pattern.partition, &pattern.sort};
    bool present = pattern.when == nullptr || is_true(pattern.when(object));
    for (std::size_t i = 0; i < 2 && present; ++i) {
      if (both[i]->count == 0 || !both[i]->all[0].written) continue;
      const KeyProblem problem = write_key(*both[i]->all[0].key, object, texts[i]);
      if (problem == KeyProblem::Absent) present = false;
      if (problem > KeyProblem::Empty) {
        return Error(KeyIncomplete,
                     std::string(plan.name) + ": " + describe(problem, *both[i]->all[0].key));
      }
    }
    for (std::size_t i = 0; i < 2; ++i) {
      const KeyPart& part = both[i]->all[0];
      if (both[i]->count == 0 || !part.written) continue;
      if (present) {
        clauses.set.name(clauses.next(clauses.sets), part.attribute);
        clauses.sets += " = ";
        clauses.set.text_value(clauses.sets, texts[i].view());
      } else {
        clauses.set.name(clauses.next(clauses.removes), part.attribute);
      }
    }
  }
  return {};
}

void add_new_item_attributes(const EntityPlan& plan, const void* object, UpdateClauses& clauses) {
  clauses.set.name(clauses.next(clauses.sets), plan.table->type_attribute);
  clauses.sets += " = ";
  clauses.set.text_value(clauses.sets, plan.name);
  if (plan.upgrade != nullptr) {
    clauses.begin_set(plan.table->schema_attribute);
    clauses.set.integer_value(clauses.sets, plan.schema_version);
  }
  const auto is_key_member = [&](std::string_view name) {
    for (const KeyParts* parts : {&plan.primary().partition, &plan.primary().sort}) {
      if (parts->count == 0 || !parts->all[0].written) continue;
      const KeyTemplate& key = *parts->all[0].key;
      for (std::size_t i = 0; i < key.count; ++i) {
        if (key.pieces[i].path == name) return true;
      }
    }
    return false;
  };
  for (const AttributeSlot& slot : plan.slots) {
    if (slot.kind != AttributeSlot::Kind::Member || !is_key_member(slot.name)) continue;
    ItemSink item;
    item.begin_item();
    slot.encode(object, slot.name, item);
    item.end_item();
    const auto value = item.item().find(slot.name);
    if (!value) continue;
    clauses.set.name(clauses.next(clauses.sets), slot.name);
    clauses.sets += " = ";
    clauses.set.value(clauses.sets, *value);
  }
}

namespace {

// An upgrade would undo what is set on an item of an older schema, so that has to be upgraded
// first.
void add_schema_condition(const UpdateTarget& target, const EntityPlan& plan, ExpressionSet& set) {
  std::string& condition = set.condition;
  ExpressionSet::begin_conjunct(condition);
  if (!target.expected.must_exist) {
    condition += "(attribute_not_exists(";
    set.name(condition, plan.table->partition_key.name);
    condition += ") OR ";
  }
  set.name(condition, plan.table->schema_attribute);
  condition += " = ";
  set.integer_value(condition, plan.schema_version);
  if (!target.expected.must_exist) condition += ')';
}

}  // namespace

void add_bookkeeping(const UpdateTarget& target, const EntityPlan& plan, UpdateClauses& clauses) {
  if (!plan.version_attribute.empty()) {
    clauses.set.name(clauses.next(clauses.adds), plan.version_attribute);
    clauses.adds += ' ';
    clauses.set.integer_value(clauses.adds, 1);
  }
  if (target.expected.must_exist) {  // as an item of this entity
    ExpressionSet::begin_conjunct(clauses.set.condition);
    clauses.set.name(clauses.set.condition, plan.table->type_attribute);
    clauses.set.condition += " = ";
    clauses.set.text_value(clauses.set.condition, plan.name);
  }
  if (plan.upgrade != nullptr) add_schema_condition(target, plan, clauses.set);
  add_expectation(plan, target.expected, clauses.set);
  clauses.join();
}

std::vector<std::string_view> read_paths(const EntityPlan& plan, const UpdateReach& reach,
                                         std::span<const KnownChange> changes) {
  std::vector<std::string_view> paths;
  const auto look = [&](std::string_view path) {
    if (!is_known(path, changes, plan)) paths.push_back(path);
  };
  for (std::size_t p = 1; p < plan.patterns.size(); ++p) {
    if ((reach.touched >> p & 1) != 0) each_input(plan.patterns[p], look);
  }
  // Markers are moved away from the old values, so those are needed even when they are set anew.
  if (reach.touches_unique) {
    for (const std::string_view path : unique_paths(plan)) paths.push_back(path);
  }
  return paths;
}

Result<std::optional<Item>> send_update(const UpdateTarget& target, const EntityPlan& plan,
                                        UpdateClauses& clauses, ReturnValues return_values) {
  ItemSink key;
  PARTITA_CHECK(encode_key(plan, target.inputs.all.data(), key));
  target.store->note_read(key.item());
  UpdateItemRequest request;
  request.table_name = target.store->table_name();
  request.key = key.item();
  request.update_expression = ExpressionSet::given(clauses.set.update);
  request.condition_expression = ExpressionSet::given(clauses.set.condition);
  request.expression_attributes = clauses.set.attributes();
  request.return_values = return_values;
  request.return_values_on_condition_check_failure = ReturnValuesOnConditionCheckFailure::AllOld;
  auto response = target.store->api().update_item(request);
  if (!response) return explain_failure(plan, target.expected, std::move(response).error());
  return std::move(response->attributes);
}

}  // namespace partita::model::detail
