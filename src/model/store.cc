#include <algorithm>
#include <thread>

#include "partita/model/partition_monitor.h"
#include "partita/model/table.h"

namespace partita::model {
namespace {

void define_attribute(const KeyAttribute& attribute,
                      std::vector<AttributeDefinition>& definitions) {
  for (const AttributeDefinition& definition : definitions) {
    if (definition.name == attribute.name) return;
  }
  definitions.push_back({std::string(attribute.name), attribute.type});
}

std::vector<KeySchemaElement> key_schema(const KeyAttributes& partition,
                                         const KeyAttributes& sort) {
  std::vector<KeySchemaElement> schema;
  for (std::size_t i = 0; i < partition.count; ++i) {
    schema.push_back({std::string(partition.all[i].name), KeyType::Hash});
  }
  for (std::size_t i = 0; i < sort.count; ++i) {
    schema.push_back({std::string(sort.all[i].name), KeyType::Range});
  }
  return schema;
}

partita::Projection projection(const IndexShape& index) {
  partita::Projection projection;
  projection.type = index.projection;
  for (std::string_view rest = index.included; !rest.empty();) {
    const std::size_t comma = rest.find(',');
    projection.non_key_attributes.emplace_back(rest.substr(0, comma));
    rest.remove_prefix(comma == std::string_view::npos ? rest.size() : comma + 1);
  }
  projection.has_non_key_attributes = !projection.non_key_attributes.empty();
  return projection;
}

void add_index(const IndexShape& index, CreateTableRequest& request) {
  for (const KeyAttributes* keys : {&index.partition, &index.sort}) {
    for (std::size_t i = 0; i < keys->count; ++i) {
      define_attribute(keys->all[i], request.attribute_definitions);
    }
  }
  if (index.local) {
    if (!request.local_secondary_indexes) request.local_secondary_indexes.emplace();
    request.local_secondary_indexes->push_back(
        {std::string(index.name), key_schema(index.partition, index.sort), projection(index)});
    return;
  }
  if (!request.global_secondary_indexes) request.global_secondary_indexes.emplace();
  GlobalSecondaryIndex& added = request.global_secondary_indexes->emplace_back();
  added.index_name = index.name;
  added.key_schema = key_schema(index.partition, index.sort);
  added.projection = projection(index);
}

template <typename Descriptions>
bool has_index(const Descriptions& descriptions, const std::string& name,
               const std::vector<KeySchemaElement>& schema) {
  return std::any_of(descriptions.begin(), descriptions.end(), [&](const auto& description) {
    return description.index_name == name && description.key_schema == schema;
  });
}

// What the table there lacks of the one declared.
Result<void> check_shape(const TableDescription& there, const CreateTableRequest& declared) {
  const auto differs = [&](const std::string& what) {
    return Error::validation("the table " + there.table_name + " is there, but " + what);
  };
  if (there.key_schema != declared.key_schema) return differs("has other keys than declared");
  for (const auto& index :
       declared.global_secondary_indexes.value_or(std::vector<GlobalSecondaryIndex>())) {
    if (!has_index(there.global_secondary_indexes, index.index_name, index.key_schema)) {
      return differs("lacks the global index " + index.index_name +
                     " or has it with other keys; add_missing_indexes() adds it");
    }
  }
  for (const auto& index :
       declared.local_secondary_indexes.value_or(std::vector<LocalSecondaryIndex>())) {
    if (!has_index(there.local_secondary_indexes, index.index_name, index.key_schema)) {
      return differs("lacks the local index " + index.index_name + " or has it with other keys");
    }
  }
  return {};
}

constexpr std::chrono::milliseconds kFirstPause{5}, kPauseMax{1000};
constexpr int kLooksMax = 130;  // about two minutes

// DynamoDB answers a CreateTable or UpdateTable before it is done.
Result<TableDescription> wait_until_active(Api& api, const std::string& table_name) {
  std::chrono::milliseconds pause = kFirstPause;
  for (int look = 0; look < kLooksMax; ++look) {
    if (look != 0) std::this_thread::sleep_for(pause);
    if (look != 0) pause = std::min(2 * pause, kPauseMax);
    PARTITA_TRY(TableDescription table, api.describe_table({.table_name = table_name}));
    if (table.table_status == TableStatus::Active) return table;
  }
  return Error(ErrorCode::ResourceInUse, "the table " + table_name + " does not become active");
}

Result<void> switch_on_expiry(Api& api, const std::string& table_name, std::string_view attribute) {
  PARTITA_TRY(const TimeToLiveDescription there,
              api.describe_time_to_live({.table_name = table_name}));
  const bool on =
      there.status == TimeToLiveStatus::Enabled || there.status == TimeToLiveStatus::Enabling;
  if (on && there.attribute_name == attribute) return {};
  if (on) {
    return Error::validation("the table " + table_name + " is there, but its items expire by " +
                             there.attribute_name);
  }
  UpdateTimeToLiveRequest request;
  request.table_name = table_name;
  request.time_to_live_specification = {true, std::string(attribute)};
  PARTITA_CHECK(api.update_time_to_live(request));
  return {};
}

constexpr StreamSpecification kStreamed{true, StreamViewType::NewAndOldImages};

Result<void> switch_on_stream(Api& api, const TableDescription& there) {
  if (there.stream_specification && there.stream_specification->stream_enabled) {
    if (there.stream_specification->stream_view_type == kStreamed.stream_view_type) return {};
    return Error::validation("the table " + there.table_name +
                             " is there, but its stream does not keep old and new images");
  }
  UpdateTableRequest request;
  request.table_name = there.table_name;
  request.stream_specification = kStreamed;
  PARTITA_CHECK(api.update_table(request));
  PARTITA_CHECK(wait_until_active(api, there.table_name));
  return {};
}

Result<void> wait_until_gone(Api& api, const std::string& table_name) {
  std::chrono::milliseconds pause = kFirstPause;
  for (int look = 0; look < kLooksMax; ++look) {
    if (look != 0) std::this_thread::sleep_for(pause);
    if (look != 0) pause = std::min(2 * pause, kPauseMax);
    const auto table = api.describe_table({.table_name = table_name});
    if (!table && table.error().code() == ErrorCode::ResourceNotFound) return {};
    if (!table) return Error(table.error().code(), table.error().message());
  }
  return Error(ErrorCode::ResourceInUse, "the table " + table_name + " is still being deleted");
}

bool is_filled(const TableDescription& table, const std::string& index_name) {
  return std::any_of(table.global_secondary_indexes.begin(), table.global_secondary_indexes.end(),
                     [&](const GlobalSecondaryIndexDescription& index) {
                       return index.index_name == index_name &&
                              index.index_status == IndexStatus::Active;
                     });
}

// As long as it takes: a large table takes hours.
Result<void> wait_until_filled(Api& api, const std::string& table_name,
                               const std::string& index_name) {
  for (std::chrono::milliseconds pause = kFirstPause;; pause = std::min(2 * pause, kPauseMax)) {
    PARTITA_TRY(const TableDescription table, api.describe_table({.table_name = table_name}));
    if (is_filled(table, index_name) && table.table_status == TableStatus::Active) return {};
    std::this_thread::sleep_for(pause);
  }
}

// "cup#europe"
void append_text(ValueView value, std::string& text) {
  if (!text.empty()) text += '#';
  if (value.is(ValueType::S)) text += value.string();
  if (value.is(ValueType::N)) text += value.number();
  if (value.is(ValueType::B)) text += value.binary();
}

}  // namespace

void Store::note(std::span<const Value> partition_key) const {
  std::string text;
  for (const Value& value : partition_key) append_text(value, text);
  monitor_->note(text);
}

void Store::note(ItemView item, bool with_indexes) const {
  monitor_->note(item, shape_->partition_key.name);
  for (std::size_t i = 0; with_indexes && i < shape_->index_count; ++i) {
    const IndexShape& index = shape_->indexes[i];
    std::string text;
    bool inside = !index.local;  // a local index has the table's partitions
    for (const KeyAttributes* keys : {&index.partition, &index.sort}) {
      for (std::size_t k = 0; k < keys->count; ++k) {
        const auto value = item.find(keys->all[k].name);
        inside = inside && value;
        if (inside && keys == &index.partition) append_text(*value, text);
      }
    }
    if (inside) monitor_->note(text);
  }
}

Result<std::vector<std::string>> Store::add_missing_indexes() {
  const CreateTableRequest declared = create_request();
  PARTITA_TRY(const TableDescription there, wait_until_active(*api_, table_name_));
  std::vector<std::string> added;
  for (const GlobalSecondaryIndex& index :
       declared.global_secondary_indexes.value_or(std::vector<GlobalSecondaryIndex>())) {
    if (has_index(there.global_secondary_indexes, index.index_name, index.key_schema)) continue;
    UpdateTableRequest request;
    request.table_name = table_name_;
    request.attribute_definitions.emplace();
    for (const AttributeDefinition& definition : declared.attribute_definitions) {
      const auto names = [&](const KeySchemaElement& key) { return key.name == definition.name; };
      if (std::any_of(index.key_schema.begin(), index.key_schema.end(), names)) {
        request.attribute_definitions->push_back(definition);
      }
    }
    request.global_secondary_index_updates.emplace().push_back({.create = index});
    PARTITA_CHECK(api_->update_table(request));
    PARTITA_CHECK(wait_until_filled(*api_, table_name_, index.index_name));
    added.push_back(index.index_name);
  }
  return added;
}

Result<void> Store::drop() {
  PARTITA_CHECK(api_->delete_table({.table_name = table_name_}));
  return wait_until_gone(*api_, table_name_);
}

CreateTableRequest Store::create_request() const {
  CreateTableRequest request;
  request.table_name = table_name_;
  request.billing_mode = BillingMode::PayPerRequest;
  KeyAttributes partition, sort;
  partition.all[partition.count++] = shape_->partition_key;
  define_attribute(shape_->partition_key, request.attribute_definitions);
  if (!shape_->sort_key.name.empty()) {
    sort.all[sort.count++] = shape_->sort_key;
    define_attribute(shape_->sort_key, request.attribute_definitions);
  }
  request.key_schema = key_schema(partition, sort);
  for (std::size_t i = 0; i < shape_->index_count; ++i) add_index(shape_->indexes[i], request);
  if (shape_->streamed) request.stream_specification = kStreamed;
  return request;
}

Result<void> Store::create_if_missing() {
  const CreateTableRequest request = create_request();
  const auto created = api_->create_table(request);
  if (!created && created.error().code() != ErrorCode::ResourceInUse) {
    return Error(created.error().code(), created.error().message());
  }
  PARTITA_TRY(const TableDescription there, wait_until_active(*api_, table_name_));
  if (!created) PARTITA_CHECK(check_shape(there, request));
  if (shape_->streamed) PARTITA_CHECK(switch_on_stream(*api_, there));
  if (!shape_->ttl.empty()) PARTITA_CHECK(switch_on_expiry(*api_, table_name_, shape_->ttl));
  return {};
}

}  // namespace partita::model
