#include <algorithm>

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
      return differs("lacks the global index " + index.index_name + " or has it with other keys");
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

}  // namespace

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
  return request;
}

Result<void> Store::create_if_missing() {
  const CreateTableRequest request = create_request();
  const auto created = api_->create_table(request);
  if (created) return {};
  if (created.error().code() != ErrorCode::ResourceInUse) {
    return Error(created.error().code(), created.error().message());
  }
  PARTITA_TRY(const TableDescription there, api_->describe_table({.table_name = table_name_}));
  return check_shape(there, request);
}

}  // namespace partita::model
