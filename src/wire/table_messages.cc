#include "wire/table_messages.h"

#include "formats/json_reader.h"
#include "formats/typed_json.h"
#include "wire/enum_names.h"
#include "wire/kept_elements.h"
#include "wire/shape_rules.h"
#include "wire/table_members.h"

namespace partita {

namespace {

using namespace table_members;

constexpr std::int32_t kListTablesLimitMax = 100;

// What CreateTable and UpdateTable both take.
struct RawTable {
  Text table_name;
  std::optional<std::vector<RawAttribute>> attribute_definitions;
  Text billing_mode;
  std::optional<RawThroughput> provisioned_throughput;
  std::optional<RawStream> stream;
  std::optional<RawSse> sse;
  Text table_class;
  std::optional<bool> deletion_protection_enabled;
  std::optional<OnDemandThroughput> on_demand_throughput;
  std::optional<WarmThroughput> warm_throughput;
};

// False if `name` is a member of only one of them, or of none.
bool read_shared_member(JsonReader& json, std::string_view name, RawTable& raw) {
  if (name == "TableName") {
    raw.table_name = read_text(json);
  } else if (name == "AttributeDefinitions") {
    raw.attribute_definitions = read_attribute_definitions(json);
  } else if (name == "BillingMode") {
    raw.billing_mode = read_text(json);
  } else if (name == "ProvisionedThroughput") {
    raw.provisioned_throughput = read_provisioned_throughput(json);
  } else if (name == "StreamSpecification") {
    raw.stream = read_stream(json);
  } else if (name == "SSESpecification") {
    raw.sse = read_sse(json);
  } else if (name == "TableClass") {
    raw.table_class = read_text(json);
  } else if (name == "DeletionProtectionEnabled") {
    raw.deletion_protection_enabled = read_truth(json);
  } else if (name == "OnDemandThroughput") {
    raw.on_demand_throughput = read_on_demand_throughput(json);
  } else if (name == "WarmThroughput") {
    raw.warm_throughput = read_warm_throughput(json);
  } else {
    return false;
  }
  return true;
}

// Billing and throughput come before what an operation has for itself, the rest after it.
template <typename Request>
void check_billing(ShapeRules& rules, const RawTable& raw, Request& request) {
  request.billing_mode = rules.word("billingMode", raw.billing_mode, kBillingMode);
  request.provisioned_throughput =
      checked_throughput(rules, "provisionedThroughput", raw.provisioned_throughput);
}

template <typename Request>
void check_settings(ShapeRules& rules, const RawTable& raw, Request& request) {
  request.stream_specification = checked_stream(rules, raw.stream);
  request.sse_specification = checked_sse(rules, raw.sse);
  request.deletion_protection_enabled = raw.deletion_protection_enabled;
  request.on_demand_throughput = raw.on_demand_throughput;
  request.warm_throughput = raw.warm_throughput;
}

// Told by itself, not among the others.
template <typename Request>
Result<void> check_table_class(const RawTable& raw, Request& request) {
  ShapeRules words;
  request.table_class = words.word("tableClass", raw.table_class, kTableClass);
  if (words.check()) return {};
  return Error::validation(
      "Invalid table-class parameter provided. Please try again with a valid table-class value: "
      "[STANDARD, STANDARD_INFREQUENT_ACCESS].");
}

}  // namespace

// ---- CreateTable

template <>
Result<void> TableMessage<CreateTableRequest>::decode(std::string_view body) {
  RawTable raw;
  std::optional<std::vector<RawAttribute>> key_schema;
  std::optional<std::vector<RawIndex>> local_indexes;
  std::optional<std::vector<RawIndex>> global_indexes;
  std::optional<std::vector<RawTag>> tags;
  JsonReader json(memory_);
  read_request(json, body, [&](std::string_view name) {
    if (name == "KeySchema") {
      key_schema = read_key_schema(json);
    } else if (name == "LocalSecondaryIndexes") {
      local_indexes = read_indexes(json, "LocalSecondaryIndex");
    } else if (name == "GlobalSecondaryIndexes") {
      global_indexes = read_indexes(json, "GlobalSecondaryIndex");
    } else if (name == "Tags") {
      tags = read_tags(json);
    } else if (name == "ResourcePolicy") {
      request.resource_policy = std::string(read_text(json));
    } else if (!read_shared_member(json, name, raw)) {
      json.skip_value();
    }
  });
  PARTITA_CHECK(json.finish());
  PARTITA_CHECK(check_table_name(raw.table_name));
  request.table_name = *raw.table_name;

  ShapeRules rules;
  rules.not_null("attributeDefinitions", raw.attribute_definitions.has_value());
  if (raw.attribute_definitions) {
    request.attribute_definitions = checked_definitions(rules, *raw.attribute_definitions);
  }
  check_billing(rules, raw, request);
  request.key_schema = checked_key_schema(rules, "keySchema", key_schema, kTableKeyElementsMax);
  if (local_indexes) {
    auto& indexes = request.local_secondary_indexes.emplace();
    for (std::size_t i = 0; i < local_indexes->size(); ++i) {
      indexes.push_back(
          checked_local_index(rules, member_path("localSecondaryIndexes", i), (*local_indexes)[i]));
    }
  }
  if (global_indexes) {
    auto& indexes = request.global_secondary_indexes.emplace();
    for (std::size_t i = 0; i < global_indexes->size(); ++i) {
      indexes.push_back(checked_global_index(rules, member_path("globalSecondaryIndexes", i),
                                             (*global_indexes)[i]));
    }
  }
  check_settings(rules, raw, request);
  PARTITA_CHECK(rules.check());
  PARTITA_CHECK(check_table_class(raw, request));
  if (tags) {
    PARTITA_TRY(request.tags, checked_tags(*tags));
  }
  return {};
}

// ---- UpdateTable

namespace {

struct RawIndexUpdate {
  std::optional<RawIndex> create;
  std::optional<RawIndex> update;
  std::optional<RawIndex> remove;
};

RawIndex read_index_action(JsonReader& json, std::string_view structure_class) {
  enter_member_structure(json, structure_class);
  return read_index_members(json);
}

std::vector<RawIndexUpdate> read_index_updates(JsonReader& json) {
  std::vector<RawIndexUpdate> updates;
  enter_list(json);
  while (json.next_element()) {
    RawIndexUpdate& update = next_place(updates);
    if (json.read_null()) continue;
    enter_element_structure(json, "com.amazonaws.dynamodb.v20120810.GlobalSecondaryIndexUpdate");
    for (std::string_view name; json.next_member(name);) {
      if (json.read_null()) continue;
      if (name == "Create") {
        update.create = read_index_action(
            json, "com.amazonaws.dynamodb.v20120810.CreateGlobalSecondaryIndexAction");
      } else if (name == "Update") {
        update.update = read_index_action(
            json, "com.amazonaws.dynamodb.v20120810.UpdateGlobalSecondaryIndexAction");
      } else if (name == "Delete") {
        update.remove = read_index_action(
            json, "com.amazonaws.dynamodb.v20120810.DeleteGlobalSecondaryIndexAction");
      } else {
        json.skip_value();
      }
    }
  }
  return updates;
}

GlobalSecondaryIndexUpdate checked_index_update(ShapeRules& rules, const std::string& path,
                                                const RawIndexUpdate& raw) {
  GlobalSecondaryIndexUpdate update;
  if (raw.update) {
    const std::string action = path + ".update";
    GlobalSecondaryIndexThroughputUpdate& changed = update.update.emplace();
    changed.index_name = checked_index_name(rules, action + ".indexName", raw.update->name);
    changed.provisioned_throughput = checked_throughput(rules, action + ".provisionedThroughput",
                                                        raw.update->provisioned_throughput);
    changed.on_demand_throughput = raw.update->on_demand_throughput;
    changed.warm_throughput = raw.update->warm_throughput;
  }
  if (raw.create) update.create = checked_global_index(rules, path + ".create", *raw.create);
  if (raw.remove) {
    update.delete_index_name =
        checked_index_name(rules, path + ".delete.indexName", raw.remove->name);
  }
  return update;
}

}  // namespace

template <>
Result<void> TableMessage<UpdateTableRequest>::decode(std::string_view body) {
  RawTable raw;
  std::optional<std::vector<RawIndexUpdate>> updates;
  JsonReader json(memory_);
  read_request(json, body, [&](std::string_view name) {
    if (name == "GlobalSecondaryIndexUpdates") {
      updates = read_index_updates(json);
    } else if (!read_shared_member(json, name, raw)) {
      json.skip_value();
    }
  });
  PARTITA_CHECK(json.finish());
  PARTITA_CHECK(check_table_name(raw.table_name));
  request.table_name = *raw.table_name;

  ShapeRules rules;
  if (raw.attribute_definitions) {
    request.attribute_definitions = checked_definitions(rules, *raw.attribute_definitions);
  }
  check_billing(rules, raw, request);
  if (updates) {
    auto& checked = request.global_secondary_index_updates.emplace();
    for (std::size_t i = 0; i < updates->size(); ++i) {
      checked.push_back(checked_index_update(rules, member_path("globalSecondaryIndexUpdates", i),
                                             (*updates)[i]));
    }
  }
  check_settings(rules, raw, request);
  PARTITA_CHECK(rules.check());
  return check_table_class(raw, request);
}

// ---- Requests for one table, ListTables

namespace {

// The request has a TableName and nothing else.
Result<std::string> decode_table_name(std::string_view body, std::pmr::memory_resource* memory) {
  Text table_name;
  JsonReader json(memory);
  read_request(json, body, [&](std::string_view name) {
    if (name == "TableName") {
      table_name = read_text(json);
    } else {
      json.skip_value();
    }
  });
  PARTITA_CHECK(json.finish());
  PARTITA_CHECK(check_table_name(table_name));
  return std::string(*table_name);
}

}  // namespace

template <>
Result<void> TableMessage<DescribeTableRequest>::decode(std::string_view body) {
  PARTITA_TRY(request.table_name, decode_table_name(body, memory_));
  return {};
}

template <>
Result<void> TableMessage<DeleteTableRequest>::decode(std::string_view body) {
  PARTITA_TRY(request.table_name, decode_table_name(body, memory_));
  return {};
}

template <>
Result<void> TableMessage<UpdateTimeToLiveRequest>::decode(std::string_view body) {
  Text table_name;
  std::optional<RawTimeToLive> raw;
  JsonReader json(memory_);
  read_request(json, body, [&](std::string_view name) {
    if (name == "TableName") {
      table_name = read_text(json);
    } else if (name == "TimeToLiveSpecification") {
      raw = read_time_to_live(json);
    } else {
      json.skip_value();
    }
  });
  PARTITA_CHECK(json.finish());
  PARTITA_CHECK(check_table_name(table_name));
  request.table_name = std::string(*table_name);
  ShapeRules rules;
  rules.not_null("timeToLiveSpecification", raw.has_value());
  if (raw) {
    rules.not_null("timeToLiveSpecification.attributeName", raw->attribute_name.has_value());
    if (raw->attribute_name) {
      rules.length("timeToLiveSpecification.attributeName", *raw->attribute_name, 1, 255);
    }
    rules.not_null("timeToLiveSpecification.enabled", raw->enabled.has_value());
  }
  PARTITA_CHECK(rules.check());
  request.time_to_live_specification = {*raw->enabled, std::string(*raw->attribute_name)};
  return {};
}

template <>
Result<void> TableMessage<DescribeTimeToLiveRequest>::decode(std::string_view body) {
  PARTITA_TRY(request.table_name, decode_table_name(body, memory_));
  return {};
}

template <>
Result<void> TableMessage<DescribeContinuousBackupsRequest>::decode(std::string_view body) {
  PARTITA_TRY(request.table_name, decode_table_name(body, memory_));
  return {};
}

template <>
Result<void> TableMessage<ListTablesRequest>::decode(std::string_view body) {
  JsonReader json(memory_);
  read_request(json, body, [&](std::string_view name) {
    if (name == "ExclusiveStartTableName") {
      request.exclusive_start_table_name = std::string(read_text(json));
    } else if (name == "Limit") {
      request.limit = read_integer(json);
    } else {
      json.skip_value();
    }
  });
  PARTITA_CHECK(json.finish());
  ShapeRules rules;
  if (request.limit) rules.range("limit", *request.limit, 1, kListTablesLimitMax);
  if (request.exclusive_start_table_name) {
    rules.resource_name("exclusiveStartTableName", *request.exclusive_start_table_name);
  }
  return rules.check();
}

}  // namespace partita
