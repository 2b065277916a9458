#include "partita/model/explain.h"

#include <algorithm>
#include <cmath>

#include "base/text_buffer.h"
#include "formats/json_writer.h"
#include "formats/value_json.h"
#include "model/query_request.h"

namespace partita::model {
namespace {

void write_member(JsonWriter& json, std::string_view name, std::string_view text) {
  json.member(name);
  json.string(text);
}
void write_expression(JsonWriter& json, std::string_view name, const std::string& text) {
  if (!text.empty()) write_member(json, name, text);
}

void write_if_true(JsonWriter& json, std::string_view name, bool truth) {
  if (!truth) return;
  json.member(name);
  json.boolean(true);
}

void write_attributes(JsonWriter& json, const ExpressionAttributes& attributes) {
  if (attributes.names) {
    json.member("ExpressionAttributeNames");
    json.begin_object();
    for (const ExpressionAttributeName& name : *attributes.names) {
      json.key(name.placeholder);
      json.string(name.name);
    }
    json.end_object();
  }
  if (attributes.values) {
    json.member("ExpressionAttributeValues");
    json.begin_object();
    for (const ExpressionAttributeValue& value : *attributes.values) {
      json.key(value.placeholder);
      write_json(json, value.value);
    }
    json.end_object();
  }
}

template <typename Write>
std::string in_json(Write write) {
  TextBuffer text;
  {
    JsonWriter json(text);
    json.begin_object();
    write(json);
    json.end_object();
  }
  return std::string(text.view());
}

std::string_view operation_of(TransactWrite::Kind kind) {
  switch (kind) {
    case TransactWrite::Kind::Put:
      return "PutItem";
    case TransactWrite::Kind::Delete:
      return "DeleteItem";
    case TransactWrite::Kind::Update:
      return "UpdateItem";
    case TransactWrite::Kind::ConditionCheck:
      break;
  }
  return "ConditionCheck";
}

double units(std::int64_t bytes, std::int64_t unit) {
  return static_cast<double>(std::max<std::int64_t>(1, (bytes + unit - 1) / unit));
}

// A put is written once to the table and once to each index whose keys it has.
double put_units(const EntityPlan& plan, ItemView item) {
  double copies = 1;
  for (std::size_t i = 0; i < plan.table->index_count; ++i) {
    const IndexShape& index = plan.table->indexes[i];
    bool inside = true;
    for (const KeyAttributes* keys : {&index.partition, &index.sort}) {
      for (std::size_t k = 0; k < keys->count; ++k) {
        inside = inside && item.find(keys->all[k].name).has_value();
      }
    }
    copies += inside ? 1 : 0;
  }
  return copies * units(item.size_bytes(), 1024);
}

}  // namespace

std::string Explanation::text() const {
  std::string text = operation + (index.empty() ? std::string(" on the table") : " on " + index);
  const auto add = [&text](double amount, const char* what) {
    if (amount == 0) return;
    std::string number = std::to_string(amount);
    number.erase(number.find_last_not_of('0') + 1);
    if (number.back() == '.') number.pop_back();
    text += ", about " + number + what;
  };
  add(read_units, " read units");
  add(write_units, " write units");
  for (const std::string& request : requests) text += "\n  " + request;
  return text + "\n";
}

namespace detail {

Explanation explain_writes(const Store& store, WriteSet& writes) {
  Explanation explained;
  if (writes.actions.empty()) return explained;
  const bool together = writes.actions.size() > 1;
  explained.operation =
      together ? "TransactWriteItems" : std::string(operation_of(writes.actions[0].kind));
  for (WriteAction& action : writes.actions) {
    const bool put = action.kind == TransactWrite::Kind::Put;
    explained.requests.push_back(in_json([&](JsonWriter& json) {
      if (together) write_member(json, "Action", operation_of(action.kind));
      write_member(json, "TableName", store.table_name());
      json.member(put ? "Item" : "Key");
      write_json(json, action.item.view());
      ExpressionSet& set = action.expressions;
      write_expression(json, "UpdateExpression", set.update);
      write_expression(json, "ConditionExpression", set.condition);
      write_attributes(json, set.attributes());
    }));
    explained.write_units +=
        (put ? put_units(*action.plan, action.item) : 1.0) * (together ? 2 : 1);
  }
  return explained;
}

Explanation explain_get(const Store& store, ItemView key, bool consistent,
                        const Assumptions& assumed) {
  Explanation explained;
  explained.operation = "GetItem";
  explained.read_units = units(assumed.item_bytes, 4096) * (consistent ? 1 : 0.5);
  explained.requests.push_back(in_json([&](JsonWriter& json) {
    write_member(json, "TableName", store.table_name());
    json.member("Key");
    write_json(json, key);
    write_if_true(json, "ConsistentRead", consistent);
  }));
  return explained;
}

Explanation explain_query(QuerySpec& spec, const Assumptions& assumed) {
  Explanation explained;
  explained.operation = spec.scan ? "Scan" : "Query";
  explained.index = spec.pattern->index;
  const auto write = [&](const PartitionKey* key, int segment) {
    ExpressionSet set = expressions_for(spec, key);
    explained.requests.push_back(in_json([&](JsonWriter& json) {
      write_member(json, "TableName", spec.store->table_name());
      if (!spec.pattern->index.empty()) write_member(json, "IndexName", spec.pattern->index);
      write_expression(json, "KeyConditionExpression", set.key_condition);
      write_expression(json, "FilterExpression", set.filter);
      write_expression(json, "ProjectionExpression", set.projection);
      if (spec.segments > 1) {
        json.member("Segment");
        json.integer(segment);
        json.member("TotalSegments");
        json.integer(spec.segments);
      }
      if (!spec.forward) {
        json.member("ScanIndexForward");
        json.boolean(false);
      }
      if (spec.limit && set.filter.empty()) {  // a filter may want more to be looked at
        json.member("Limit");
        json.integer(*spec.limit);
      }
      write_if_true(json, "ConsistentRead", spec.consistent);
      write_attributes(json, set.attributes());
    }));
  };
  for (const auto& group : spec.groups) {
    for (const PartitionKey& key : group) write(&key, 0);
  }
  for (int i = 0; spec.scan && i < spec.segments; ++i) write(nullptr, i);
  const std::int64_t items = spec.limit ? *spec.limit : assumed.items;
  const auto partitions =
      static_cast<std::int64_t>(std::max<std::size_t>(1, explained.requests.size()));
  // Every partition is read for as many as may be wanted of it.
  explained.read_units = static_cast<double>(partitions) * units(items * assumed.item_bytes, 4096) *
                         (spec.consistent ? 1 : 0.5);
  if (reads_whole_items(spec)) {
    explained.read_units += static_cast<double>(items) * units(assumed.item_bytes, 4096) * 0.5;
    explained.requests.push_back(
        "BatchGetItem of what is found: the index keeps only some attributes");
  }
  return explained;
}

}  // namespace detail
}  // namespace partita::model
