// Operations on tables: request → catalog → description.
#pragma once

#include "partita/requests/tables.h"
#include "partita/result.h"

#include "operations/operation_context.h"

namespace partita {

Result<TableDescription> create_table(const OperationContext& context,
                                      const CreateTableRequest& request);
Result<TableDescription> describe_table(const OperationContext& context,
                                        const DescribeTableRequest& request);
Result<TableDescription> update_table(const OperationContext& context,
                                      const UpdateTableRequest& request);
Result<TableDescription> delete_table(const OperationContext& context,
                                      const DeleteTableRequest& request);
Result<ListTablesResponse> list_tables(const OperationContext& context,
                                       const ListTablesRequest& request);

}  // namespace partita
