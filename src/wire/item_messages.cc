#include "wire/item_messages.h"

#include "formats/value_json.h"
#include "wire/enum_names.h"
#include "wire/legacy_members.h"
#include "wire/shape_rules.h"

namespace partita {

namespace {

using Text = std::optional<std::string_view>;

// The members as they came, before their words are understood.
struct ItemMembers {
  Text table_name;
  bool item_given = false;
  Text return_values;
  Text return_values_on_condition_check_failure;
  Text return_consumed_capacity;
  Text return_item_collection_metrics;
  // What is wrong with members from before expressions, in the order in which it is told. Few
  // requests have any, so the others do not pay for it.
  struct LegacyRules {
    ShapeRules attributes_to_get, conditional_operator, expected, attribute_updates;
  };
  std::optional<LegacyRules> legacy{};
  LegacyRules& legacy_rules() { return legacy ? *legacy : legacy.emplace(); }
};

template <typename Request>
constexpr bool kIsWrite = !std::is_same_v<Request, GetItemRequest>;
template <typename Request>
constexpr bool kIsPut = std::is_same_v<Request, PutItemRequest>;

ItemView& item_of(PutItemRequest& request) { return request.item; }
template <typename Request>
ItemView& item_of(Request& request) {
  return request.key;
}

// Members that only requests which write have. False if `name` is none of them.
template <typename Request>
bool read_write_member(RequestReader& reader, std::string_view name, ItemMembers& raw,
                       AttributeStore& store, Request& request) {
  if (name == "ConditionExpression") {
    request.condition_expression = reader.text();
  } else if (name == "ExpressionAttributeValues") {
    reader.attribute_values(store, request.expression_attributes);
  } else if (name == "ReturnValues") {
    raw.return_values = reader.text();
  } else if (name == "ReturnValuesOnConditionCheckFailure") {
    raw.return_values_on_condition_check_failure = reader.text();
  } else if (name == "ReturnItemCollectionMetrics") {
    raw.return_item_collection_metrics = reader.text();
  } else if (name == "Expected") {
    request.expected = read_expected(reader, raw.legacy_rules().expected);
  } else if (name == "ConditionalOperator") {
    request.conditional_operator =
        read_conditional_operator(reader, raw.legacy_rules().conditional_operator);
  } else if constexpr (std::is_same_v<Request, UpdateItemRequest>) {
    if (name == "UpdateExpression") {
      request.update_expression = reader.text();
    } else if (name == "AttributeUpdates") {
      request.attribute_updates =
          read_attribute_updates(reader, raw.legacy_rules().attribute_updates);
    } else {
      return false;
    }
  } else {
    return false;
  }
  return true;
}

bool read_own_member(RequestReader& reader, std::string_view name, ItemMembers& raw,
                     AttributeStore&, GetItemRequest& request) {
  if (name == "ConsistentRead") {
    request.consistent_read = reader.truth();
  } else if (name == "ProjectionExpression") {
    request.projection_expression = reader.text();
  } else if (name == "AttributesToGet") {
    request.attributes_to_get =
        read_attributes_to_get(reader, "attributesToGet", raw.legacy_rules().attributes_to_get);
  } else {
    return false;
  }
  return true;
}

template <typename Request>
bool read_own_member(RequestReader& reader, std::string_view name, ItemMembers& raw,
                     AttributeStore& store, Request& request) {
  return read_write_member(reader, name, raw, store, request);
}

template <typename Request>
Result<void> check_item_members(const ItemMembers& raw, Request& request) {
  ShapeRules rules;
  if (raw.legacy) rules.add(raw.legacy->attributes_to_get);
  request.return_consumed_capacity = consumed_capacity_wanted(rules, raw.return_consumed_capacity);
  rules.not_null("tableName", raw.table_name.has_value());
  rules.not_null(kIsPut<Request> ? "item" : "key", raw.item_given);
  if constexpr (kIsWrite<Request>) {
    request.return_values =
        rules.word("returnValues", raw.return_values, kReturnValues).value_or(ReturnValues::None);
    request.return_item_collection_metrics =
        item_collection_metrics_wanted(rules, raw.return_item_collection_metrics);
    request.return_values_on_condition_check_failure =
        rules
            .word("returnValuesOnConditionCheckFailure",
                  raw.return_values_on_condition_check_failure,
                  kReturnValuesOnConditionCheckFailure)
            .value_or(ReturnValuesOnConditionCheckFailure::None);
    if (raw.legacy) {
      rules.add(raw.legacy->conditional_operator);
      rules.add(raw.legacy->expected);
      rules.add(raw.legacy->attribute_updates);
    }
  }
  return rules.check();
}

}  // namespace

template <typename Request>
Result<void> ItemMessage<Request>::decode(std::string_view body) {
  constexpr std::string_view kItemMember = kIsPut<Request> ? "Item" : "Key";
  RequestReader reader(body, memory_);
  ItemMembers raw;
  for (std::string_view name; reader.next_member(name);) {
    if (name == "TableName") {
      raw.table_name = reader.text();
    } else if (name == kItemMember) {
      if (kIsPut<Request>) item_.reserve(body.size());  // encoded it is shorter
      item_of(request) = reader.item(item_);
      raw.item_given = true;
    } else if (name == "ExpressionAttributeNames") {
      reader.attribute_names(attributes_, request.expression_attributes);
    } else if (name == "ReturnConsumedCapacity") {
      raw.return_consumed_capacity = reader.text();
    } else if (!read_own_member(reader, name, raw, attributes_, request)) {
      reader.skip();
    }
  }
  PARTITA_CHECK(reader.finish_json());
  PARTITA_CHECK(check_item_table_name(raw.table_name));
  PARTITA_CHECK(check_item_members(raw, request));
  request.table_name = *raw.table_name;
  value_faults_ = reader.value_faults();
  if (value_faults_) request.value_faults = &*value_faults_;
  return {};
}

template class ItemMessage<PutItemRequest>;
template class ItemMessage<GetItemRequest>;
template class ItemMessage<UpdateItemRequest>;
template class ItemMessage<DeleteItemRequest>;

// ---- Answers

namespace {

void optional_units(JsonWriter& json, std::string_view name, std::optional<double> units) {
  if (!units) return;
  json.member(name);
  json.number(*units);
}

// The members of Capacity, which ConsumedCapacity has too.
template <typename Units>
void encode_units(JsonWriter& json, const Units& capacity) {
  json.member("CapacityUnits");
  json.number(capacity.capacity_units);
  optional_units(json, "ReadCapacityUnits", capacity.read_capacity_units);
  optional_units(json, "WriteCapacityUnits", capacity.write_capacity_units);
}

void encode_capacity(JsonWriter& json, const Capacity& capacity) {
  json.begin_object();
  encode_units(json, capacity);
  json.end_object();
}

void encode_index_capacities(JsonWriter& json, std::string_view name,
                             const std::map<std::string, Capacity, std::less<>>& capacities) {
  if (capacities.empty()) return;
  json.member(name);
  json.begin_object();
  for (const auto& [index, capacity] : capacities) {
    json.key(index);
    encode_capacity(json, capacity);
  }
  json.end_object();
}

}  // namespace

void encode(JsonWriter& json, const ConsumedCapacity& capacity) {
  json.begin_object();
  encode_units(json, capacity);
  encode_index_capacities(json, "GlobalSecondaryIndexes", capacity.global_secondary_indexes);
  encode_index_capacities(json, "LocalSecondaryIndexes", capacity.local_secondary_indexes);
  if (capacity.table) {
    json.member("Table");
    encode_capacity(json, *capacity.table);
  }
  json.member("TableName");
  json.string(capacity.table_name);
  json.end_object();
}

void encode_member(JsonWriter& json, const std::optional<ConsumedCapacity>& capacity) {
  if (!capacity) return;
  json.member("ConsumedCapacity");
  encode(json, *capacity);
}

void encode(JsonWriter& json, const ItemCollectionMetrics& metrics) {
  json.begin_object();
  json.member("ItemCollectionKey");
  write_json(json, metrics.item_collection_key.view());
  json.member("SizeEstimateRangeGB");
  json.begin_array();
  json.number(metrics.size_estimate_lower_gb);
  json.element();
  json.number(metrics.size_estimate_upper_gb);
  json.end_array();
  json.end_object();
}

void encode(JsonWriter& json, const WriteItemResponse& response) {
  json.begin_object();
  if (response.attributes) {
    json.member("Attributes");
    write_json(json, response.attributes->view());
  }
  encode_member(json, response.consumed_capacity);
  if (response.item_collection_metrics) {
    json.member("ItemCollectionMetrics");
    encode(json, *response.item_collection_metrics);
  }
  json.end_object();
}

void encode(JsonWriter& json, const GetItemResponse& response) {
  json.begin_object();
  encode_member(json, response.consumed_capacity);
  if (response.item) {
    json.member("Item");
    write_json(json, response.item->view());
  }
  json.end_object();
}

}  // namespace partita
