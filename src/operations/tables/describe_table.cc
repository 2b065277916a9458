// DescribeTable: a table's schema, status and true size.
#include "operations/tables/named_table.h"
#include "operations/tables/table_description.h"
#include "operations/tables/table_operations.h"

namespace partita {

Result<TableDescription> describe_table(const OperationContext& context,
                                        const DescribeTableRequest& request) {
  PARTITA_TRY(const TablePointer table, named_table(context, request.table_name));
  return describe(context, *table);
}

}  // namespace partita
