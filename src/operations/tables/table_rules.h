// Rules for keys and indexes of a new table, in the order in which DynamoDB checks them.
#pragma once

#include "partita/requests/tables.h"
#include "partita/result.h"

#include "catalog/table_schema.h"

namespace partita {

// Single members: names, lengths, capacities of at least one.
Result<void> check_create_members(const CreateTableRequest& request);

// Keys of the table and of its indexes against the attribute definitions, then the indexes.
Result<void> check_keys_and_indexes(const CreateTableRequest& request);

// `key_schema` and `definitions` passed check_keys_and_indexes.
KeySchema key_from(const std::vector<KeySchemaElement>& key_schema,
                   const std::vector<AttributeDefinition>& definitions);

}  // namespace partita
