// A table as DescribeTable shows it.
#pragma once

#include "partita/result.h"
#include "partita/table.h"

#include "operations/operation_context.h"

namespace partita {

Result<TableDescription> describe(const OperationContext& context, const TableSchema& table);

std::vector<KeySchemaElement> elements_of(const KeySchema& key);

// With milliseconds after the point.
double seconds_since_epoch(TimePoint time);

}  // namespace partita
