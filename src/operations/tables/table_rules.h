// Rules for keys and indexes of a new table, in the order in which DynamoDB checks them.
#pragma once

#include "partita/requests/tables.h"
#include "partita/result.h"

#include "catalog/table_schema.h"
#include "operations/tables/constraint_list.h"

namespace partita {

// Single members: names, lengths, capacities of at least one.
Result<void> check_create_members(const CreateTableRequest& request);

// Keys of the table and of its indexes against the attribute definitions, then the indexes.
Result<void> check_keys_and_indexes(const CreateTableRequest& request);

// UpdateTable: one global index that is to join a table.
void check_index_members(const GlobalSecondaryIndex& index, const std::string& path,
                         ConstraintList& constraints);
Result<void> check_new_index(const GlobalSecondaryIndex& index,
                             const std::vector<AttributeDefinition>& definitions);
// All global indexes a table would have.
Result<void> check_index_totals(const TableSchema& table);

// `key_schema` and `definitions` passed the checks above.
KeySchema key_from(const std::vector<KeySchemaElement>& key_schema,
                   const std::vector<AttributeDefinition>& definitions);
IndexSchema index_from(const LocalSecondaryIndex& index,
                       const std::vector<AttributeDefinition>& definitions);
IndexSchema index_from(const GlobalSecondaryIndex& index,
                       const std::vector<AttributeDefinition>& definitions);

}  // namespace partita
