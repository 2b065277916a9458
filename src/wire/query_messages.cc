#include "wire/query_messages.h"

#include <limits>

#include "formats/value_json.h"
#include "wire/enum_names.h"
#include "wire/item_messages.h"
#include "wire/legacy_members.h"
#include "wire/shape_rules.h"

namespace partita {

namespace {

constexpr std::int32_t kIntegerMax = std::numeric_limits<std::int32_t>::max();
constexpr std::int32_t kTotalSegmentsMax = 1'000'000;

using Text = std::optional<std::string_view>;

struct PageMembers {
  Text table_name;
  Text select;
  Text return_consumed_capacity;
  // What is wrong with members from before expressions.
  ShapeRules filter, key_conditions, conditional_operator, attributes_to_get;
};

bool read_own_member(RequestReader& reader, std::string_view name, PageMembers& raw,
                     QueryRequest& request) {
  if (name == "KeyConditionExpression") {
    request.key_condition_expression = reader.text();
  } else if (name == "ScanIndexForward") {
    request.scan_index_forward = reader.truth();
  } else if (name == "KeyConditions") {
    request.key_conditions = read_conditions(reader, "keyConditions", raw.key_conditions,
                                             RequestReader::ValueOf::KeyCondition);
  } else if (name == "QueryFilter") {
    request.query_filter =
        read_conditions(reader, "queryFilter", raw.filter, RequestReader::ValueOf::Parameter);
  } else {
    return false;
  }
  return true;
}

bool read_own_member(RequestReader& reader, std::string_view name, PageMembers& raw,
                     ScanRequest& request) {
  if (name == "Segment") {
    request.segment = reader.integer();
  } else if (name == "TotalSegments") {
    request.total_segments = reader.integer();
  } else if (name == "ScanFilter") {
    request.scan_filter =
        read_conditions(reader, "scanFilter", raw.filter, RequestReader::ValueOf::Parameter);
  } else {
    return false;
  }
  return true;
}

// Query's validator is another than Scan's and words a bad limit differently (recorded from
// DynamoDB by the conformance suite of Dynoxide).
void check_own_members(ShapeRules& rules, const PageMembers& raw, const QueryRequest& request) {
  rules.add(raw.conditional_operator);
  rules.add(raw.attributes_to_get);
  if (request.limit && *request.limit < 1) {
    rules.violated_as(
        "Value at 'Limit' failed to satisfy constraint: "
        "Member must have value greater than or equal to 1");
  }
  rules.add(raw.key_conditions);
}

void check_own_members(ShapeRules& rules, const PageMembers& raw, const ScanRequest& request) {
  if (request.total_segments) {
    rules.range("totalSegments", *request.total_segments, 1, kTotalSegmentsMax);
  }
  rules.add(raw.conditional_operator);
  rules.add(raw.filter);
  if (request.segment) rules.range("segment", *request.segment, 0, kTotalSegmentsMax - 1);
  if (request.limit) rules.range("limit", *request.limit, 1, kIntegerMax);
  rules.add(raw.attributes_to_get);
}

template <typename Request>
Result<void> check_page_members(const PageMembers& raw, Request& request) {
  ShapeRules rules;
  request.select = rules.word("select", raw.select, kSelect);
  if (request.index_name) rules.resource_name("indexName", *request.index_name);
  request.return_consumed_capacity = consumed_capacity_wanted(rules, raw.return_consumed_capacity);
  if (std::is_same_v<Request, QueryRequest>) rules.add(raw.filter);
  rules.not_null("tableName", raw.table_name.has_value());
  check_own_members(rules, raw, request);
  return rules.check();
}

}  // namespace

template <typename Request>
Result<void> PageMessage<Request>::decode(std::string_view body) {
  RequestReader reader(body, memory_);
  PageMembers raw;
  for (std::string_view name; reader.next_member(name);) {
    if (name == "TableName") {
      raw.table_name = reader.text();
    } else if (name == "IndexName") {
      request.index_name = reader.text();
    } else if (name == "Select") {
      raw.select = reader.text();
    } else if (name == "Limit") {
      request.limit = reader.integer();
    } else if (name == "ConsistentRead") {
      request.consistent_read = reader.truth();
    } else if (name == "FilterExpression") {
      request.filter_expression = reader.text();
    } else if (name == "ProjectionExpression") {
      request.projection_expression = reader.text();
    } else if (name == "ExpressionAttributeNames") {
      reader.attribute_names(attributes_, request.expression_attributes);
    } else if (name == "ExpressionAttributeValues") {
      reader.attribute_values(attributes_, request.expression_attributes);
    } else if (name == "ExclusiveStartKey") {
      request.exclusive_start_key = reader.exclusive_start_key(start_key_);
    } else if (name == "ReturnConsumedCapacity") {
      raw.return_consumed_capacity = reader.text();
    } else if (name == "AttributesToGet") {
      request.attributes_to_get =
          read_attributes_to_get(reader, "attributesToGet", raw.attributes_to_get);
    } else if (name == "ConditionalOperator") {
      request.conditional_operator = read_conditional_operator(reader, raw.conditional_operator);
    } else if (!read_own_member(reader, name, raw, request)) {
      reader.skip();
    }
  }
  PARTITA_CHECK(reader.finish_json());
  PARTITA_CHECK(check_item_table_name(raw.table_name));
  PARTITA_CHECK(check_page_members(raw, request));
  request.table_name = *raw.table_name;
  value_faults_ = reader.value_faults();
  if (value_faults_) request.value_faults = &*value_faults_;
  return {};
}

template class PageMessage<QueryRequest>;
template class PageMessage<ScanRequest>;

void encode(JsonWriter& json, const PageResponse& response) {
  json.begin_object();
  encode_member(json, response.consumed_capacity);
  json.integer_member("Count", response.count);
  if (response.items_wanted) {
    json.member("Items");
    json.begin_array();
    for (std::size_t i = 0; i < response.items.size(); ++i) {
      json.element();
      write_json(json, response.items[i]);
    }
    json.end_array();
  }
  if (response.last_evaluated_key) {
    json.member("LastEvaluatedKey");
    write_json(json, response.last_evaluated_key->view());
  }
  json.integer_member("ScannedCount", response.scanned_count);
  json.end_object();
}

}  // namespace partita
