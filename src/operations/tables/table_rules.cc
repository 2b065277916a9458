#include "operations/tables/table_rules.h"

#include <algorithm>
#include <set>
#include <string_view>

#include "operations/tables/throughput_rules.h"

namespace partita {
namespace {

constexpr std::size_t kLocalIndexesMax = 5;
constexpr std::size_t kGlobalIndexesMax = 20;
constexpr std::size_t kIndexKeyAttributesMax = 4;  // of each key type
constexpr std::size_t kNonKeyAttributesPerIndexMax = 20;
constexpr std::size_t kNonKeyAttributesPerTableMax = 100;

using Definitions = std::vector<AttributeDefinition>;
using KeyElements = std::vector<KeySchemaElement>;

bool is_defined(const Definitions& definitions, std::string_view name) {
  return std::any_of(
      definitions.begin(), definitions.end(),
      [name](const AttributeDefinition& definition) { return definition.name == name; });
}

// "[a, b]"
template <typename Named>
std::string list_of_names(const std::vector<Named>& all) {
  std::string list = "[";
  for (const Named& named : all) {
    if (list.size() > 1) list.append(", ");
    list.append(named.name);
  }
  return list.append("]");
}

Result<void> check_all_defined(const KeyElements& keys, const Definitions& definitions) {
  for (const KeySchemaElement& key : keys) {
    if (!is_defined(definitions, key.name)) {
      return invalid_parameters(
          "Some index key attributes are not defined in AttributeDefinitions. Keys: " +
          list_of_names(keys) + ", AttributeDefinitions: " + list_of_names(definitions));
    }
  }
  return {};
}

// A table's or local index's key: one HASH, perhaps one RANGE.
Result<void> check_simple_key(const KeyElements& keys) {
  if (keys.size() == 2 && keys[0].name == keys[1].name) {
    return Error::validation(
        "Both the Hash Key and the Range Key element in the KeySchema have the same name");
  }
  if (keys[0].type != KeyType::Hash) {
    return Error::validation(
        "Invalid KeySchema: The first KeySchemaElement is not a HASH key type");
  }
  if (keys.size() == 2 && keys[1].type != KeyType::Range) {
    return Error::validation(
        "Invalid KeySchema: The second KeySchemaElement is not a RANGE key type");
  }
  return {};
}

// A global index's key: one to four HASH, then up to four RANGE.
Result<void> check_index_key(const KeyElements& keys) {
  std::set<std::string_view> names;
  for (const KeySchemaElement& key : keys) {
    if (!names.insert(key.name).second) {
      return Error::validation("The KeySchema contains multiple key attributes with the same name");
    }
  }
  if (keys[0].type != KeyType::Hash) {
    return Error::validation(
        "Invalid KeySchema: The first KeySchemaElement is not a HASH key type");
  }
  const auto is_hash = [](const KeySchemaElement& key) { return key.type == KeyType::Hash; };
  const auto first_range = std::find_if_not(keys.begin(), keys.end(), is_hash);
  if (std::any_of(first_range, keys.end(), is_hash)) {
    return invalid_parameters(
        "All HASH key attributes must precede RANGE key attributes in the KeySchema");
  }
  const auto hashes = static_cast<std::size_t>(first_range - keys.begin());
  const bool too_many_hashes = hashes > kIndexKeyAttributesMax;
  if (too_many_hashes || keys.size() - hashes > kIndexKeyAttributesMax) {
    return invalid_parameters(std::string("The KeySchema exceeds the maximum allowed number of ") +
                              (too_many_hashes ? "HASH" : "RANGE") + " key attributes");
  }
  return {};
}

Result<void> check_table_key(const CreateTableRequest& request) {
  const Definitions& definitions = request.attribute_definitions;
  std::set<std::string_view> names;
  for (const AttributeDefinition& definition : definitions) {
    if (!names.insert(definition.name).second) {
      return Error::validation("Attribute Name is duplicated: " + definition.name);
    }
  }
  if (request.key_schema.size() > definitions.size()) {
    return Error::validation("Invalid KeySchema: Some index key attribute have no definition");
  }
  PARTITA_CHECK(check_all_defined(request.key_schema, definitions));
  return check_simple_key(request.key_schema);
}

Result<void> check_local_keys(const CreateTableRequest& request) {
  if (request.local_secondary_indexes->empty()) {
    return invalid_parameters("List of LocalSecondaryIndexes is empty");
  }
  if (request.key_schema.size() != 2) {
    return invalid_parameters(
        "Table KeySchema does not have a range key, which is required when specifying a "
        "LocalSecondaryIndex");
  }
  const std::string& table_hash = request.key_schema[0].name;
  for (const LocalSecondaryIndex& index : *request.local_secondary_indexes) {
    PARTITA_CHECK(check_all_defined(index.key_schema, request.attribute_definitions));
    PARTITA_CHECK(check_simple_key(index.key_schema));
    if (index.key_schema.size() != 2) {
      return invalid_parameters("Index KeySchema does not have a range key for index: " +
                                index.index_name);
    }
    if (index.key_schema[0].name != table_hash) {
      return invalid_parameters(
          "Index KeySchema does not have the same leading hash key as table KeySchema for index: " +
          index.index_name + ". index hash key: " + index.key_schema[0].name +
          ", table hash key: " + table_hash);
    }
  }
  return {};
}

Result<void> check_global_keys(const CreateTableRequest& request) {
  if (request.global_secondary_indexes->empty()) {
    return invalid_parameters("List of GlobalSecondaryIndexes is empty");
  }
  for (const GlobalSecondaryIndex& index : *request.global_secondary_indexes) {
    PARTITA_CHECK(check_all_defined(index.key_schema, request.attribute_definitions));
    PARTITA_CHECK(check_index_key(index.key_schema));
  }
  return {};
}

Result<void> check_all_used(const CreateTableRequest& request) {
  const bool indexed = request.local_secondary_indexes || request.global_secondary_indexes;
  if (!indexed) {
    if (request.key_schema.size() == request.attribute_definitions.size()) return {};
    return invalid_parameters(
        "Number of attributes in KeySchema does not exactly match number of attributes defined in "
        "AttributeDefinitions");
  }
  KeyElements used;
  const auto use = [&used](const KeyElements& keys) {
    for (const KeySchemaElement& key : keys) {
      const auto same = [&key](const KeySchemaElement& other) { return other.name == key.name; };
      if (std::none_of(used.begin(), used.end(), same)) used.push_back(key);
    }
  };
  use(request.key_schema);
  if (request.local_secondary_indexes) {
    for (const auto& index : *request.local_secondary_indexes) use(index.key_schema);
  }
  if (request.global_secondary_indexes) {
    for (const auto& index : *request.global_secondary_indexes) use(index.key_schema);
  }
  if (used.size() == request.attribute_definitions.size()) return {};
  return invalid_parameters("Some AttributeDefinitions are not used. AttributeDefinitions: " +
                            list_of_names(request.attribute_definitions) +
                            ", keys used: " + list_of_names(used));
}

Result<void> check_projection(const Projection& projection) {
  if (!projection.type) return invalid_parameters("Unknown ProjectionType: null");
  const bool listed = projection.has_non_key_attributes || !projection.non_key_attributes.empty();
  if (*projection.type != ProjectionType::Include) {
    if (!listed) return {};
    return invalid_parameters(std::string("ProjectionType is ") +
                              (*projection.type == ProjectionType::All ? "ALL" : "KEYS_ONLY") +
                              ", but NonKeyAttributes is specified");
  }
  if (!listed) {
    return invalid_parameters("ProjectionType is INCLUDE, but NonKeyAttributes is not specified");
  }
  std::set<std::string_view> names;
  for (const std::string& name : projection.non_key_attributes) {
    if (!names.insert(name).second) {
      return invalid_parameters("Duplicate element in NonKeyAttributes: " + name);
    }
  }
  return {};
}

Result<void> check_non_key_total(std::size_t listed) {
  if (listed <= kNonKeyAttributesPerTableMax) return {};
  return invalid_parameters("Number of NonKeyAttributes of all indexes exceeds the limit of " +
                            std::to_string(kNonKeyAttributesPerTableMax));
}

// What is true of the indexes one by one and all together, after their keys.
class IndexRules {
 public:
  Result<void> check(const std::string& name, const Projection& projection) {
    PARTITA_CHECK(check_projection(projection));
    if (!names_.insert(name).second) return invalid_parameters("Duplicate index name: " + name);
    non_key_attributes_ += projection.non_key_attributes.size();
    return {};
  }
  Result<void> check_total() const { return check_non_key_total(non_key_attributes_); }

