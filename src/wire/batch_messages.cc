#include "wire/batch_messages.h"

#include <algorithm>
#include <string>

#include "formats/value_json.h"
#include "wire/enum_names.h"
#include "wire/item_messages.h"
#include "wire/kept_elements.h"
#include "wire/legacy_members.h"

namespace partita {

namespace {

constexpr std::size_t kKeysMax = 100;
constexpr std::size_t kWritesMax = 25;
constexpr std::size_t kShownBytesMax = 1024;

using Text = std::optional<std::string_view>;

// The place of a table that was named, perhaps for the second time: then the last one counts. More
// tables than a batch has places for items are not looked for among all there are, nor kept.
template <typename Table>
Table& table_named(std::pmr::vector<Table>& tables, std::string_view name) {
  const auto known = std::find_if(tables.begin(), tables.end(),
                                  [&](const Table& table) { return table.table_name == name; });
  const bool kept = known != tables.end() || tables.size() <= kKeysMax;
  Table& table = known != tables.end() ? *known : kept ? tables.emplace_back() : tables.back();
  table = Table{};
  table.table_name = name;
  return table;
}

template <typename Table>
void check_table_names(ShapeRules& rules, const std::pmr::vector<Table>& tables,
                       std::string_view shown) {
  const bool good = std::all_of(tables.begin(), tables.end(), [](const Table& table) {
    return !table.table_name.empty() && table.table_name.size() <= kTableNameLengthMax;
  });
  if (good) return;
  rules.violated("requestItems", shown,
                 "Map keys must satisfy constraint: [Member must have length less than or equal to "
                 "1024, Member must have length greater than or equal to 1]");
}

// AWS's present validator of BatchGetItem shows no value and spells members as the API does
// (recorded by the conformance suite of Dynoxide).
void keys_violated(ShapeRules& rules, std::string_view table_name, std::string_view constraint) {
  rules.violated_as(std::string("Value at 'RequestItems.")
                        .append(table_name)
                        .append(".member.Keys' failed to satisfy constraint: ")
                        .append(constraint));
}

std::string listed_names(const std::pmr::vector<KeysAndAttributes>& tables) {
  std::string list = "{";
  for (const KeysAndAttributes& table : tables) {
    list.append(list.size() == 1 ? "" : ", ").append(table.table_name);
  }
  return list + "}";
}

}  // namespace

// ---- BatchGetItem

void BatchGetItemMessage::read_table(RequestReader& reader, std::string_view table_name) {
  KeysAndAttributes& table = table_named(tables_, table_name);
  reader.enter_structure("com.amazonaws.dynamodb.v20120810.KeysAndAttributes");
  for (std::string_view name; reader.next_member(name);) {
    if (name == "Keys") {
      std::pmr::vector<ItemView>& keys = keys_.emplace_back();
      // Some, so that a list without keys is told from none; few if there are more such lists than
      // a batch may have.
      keys.reserve(keys_.size() <= kKeysMax ? kKeysMax : 1);
      reader.enter_list();
      while (reader.next_element()) {
        reader.check_nested_collection();
        next_place(keys) = reader.next_item();
      }
      table.keys = keys;
    } else if (name == "ConsistentRead") {
      table.consistent_read = reader.truth();
    } else if (name == "ProjectionExpression") {
      table.projection_expression = reader.text();
    } else if (name == "AttributesToGet") {
      const std::string path =
          std::string("requestItems.").append(table_name).append(".member.attributesToGet");
      table.attributes_to_get = read_attributes_to_get(reader, path, attributes_to_get_rules_);
    } else if (name == "ExpressionAttributeNames") {
      reader.attribute_names(attributes_.emplace_back(memory_), table.expression_attributes);
    } else {
      reader.skip();
    }
  }
}

void BatchGetItemMessage::check_tables(ShapeRules& rules) const {
  check_table_names(rules, tables_, listed_names(tables_));
  for (const KeysAndAttributes& table : tables_) {
    if (table.keys.data() == nullptr) {
      keys_violated(rules, table.table_name, "Member must not be null");
    } else if (table.keys.empty()) {
      keys_violated(rules, table.table_name, "Member must have length greater than or equal to 1");
    } else if (table.keys.size() > kKeysMax) {
      keys_violated(rules, table.table_name, "Member must have length less than or equal to 100");
    }
  }
}

Result<void> BatchGetItemMessage::decode(std::string_view body) {
  RequestReader reader(body, memory_);
  Text return_consumed_capacity;
  for (std::string_view name; reader.next_member(name);) {
    if (name == "RequestItems") {
      reader.enter_map("com.amazonaws.dynamodb.v20120810.KeysAndAttributes");
      for (std::string_view table_name; reader.next_member(table_name);) {
        read_table(reader, table_name);
      }
    } else if (name == "ReturnConsumedCapacity") {
      return_consumed_capacity = reader.text();
    } else {
      reader.skip();
    }
  }
  PARTITA_CHECK(reader.finish_json());
  ShapeRules rules;
  request.return_consumed_capacity = consumed_capacity_wanted(rules, return_consumed_capacity);
  check_tables(rules);
  rules.add(attributes_to_get_rules_);
  PARTITA_CHECK(rules.check());
  request.request_items = tables_;
  Result<void> values = reader.finish_values();
  // The operation refuses both together, which AWS does before it looks at attribute values.
  if (!values.has_value() && std::any_of(tables_.begin(), tables_.end(), [](const auto& table) {
        return table.projection_expression && table.attributes_to_get;
      })) {
    return {};
  }
  return values;
}

// ---- BatchWriteItem

WriteRequest BatchWriteItemMessage::read_write(RequestReader& reader, std::string_view table_name,
                                               std::size_t number) {
  WriteRequest write;
  bool put_given = false, delete_given = false;
  reader.enter_structure("com.amazonaws.dynamodb.v20120810.WriteRequest");
  for (std::string_view kind; reader.next_member(kind);) {
    const bool put = kind == "PutRequest";
    if (!put && kind != "DeleteRequest") {
      reader.skip();
      continue;
    }
    (put ? put_given : delete_given) = true;
    reader.enter_member(put ? "com.amazonaws.dynamodb.v20120810.PutRequest"
                            : "com.amazonaws.dynamodb.v20120810.DeleteRequest");
    for (std::string_view name; reader.next_member(name);) {
      if (name == (put ? "Item" : "Key")) {
        (put ? write.put_item : write.delete_key) = reader.next_item();
      } else {
        reader.skip();
      }
    }
  }
  const auto path = [&](std::string_view member) {
    return std::string("requestItems.").append(table_name).append(".member.") +
           std::to_string(number) + ".member." + std::string(member);
  };
  if (absent_.size() == ShapeRules::kViolationsToldMax) return write;
  if (delete_given && !write.delete_key) absent_.push_back(path("deleteRequest.key"));
  if (put_given && !write.put_item) absent_.push_back(path("putRequest.item"));
  return write;
}

void BatchWriteItemMessage::read_table(RequestReader& reader, std::string_view table_name) {
  TableWrites& table = table_named(tables_, table_name);
  std::pmr::vector<WriteRequest>& requests = requests_.emplace_back();
  if (requests_.size() <= kWritesMax) requests.reserve(kWritesMax);
  reader.check_nested_collection();
  reader.enter_list();
  while (reader.next_element()) {
    const WriteRequest write = read_write(reader, table_name, requests.size() + 1);
    next_place(requests) = write;
  }
  table.requests = requests;
}

// AWS shows the whole request in a form of its own; ours is shorter.
std::string BatchWriteItemMessage::shown() const {
  std::string text = "{";
  for (const TableWrites& table : tables_) {
    text.append(text.size() == 1 ? "" : ", ").append(table.table_name).append("=[");
    for (const WriteRequest& write : table.requests) {
      if (text.back() != '[') text.append(", ");
      if (text.size() > kShownBytesMax) {
        text.append("...");
        break;
      }
      text.append(write.put_item ? "PutRequest(" : "DeleteRequest(");
      if (const auto item = write.put_item ? write.put_item : write.delete_key) {
        TextBuffer shown_item;
        {
          JsonWriter json(shown_item);
          write_json(json, *item);
        }
        text.append(shown_item.view().substr(0, kShownBytesMax));
      }
      text.append(")");
    }
    text.append("]");
  }
  return text + "}";
}

void BatchWriteItemMessage::check_tables(ShapeRules& rules) const {
  const bool counts_good = std::all_of(tables_.begin(), tables_.end(), [](const auto& table) {
    return !table.requests.empty() && table.requests.size() <= kWritesMax;
  });
  const bool names_good = std::all_of(tables_.begin(), tables_.end(), [](const auto& table) {
    return !table.table_name.empty() && table.table_name.size() <= kTableNameLengthMax;
  });
  if (!names_good) check_table_names(rules, tables_, shown());
  if (!counts_good) {
    rules.violated("requestItems", shown(),
                   "Map value must satisfy constraint: [Member must have length less than or equal "
                   "to 25, Member must have length greater than or equal to 1]");
  }
  for (const std::string& path : absent_) rules.not_null(path, false);
}

Result<void> BatchWriteItemMessage::decode(std::string_view body) {
  RequestReader reader(body, memory_);
  Text return_consumed_capacity, return_item_collection_metrics;
  for (std::string_view name; reader.next_member(name);) {
    if (name == "RequestItems") {
      reader.enter_map("java.util.List<com.amazonaws.dynamodb.v20120810.WriteRequest>");
      for (std::string_view table_name; reader.next_member(table_name);) {
        read_table(reader, table_name);
      }
    } else if (name == "ReturnConsumedCapacity") {
      return_consumed_capacity = reader.text();
    } else if (name == "ReturnItemCollectionMetrics") {
      return_item_collection_metrics = reader.text();
    } else {
      reader.skip();
    }
  }
  PARTITA_CHECK(reader.finish_json());
  ShapeRules rules;
  request.return_consumed_capacity = consumed_capacity_wanted(rules, return_consumed_capacity);
  request.return_item_collection_metrics =
      item_collection_metrics_wanted(rules, return_item_collection_metrics);
  check_tables(rules);
  PARTITA_CHECK(rules.check());
  request.request_items = tables_;
  return reader.finish_values();
}

// ---- Answers

void encode_member(JsonWriter& json,
                   const std::optional<std::vector<ConsumedCapacity>>& capacities) {
  if (!capacities) return;
  json.member("ConsumedCapacity");
  json.begin_array();
  for (const ConsumedCapacity& capacity : *capacities) {
    json.element();
    encode(json, capacity);
  }
  json.end_array();
}

void encode_member(JsonWriter& json, const std::vector<TableCollectionMetrics>& tables) {
  if (tables.empty()) return;
  json.member("ItemCollectionMetrics");
  json.begin_object();
  for (const TableCollectionMetrics& table : tables) {
    json.key(table.table_name);
    json.begin_array();
    for (const ItemCollectionMetrics& metrics : table.collections) {
      json.element();
      encode(json, metrics);
    }
    json.end_array();
  }
  json.end_object();
}

namespace {

void encode_items(JsonWriter& json, const ItemList& items) {
  json.begin_array();
  for (std::size_t i = 0; i < items.size(); ++i) {
    json.element();
    write_json(json, items[i]);
  }
  json.end_array();
}

void encode_unprocessed(JsonWriter& json, const UnprocessedKeys& left) {
  json.begin_object();
  if (left.consistent_read) {
    json.member("ConsistentRead");
    json.boolean(*left.consistent_read);
  }
  if (!left.expression_attribute_names.empty()) {
    json.member("ExpressionAttributeNames");
    json.begin_object();
    for (const auto& [placeholder, name] : left.expression_attribute_names) {
      json.key(placeholder);
      json.string(name);
    }
    json.end_object();
  }
  if (!left.attributes_to_get.empty()) {
    json.member("AttributesToGet");
    json.begin_array();
    for (const std::string& name : left.attributes_to_get) {
      json.element();
      json.string(name);
    }
    json.end_array();
  }
  json.member("Keys");
  encode_items(json, left.keys);
  if (left.projection_expression) {
    json.member("ProjectionExpression");
    json.string(*left.projection_expression);
  }
  json.end_object();
}

void encode_unprocessed(JsonWriter& json, const UnprocessedWrites& left) {
  json.begin_array();
  for (const UnprocessedWrite& write : left.requests) {
    json.element();
    json.begin_object();
    json.member(write.put ? "PutRequest" : "DeleteRequest");
    json.begin_object();
    json.member(write.put ? "Item" : "Key");
    write_json(json, write.item.view());
    json.end_object();
    json.end_object();
  }
  json.end_array();
}

// Always there, if only as {}.
template <typename Tables>
void encode_unprocessed(JsonWriter& json, std::string_view member, const Tables& tables) {
  json.member(member);
  json.begin_object();
  for (const auto& table : tables) {
    json.key(table.table_name);
    encode_unprocessed(json, table);
  }
  json.end_object();
}

}  // namespace

void encode(JsonWriter& json, const BatchGetItemResponse& response) {
  json.begin_object();
  encode_member(json, response.consumed_capacity);
  json.member("Responses");
  json.begin_object();
  for (const TableItems& table : response.responses) {
    json.key(table.table_name);
    encode_items(json, table.items);
  }
  json.end_object();
  encode_unprocessed(json, "UnprocessedKeys", response.unprocessed_keys);
  json.end_object();
}

void encode(JsonWriter& json, const BatchWriteItemResponse& response) {
  json.begin_object();
  encode_member(json, response.consumed_capacity);
  encode_member(json, response.item_collection_metrics);
  encode_unprocessed(json, "UnprocessedItems", response.unprocessed_items);
  json.end_object();
}

}  // namespace partita
