#include "operations/tables/index_updates.h"

#include <algorithm>
#include <string_view>

#include "operations/tables/table_rules.h"
#include "operations/tables/throughput_rules.h"

namespace partita {
namespace {

Error one_online_index() {
  return Error(ErrorCode::LimitExceeded,
               "Subscriber limit exceeded: Only 1 online index can be created or deleted "
               "simultaneously per table");
}

Error index_in_use(const TableSchema& table, const IndexSchema& index) {
  return Error(ErrorCode::ResourceInUse,
               "Attempt to change a resource which is still in use: Index is being created.  "
               "Table: " +
                   table.name + " Index: " + index.name);
}

// "Schema:[SchemaElement: key{g:S:HASH}]"
std::string shown_element(std::string_view attribute, ScalarType type, bool hash) {
  std::string text = "Schema:[SchemaElement: key{";
  text.append(attribute).append(":");
  text.append(type == ScalarType::S ? "S" : type == ScalarType::N ? "N" : "B");
  return text.append(hash ? ":HASH}]" : ":RANGE}]");
}

// The attribute as a key of the table or of one of its indexes.
std::string shown_existing(const TableSchema& table, const AttributeDefinition& definition) {
  const auto is_hash_of = [&](const KeySchema& key) {
    return std::any_of(key.partition.begin(), key.partition.end(),
                       [&](const KeyAttribute& one) { return one.name == definition.name; });
  };
  bool hash = is_hash_of(table.key);
  for (const IndexSchema& index : table.global_indexes) hash = hash || is_hash_of(index.key);
  return shown_element(definition.name, definition.type, hash);
}

// Types of attributes that are keys already stay as they are; new ones join the list.
Result<void> merge_definitions(const std::vector<AttributeDefinition>& given,
                               const std::vector<KeySchemaElement>& key_schema,
                               TableSchema& table) {
  std::vector<AttributeDefinition>& known = table.attribute_definitions;
  const auto find = [](const std::vector<AttributeDefinition>& definitions,
                       const std::string& name) {
    return std::find_if(definitions.begin(), definitions.end(),
                        [&](const AttributeDefinition& one) { return one.name == name; });
  };
  for (const KeySchemaElement& element : key_schema) {
    const AttributeDefinition& wanted = *find(given, element.name);
    const auto existing = find(known, element.name);
    if (existing == known.end()) {
      known.push_back(wanted);
    } else if (existing->type != wanted.type) {
      return invalid_parameters(
          "Attributes cannot be redefined. Please check that your attribute has the same type as "
          "previously defined. Existing schema: " +
          shown_existing(table, *existing) + " New schema: " +
          shown_element(element.name, wanted.type, element.type == KeyType::Hash));
    }
  }
  return {};
}

}  // namespace

Result<void> check_one_at_a_time(const UpdateTableRequest& request, const TableSchema& table) {
  if (!request.global_secondary_index_updates) return {};
  const IndexSchema* unsettled = table.unsettled_index();
  int coming_or_going = unsettled ? 1 : 0;
  for (const auto& update : *request.global_secondary_index_updates) {
    if (update.create && unsettled && update.create->index_name == unsettled->name) {
      return index_in_use(table, *unsettled);
    }
    // The one index that may go although it is not settled is the one that is being filled.
    if (update.delete_index_name && unsettled && *update.delete_index_name == unsettled->name) {
      continue;
    }
    if (update.create || update.delete_index_name) ++coming_or_going;
  }
  if (coming_or_going > 1) return one_online_index();
  return {};
}

Result<void> create_index(const UpdateTableRequest& request, const GlobalSecondaryIndex& index,
                          BillingMode mode, TableSchema& table) {
  if (table.find_index(index.index_name)) {
    return Error::validation("Attempting to create an index which already exists");
  }
  if (!request.attribute_definitions) {
    return invalid_parameters("AttributeDefinitions is not specified for index: " +
                              index.index_name);
  }
  const auto& definitions = *request.attribute_definitions;
  PARTITA_CHECK(check_new_index(index, definitions));
  PARTITA_CHECK(merge_definitions(definitions, index.key_schema, table));
  PARTITA_CHECK(check_index_billing(index, mode, CapacityChange::Update));
  const auto owner = ThroughputOwner::index(index.index_name);
  PARTITA_CHECK(check_on_demand(index.on_demand_throughput, mode, owner, CapacityChange::Update));
  PARTITA_CHECK(check_warm(index.warm_throughput, mode, index.provisioned_throughput, owner));
  table.global_indexes.push_back(index_from(index, definitions));
  table.global_indexes.back().phase = IndexPhase::Joining;
  return check_index_totals(table);
}

Result<IndexSchema*> find_global_index(const std::string& name, IndexAction action,
                                       TableSchema& table) {
  const bool deletes = action == IndexAction::Delete;
  const IndexSchema* known = table.find_index(name);
  if (!known) {
    return Error::resource_not_found("Requested resource not found: Index " + name + " for table " +
                                     table.name);
  }
  if (!known->global) {
    return Error::validation(std::string("Cannot ") + (deletes ? "delete" : "update") +
                             " an index that is not a GlobalSecondaryIndex: " + name);
  }
  if (known->phase != IndexPhase::Serving && !deletes) return index_in_use(table, *known);
  return &table.global_indexes[static_cast<std::size_t>(known - table.global_indexes.data())];
}

}  // namespace partita
