// The expressions of the request that reads one partition of a query.
#pragma once

#include "partita/model/query_run.h"

namespace partita::model {

// `key` is null for a scan.
ExpressionSet expressions_for(const QuerySpec& spec, const PartitionKey* key);

}  // namespace partita::model
