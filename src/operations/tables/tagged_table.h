// The table that an operation on tags names by its ARN.
#pragma once

#include <string>
#include <vector>

#include "partita/result.h"
#include "partita/table.h"

#include "base/function_ref.h"
#include "operations/operation_context.h"

namespace partita {

// What is wrong with an ARN that can name no table, in the words of AWS (recorded in October 2026).
Result<void> check_resource_arn(const std::string& arn);

// The table, ACTIVE or UPDATING: to tags it is not there earlier or later. Account and Region count
// only where there is no table of this name. `arn` passed the check above.
Result<TablePointer> tagged_table(const OperationContext& context, const std::string& arn);

// Lets `change` work on a copy of the table's tags, and keeps it if that says something changed and
// there are not too many. It may be asked more than once.
Result<void> change_tags(const OperationContext& context, const std::string& arn,
                         FunctionRef<bool(std::vector<Tag>&)> change);

}  // namespace partita
