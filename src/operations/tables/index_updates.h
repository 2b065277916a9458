// UpdateTable's GlobalSecondaryIndexUpdates: indexes that come and go.
//
// What is done here is decided in the schema; jobs/index_builder.h does the rest.
#pragma once

#include "partita/requests/tables.h"
#include "partita/result.h"

#include "catalog/table_schema.h"

namespace partita {

// DynamoDB works on one index of a table at a time.
Result<void> check_one_at_a_time(const UpdateTableRequest& request, const TableSchema& table);

// The index joins the table; it takes entries from now on and is to be filled with the others.
Result<void> create_index(const UpdateTableRequest& request, const GlobalSecondaryIndex& index,
                          BillingMode mode, TableSchema& table);

// The global index of this name, to be changed or deleted.
enum class IndexAction : std::uint8_t { Update, Delete };
Result<IndexSchema*> find_global_index(const std::string& name, IndexAction action,
                                       TableSchema& table);

}  // namespace partita
