#include "wire/transaction_messages.h"

#include "formats/value_json.h"
#include "wire/batch_messages.h"
#include "wire/enum_names.h"
#include "wire/kept_elements.h"

namespace partita {

namespace {

using Kind = TransactWrite::Kind;
using Text = std::optional<std::string_view>;

constexpr std::size_t kTokenLengthMax = 36;

struct ActionName {
  std::string_view text;  // as a member
  std::string_view path;  // as AWS names it in messages
  std::string_view structure;
  Kind kind;
};
constexpr ActionName kActions[] = {
    {"Put", "put", "com.amazonaws.dynamodb.v20120810.Put", Kind::Put},
    {"Update", "update", "com.amazonaws.dynamodb.v20120810.Update", Kind::Update},
    {"Delete", "delete", "com.amazonaws.dynamodb.v20120810.Delete", Kind::Delete},
    {"ConditionCheck", "conditionCheck", "com.amazonaws.dynamodb.v20120810.ConditionCheck",
     Kind::ConditionCheck},
};

const ActionName* find_action(std::string_view name) {
  for (const ActionName& action : kActions) {
    if (action.text == name) return &action;
  }
  return nullptr;
}

const ActionName& name_of(Kind kind) {
  for (const ActionName& action : kActions) {
    if (action.kind == kind) return action;
  }
  __builtin_unreachable();
}

// "transactItems.3.member.put."
std::string path_of(std::size_t number, std::string_view action) {
  return "transactItems." + std::to_string(number) + ".member." + std::string(action) + ".";
}

void check_table_name(ShapeRules& rules, const std::string& path, const Text& name) {
  rules.not_null(path + "tableName", name.has_value());
  if (name) rules.length(path + "tableName", *name, 1, kTableNameLengthMax);
}

// How many there are. AWS shows all of them in a form of its own.
void check_count(ShapeRules& rules, bool given, std::size_t count) {
  rules.not_null("transactItems", given);
  if (given) {
    rules.list_length("transactItems", count, 1, kTransactionActionsMax,
                      count == 0 ? "[]" : "[" + std::to_string(count) + " actions]");
  }
}

}  // namespace

// ---- TransactWriteItems

void TransactWriteItemsMessage::read_action(RequestReader& reader, Kind kind) {
  const ActionName& action_name = name_of(kind);
  const std::string_view item_member = kind == Kind::Put ? "Item" : "Key";
  TransactWrite& action = actions_.back();
  action = TransactWrite();
  action.kind = kind;
  AttributeStore* store = nullptr;
  const auto stored = [&]() -> AttributeStore& {
    if (store == nullptr) store = &attributes_.emplace_back(memory_);
    return *store;
  };
  Text table_name, on_failure;
  bool item_given = false;
  reader.enter_member(action_name.structure);
  for (std::string_view name; reader.next_member(name);) {
    if (name == "TableName") {
      table_name = reader.text();
    } else if (name == item_member) {
      action.item = reader.next_item();
      item_given = true;
    } else if (name == "ConditionExpression") {
      action.condition_expression = reader.text();
    } else if (name == "UpdateExpression" && kind == Kind::Update) {
      action.update_expression = reader.text();
    } else if (name == "ExpressionAttributeNames") {
      reader.attribute_names(stored(), action.expression_attributes);
    } else if (name == "ExpressionAttributeValues") {
      reader.attribute_values(stored(), action.expression_attributes);
    } else if (name == "ReturnValuesOnConditionCheckFailure") {
      on_failure = reader.text();
    } else {
      reader.skip();
    }
  }
  action.table_name = table_name.value_or("");
  const bool expression_missing = (kind == Kind::Update && !action.update_expression) ||
                                  (kind == Kind::ConditionCheck && !action.condition_expression);
  if (table_name && !table_name->empty() && table_name->size() <= kTableNameLengthMax &&
      item_given && !on_failure && !expression_missing) [[likely]] {
    return;
  }
  const std::string path = path_of(actions_.size(), action_name.path);
  check_table_name(action_rules_, path, table_name);
  action_rules_.not_null(path + (kind == Kind::Put ? "item" : "key"), item_given);
  action_rules_.not_null(path + (kind == Kind::Update ? "updateExpression" : "conditionExpression"),
                         !expression_missing);
  action.return_values_on_condition_check_failure =
      action_rules_
          .word(path + "returnValuesOnConditionCheckFailure", on_failure,
                kReturnValuesOnConditionCheckFailure)
          .value_or(ReturnValuesOnConditionCheckFailure::None);
}

// One of TransactItems: it has exactly one action.
void TransactWriteItemsMessage::read_element(RequestReader& reader) {
  next_place(actions_);
  int count = 0;
  reader.enter_structure("com.amazonaws.dynamodb.v20120810.TransactWriteItem");
  for (std::string_view name; reader.next_member(name);) {
    if (const ActionName* const action = find_action(name)) {
      ++count;
      read_action(reader, action->kind);
    } else {
      reader.skip();
    }
  }
  if (count == 1 || wrong_choice_) return;
  wrong_choice_ = Error::validation(
      count == 0
          ? "Invalid Request: TransactWriteRequest should contain Delete or Put or Update request"
          : "TransactItems can only contain one of Check, Put, Update or Delete");
}

Result<void> TransactWriteItemsMessage::decode(std::string_view body) {
  RequestReader reader(body, memory_);
  Text token, return_consumed_capacity, return_item_collection_metrics;
  bool items_given = false;
  for (std::string_view name; reader.next_member(name);) {
    if (name == "TransactItems") {
      items_given = true;
      actions_.clear();
      reader.enter_list();
      while (reader.next_element()) read_element(reader);
    } else if (name == "ClientRequestToken") {
      token = reader.text();
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
  check_count(rules, items_given, actions_.size());
  rules.add(action_rules_);
  if (token) rules.length("clientRequestToken", *token, 1, kTokenLengthMax);
  PARTITA_CHECK(rules.check());
  if (wrong_choice_) return *std::move(wrong_choice_);
  request.transact_items = actions_;
  request.client_request_token = token;
  return reader.finish_values();
}

// ---- TransactGetItems

void TransactGetItemsMessage::read_element(RequestReader& reader) {
  TransactGet& action = next_place(actions_);
  bool given = false, key_given = false;
  Text table_name;
  reader.enter_structure("com.amazonaws.dynamodb.v20120810.TransactGetItem");
  for (std::string_view member; reader.next_member(member);) {
    if (member != "Get") {
      reader.skip();
      continue;
    }
    given = true;
    reader.enter_member("com.amazonaws.dynamodb.v20120810.Get");
    for (std::string_view name; reader.next_member(name);) {
      if (name == "TableName") {
        table_name = reader.text();
      } else if (name == "Key") {
        action.key = reader.next_item();
        key_given = true;
      } else if (name == "ProjectionExpression") {
        action.projection_expression = reader.text();
      } else if (name == "ExpressionAttributeNames") {
        reader.attribute_names(attributes_.emplace_back(memory_), action.expression_attributes);
      } else {
        reader.skip();
      }
    }
  }
  if (!given) {
    action_rules_.not_null("transactItems." + std::to_string(actions_.size()) + ".member.get",
                           false);
    return;
  }
  const std::string path = path_of(actions_.size(), "get");
  check_table_name(action_rules_, path, table_name);
  action_rules_.not_null(path + "key", key_given);
  action.table_name = table_name.value_or("");
}

Result<void> TransactGetItemsMessage::decode(std::string_view body) {
  RequestReader reader(body, memory_);
  Text return_consumed_capacity;
  bool items_given = false;
  for (std::string_view name; reader.next_member(name);) {
    if (name == "TransactItems") {
      items_given = true;
      actions_.clear();
      reader.enter_list();
      while (reader.next_element()) read_element(reader);
    } else if (name == "ReturnConsumedCapacity") {
      return_consumed_capacity = reader.text();
    } else {
      reader.skip();
    }
  }
  PARTITA_CHECK(reader.finish_json());
  ShapeRules rules;
  request.return_consumed_capacity = consumed_capacity_wanted(rules, return_consumed_capacity);
  check_count(rules, items_given, actions_.size());
  rules.add(action_rules_);
  PARTITA_CHECK(rules.check());
  request.transact_items = actions_;
  return reader.finish_values();
}

// ---- Answers

void encode(JsonWriter& json, const TransactWriteItemsResponse& response) {
  json.begin_object();
  encode_member(json, response.consumed_capacity);
  encode_member(json, response.item_collection_metrics);
  json.end_object();
}

void encode(JsonWriter& json, const TransactGetItemsResponse& response) {
  json.begin_object();
  encode_member(json, response.consumed_capacity);
  json.member("Responses");
  json.begin_array();
  for (const std::optional<Item>& item : response.responses) {
    json.element();
    json.begin_object();
    if (item) {
      json.member("Item");
      write_json(json, item->view());
    }
    json.end_object();
  }
  json.end_array();
  json.end_object();
}

}  // namespace partita
