#include "access/touched.h"

#include <algorithm>
#include <memory_resource>

#include "base/base64.h"
#include "expression/binder.h"
#include "expression/legacy.h"

namespace partita {
namespace {

// As IAM compares it; empty for a value no key can have.
std::optional<std::string> key_text(ValueView value) {
  if (value.is(ValueType::S)) return std::string(value.string());
  if (value.is(ValueType::N)) return value.number();
  if (!value.is(ValueType::B)) return std::nullopt;
  std::string text;
  append_base64(value.binary(), text);
  return text;
}

ContextValues unbounded() { return {.present = true, .unbounded = true}; }

// What puts, deletions and updates have in common.
template <typename Request>
void add_condition(TouchedAttributes& touched, const Request& request) {
  touched.add_expression(ExpressionKind::Condition, request.condition_expression);
  if (request.return_values_on_condition_check_failure !=
      ReturnValuesOnConditionCheckFailure::None) {
    touched.add_everything();
  }
}

template <typename Request>
ContextValues read_attributes(const Request& request, const AttributesToGet& names,
                              std::span<const ItemView> keys, ExpressionCache& cache) {
  TouchedAttributes touched(cache, request.expression_attributes);
  for (const ItemView key : keys) touched.add_item(key);
  touched.add_projection(request.projection_expression, names);
  return touched.take();
}

template <typename Request>
void add_page(TouchedAttributes& touched, const Request& request) {
  touched.add_expression(ExpressionKind::Condition, request.filter_expression);
  if (request.select != Select::Count) {
    touched.add_projection(request.projection_expression, request.attributes_to_get);
  }
}

template <typename Request>
ContextValues written_attributes(const Request& request, ItemView item, ExpressionCache& cache) {
  TouchedAttributes touched(cache, request.expression_attributes);
  touched.add_item(item);
  touched.add_entries(request.expected);
  add_condition(touched, request);
  if (request.return_values == ReturnValues::AllOld ||
      request.return_values == ReturnValues::AllNew) {
    touched.add_everything();
  }
  return touched.take();
}

}  // namespace

void TouchedAttributes::add_item(ItemView item) {
  for (const auto& [name, value] : item) add(name);
}

// In order, as there may be as many names as a request can hold.
const ExpressionAttributeName* TouchedAttributes::find_name(std::string_view placeholder) {
  if (!attributes_.names) return nullptr;
  if (by_placeholder_.empty()) {
    by_placeholder_.reserve(attributes_.names->size());
    for (const ExpressionAttributeName& given : *attributes_.names) {
      by_placeholder_.push_back(&given);
    }
    std::sort(
        by_placeholder_.begin(), by_placeholder_.end(),
        [](const auto* one, const auto* other) { return one->placeholder < other->placeholder; });
  }
  const auto at = std::lower_bound(
      by_placeholder_.begin(), by_placeholder_.end(), placeholder,
      [](const auto* given, std::string_view wanted) { return given->placeholder < wanted; });
  return at != by_placeholder_.end() && (*at)->placeholder == placeholder ? *at : nullptr;
}

void TouchedAttributes::add_path(const Tree& tree, const Step& first) {
  const std::string_view text = tree.text_of(first.text);
  if (first.kind == Step::Kind::Name) return add(text);
  const ExpressionAttributeName* const given = find_name(text);
  if (given != nullptr) return add(given->name);
  add_everything();  // the request will be refused, but not by us
}

void TouchedAttributes::add_expression(ExpressionKind kind,
                                       const std::optional<std::string_view>& text) {
  if (!text) return;
  const Result<TreePointer> tree = cache_.find_or_parse(kind, *text);
  if (!tree) return add_everything();
  for (const Node& node : (*tree)->nodes) {
    if (node.kind == NodeKind::Path) add_path(**tree, (*tree)->steps[node.first]);
  }
}

void TouchedAttributes::add_projection(const std::optional<std::string_view>& expression,
                                       const AttributesToGet& names) {
  if (!expression && !names) return add_everything();
  add_expression(ExpressionKind::Projection, expression);
  if (names) {
    for (const std::string_view name : *names) add(name);
  }
}

std::vector<std::string_view> partition_key(const TableDescription& table,
                                            const std::optional<std::string_view>& index_name) {
  const std::vector<KeySchemaElement>* schema = nullptr;
  if (!index_name) schema = &table.key_schema;
  for (const auto& index : table.local_secondary_indexes) {
    if (index_name && index.index_name == *index_name) schema = &index.key_schema;
  }
  for (const auto& index : table.global_secondary_indexes) {
    if (index_name && index.index_name == *index_name) schema = &index.key_schema;
  }
  std::vector<std::string_view> names;
  if (schema == nullptr) return names;
  for (const KeySchemaElement& element : *schema) {
    if (element.type == KeyType::Hash) names.emplace_back(element.name);
  }
  return names;
}

ContextValues leading_keys(std::span<const std::string_view> partition_key,
                           std::span<const ItemView> items) {
  if (partition_key.empty()) return unbounded();
  ContextValues found{.present = true};
  for (const ItemView item : items) {
    for (const std::string_view name : partition_key) {
      const auto value = item.find(name);
      auto text = value ? key_text(*value) : std::nullopt;
      if (!text) return unbounded();
      found.values.push_back(std::move(*text));
    }
  }
  return found;
}

ContextValues leading_keys(std::span<const std::string_view> partition_key,
                           const QueryRequest& request, ExpressionCache& cache) {
  std::pmr::monotonic_buffer_resource memory;
  Binder binder(cache, request.expression_attributes, &memory);
  if (!request.key_conditions && !request.key_condition_expression) return unbounded();
  const Result<KeyCondition> condition =
      request.key_conditions ? bind_key_conditions(*request.key_conditions, &memory)
                             : binder.key_condition(*request.key_condition_expression);
  if (!condition || partition_key.empty()) return unbounded();
  ContextValues found{.present = true};
  for (const std::string_view name : partition_key) {
    const auto clauses = condition->clauses();
    const auto clause = std::find_if(clauses.begin(), clauses.end(), [&](const KeyClause& one) {
      return one.attribute == name && one.op == KeyOperator::Equal;
    });
    auto text = clause != clauses.end() ? key_text(clause->value) : std::nullopt;
    if (!text) return unbounded();
    found.values.push_back(std::move(*text));
  }
  return found;
}

ContextValues attributes_of(const PutItemRequest& request, ExpressionCache& cache) {
  return written_attributes(request, request.item, cache);
}

ContextValues attributes_of(const DeleteItemRequest& request, ExpressionCache& cache) {
  return written_attributes(request, request.key, cache);
}

ContextValues attributes_of(const UpdateItemRequest& request, ExpressionCache& cache) {
  ContextValues found = written_attributes(request, request.key, cache);
  TouchedAttributes updated(cache, request.expression_attributes);
  updated.add_expression(ExpressionKind::Update, request.update_expression);
  updated.add_entries(request.attribute_updates);
  ContextValues more = updated.take();
  found.unbounded |= more.unbounded;
  found.values.insert(found.values.end(), more.values.begin(), more.values.end());
  return found;
}

ContextValues attributes_of(const GetItemRequest& request, ExpressionCache& cache) {
  return read_attributes(request, request.attributes_to_get, std::span(&request.key, 1), cache);
}

ContextValues attributes_of(const KeysAndAttributes& request, ExpressionCache& cache) {
  return read_attributes(request, request.attributes_to_get, request.keys, cache);
}

ContextValues attributes_of(const TransactGet& request, ExpressionCache& cache) {
  return read_attributes(request, AttributesToGet(), std::span(&request.key, 1), cache);
}

ContextValues attributes_of(const QueryRequest& request, ExpressionCache& cache) {
  TouchedAttributes touched(cache, request.expression_attributes);
  touched.add_expression(ExpressionKind::Condition, request.key_condition_expression);
  touched.add_entries(request.key_conditions);
  touched.add_entries(request.query_filter);
  add_page(touched, request);
  return touched.take();
}

ContextValues attributes_of(const ScanRequest& request, ExpressionCache& cache) {
  TouchedAttributes touched(cache, request.expression_attributes);
  touched.add_entries(request.scan_filter);
  add_page(touched, request);
  return touched.take();
}

ContextValues attributes_of(const TableWrites& request, ExpressionCache& cache) {
  const ExpressionAttributes none;
  TouchedAttributes touched(cache, none);
  for (const WriteRequest& write : request.requests) {
    if (write.put_item) touched.add_item(*write.put_item);
    if (write.delete_key) touched.add_item(*write.delete_key);
  }
  return touched.take();
}

ContextValues attributes_of(const TransactWrite& request, ExpressionCache& cache) {
  TouchedAttributes touched(cache, request.expression_attributes);
  touched.add_item(request.item);
  touched.add_expression(ExpressionKind::Update, request.update_expression);
  add_condition(touched, request);
  return touched.take();
}

std::string_view text_of(ReturnValues values) {
  switch (values) {
    case ReturnValues::AllOld:
      return "ALL_OLD";
    case ReturnValues::UpdatedOld:
      return "UPDATED_OLD";
    case ReturnValues::AllNew:
      return "ALL_NEW";
    case ReturnValues::UpdatedNew:
      return "UPDATED_NEW";
    case ReturnValues::None:
      break;
  }
  return "NONE";
}

std::string_view text_of(ReturnConsumedCapacity wanted) {
  if (wanted == ReturnConsumedCapacity::None) return "NONE";
  return wanted == ReturnConsumedCapacity::Total ? "TOTAL" : "INDEXES";
}

std::string_view select_text(std::optional<Select> select, bool projected, bool of_index) {
  if (!select) {
    if (projected) return "SPECIFIC_ATTRIBUTES";
    return of_index ? "ALL_PROJECTED_ATTRIBUTES" : "ALL_ATTRIBUTES";
  }
  switch (*select) {
    case Select::AllProjectedAttributes:
      return "ALL_PROJECTED_ATTRIBUTES";
    case Select::SpecificAttributes:
      return "SPECIFIC_ATTRIBUTES";
    case Select::Count:
      return "COUNT";
    case Select::AllAttributes:
      break;
  }
  return "ALL_ATTRIBUTES";
}

}  // namespace partita