 private:
  std::set<std::string_view> names_;
  std::size_t non_key_attributes_ = 0;
};

Result<void> check_indexes(const CreateTableRequest& request) {
  IndexRules rules;
  if (request.local_secondary_indexes) {
    const auto& indexes = *request.local_secondary_indexes;
    for (const auto& index : indexes) {
      PARTITA_CHECK(rules.check(index.index_name, index.projection));
    }
    if (indexes.size() > kLocalIndexesMax) {
      return invalid_parameters("Number of LocalSecondaryIndexes exceeds per-table limit of 5");
    }
  }
  if (request.global_secondary_indexes) {
    const auto& indexes = *request.global_secondary_indexes;
    const BillingMode mode = request.billing_mode.value_or(BillingMode::Provisioned);
    for (const auto& index : indexes) {
      PARTITA_CHECK(rules.check(index.index_name, index.projection));
      PARTITA_CHECK(check_index_billing(index, mode));
      const auto owner = ThroughputOwner::index(index.index_name);
      PARTITA_CHECK(check_on_demand(index.on_demand_throughput, mode, owner));
      PARTITA_CHECK(check_warm(index.warm_throughput, mode, index.provisioned_throughput, owner));
    }
    if (indexes.size() > kGlobalIndexesMax) {
      return invalid_parameters("GlobalSecondaryIndex count exceeds the per-table limit of 20");
    }
  }
  return rules.check_total();
}

// Of a local or global index: both have a name, a key and a projection.
template <typename Index>
void check_members(const Index& index, const std::string& path, std::size_t key_elements_max,
                   ConstraintList& constraints) {
  constraints.check_name(index.index_name, path + ".indexName");
  constraints.check_key_schema(index.key_schema, path + ".keySchema", key_elements_max);
  const auto& listed = index.projection.non_key_attributes;
  const std::string list_path = path + ".projection.nonKeyAttributes";
  if (index.projection.has_non_key_attributes && listed.empty()) {
    constraints.add("[]", list_path, "Member must have length greater than or equal to 1");
  }
  if (listed.size() > kNonKeyAttributesPerIndexMax) {
    std::string names = "[";
    for (const std::string& name : listed) names.append(names.size() > 1 ? ", " : "").append(name);
    constraints.add(names.append("]"), list_path,
                    "Member must have length less than or equal to 20");
  }
  for (std::size_t i = 0; i < listed.size(); ++i) {
    constraints.check_attribute_name(listed[i], member_path(list_path, i));
  }
}

// What local and global indexes have in common.
template <typename Index>
IndexSchema schema_from(const Index& index, const Definitions& definitions) {
  IndexSchema schema;
  schema.name = index.index_name;
  schema.key = key_from(index.key_schema, definitions);
  schema.projection = *index.projection.type;
  schema.non_key_attributes = index.projection.non_key_attributes;
  return schema;
}

}  // namespace

void check_index_members(const GlobalSecondaryIndex& index, const std::string& path,
                         ConstraintList& constraints) {
  // How many key attributes there may be is not a matter of the list's length.
  check_members(index, path, index.key_schema.size(), constraints);
  if (index.provisioned_throughput) {
    constraints.check_throughput(*index.provisioned_throughput, path + ".provisionedThroughput");
  }
}

Result<void> check_new_index(const GlobalSecondaryIndex& index, const Definitions& definitions) {
  PARTITA_CHECK(check_all_defined(index.key_schema, definitions));
  PARTITA_CHECK(check_index_key(index.key_schema));
  return check_projection(index.projection);
}

Result<void> check_index_totals(const TableSchema& table) {
  if (table.global_indexes.size() > kGlobalIndexesMax) {
    return Error(ErrorCode::LimitExceeded,
                 "Subscriber limit exceeded: GlobalSecondaryIndex count exceeds the per-table "
                 "limit of 20");
  }
  std::size_t listed = 0;
  for (const auto* indexes : {&table.local_indexes, &table.global_indexes}) {
    for (const IndexSchema& index : *indexes) listed += index.non_key_attributes.size();
  }
  return check_non_key_total(listed);
}

Result<void> check_create_members(const CreateTableRequest& request) {
  ConstraintList constraints;
  for (std::size_t i = 0; i < request.attribute_definitions.size(); ++i) {
    constraints.check_attribute_name(request.attribute_definitions[i].name,
                                     member_path("attributeDefinitions", i) + ".attributeName");
  }
  constraints.check_name(request.table_name, "tableName");
  if (request.provisioned_throughput) {
    constraints.check_throughput(*request.provisioned_throughput, "provisionedThroughput");
  }
  constraints.check_key_schema(request.key_schema, "keySchema", 2);
  if (request.local_secondary_indexes) {
    const auto& indexes = *request.local_secondary_indexes;
    for (std::size_t i = 0; i < indexes.size(); ++i) {
      check_members(indexes[i], member_path("localSecondaryIndexes", i), 2, constraints);
    }
  }
  if (request.global_secondary_indexes) {
    const auto& indexes = *request.global_secondary_indexes;
    for (std::size_t i = 0; i < indexes.size(); ++i) {
      check_index_members(indexes[i], member_path("globalSecondaryIndexes", i), constraints);
    }
  }
  return constraints.result();
}

Result<void> check_keys_and_indexes(const CreateTableRequest& request) {
  PARTITA_CHECK(check_table_key(request));
  if (request.local_secondary_indexes) PARTITA_CHECK(check_local_keys(request));
  if (request.global_secondary_indexes) PARTITA_CHECK(check_global_keys(request));
  PARTITA_CHECK(check_all_used(request));
  return check_indexes(request);
}

KeySchema key_from(const std::vector<KeySchemaElement>& key_schema,
                   const std::vector<AttributeDefinition>& definitions) {
  KeySchema key;
  for (const KeySchemaElement& element : key_schema) {
    const auto definition = std::find_if(
        definitions.begin(), definitions.end(),
        [&element](const AttributeDefinition& one) { return one.name == element.name; });
    auto& part = element.type == KeyType::Hash ? key.partition : key.sort;
    part.push_back({element.name, definition->type});
  }
  return key;
}

IndexSchema index_from(const LocalSecondaryIndex& index, const Definitions& definitions) {
  return schema_from(index, definitions);
}

IndexSchema index_from(const GlobalSecondaryIndex& index, const Definitions& definitions) {
  IndexSchema schema = schema_from(index, definitions);
  schema.global = true;
  schema.throughput = capacity_of(index.provisioned_throughput);
  schema.on_demand_throughput = ceilings_set(index.on_demand_throughput);
  schema.warm_throughput = index.warm_throughput;
  return schema;
}

}  // namespace partita
