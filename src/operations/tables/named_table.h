// The table that an operation on tables names.
#pragma once

#include <string_view>

#include "partita/result.h"

#include "operations/operation_context.h"

namespace partita {

// By name or ARN, in any status. The answer, or the error, depends on the catalog's latest change.
Result<TablePointer> named_table(const OperationContext& context, std::string_view name_or_arn);

// ResourceInUseException for a change that a table's status does not allow.
Error table_in_use(const TableSchema& table, TableStatus status);

}  // namespace partita
