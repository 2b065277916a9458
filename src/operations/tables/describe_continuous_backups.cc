// DescribeContinuousBackups: every table has them, without recovery to a point in time.
#include "catalog/table_lifecycle.h"
#include "catalog/table_name.h"
#include "operations/tables/named_table.h"
#include "operations/tables/table_operations.h"

namespace partita {

Result<ContinuousBackupsDescription> describe_continuous_backups(
    const OperationContext& context, const DescribeContinuousBackupsRequest& request) {
  auto table = named_table(context, request.table_name);
  const bool missing =
      table ? !serves_items(**table, context.now)  // backups know a table later and forget it first
            : table.error().code() == ErrorCode::ResourceNotFound;
  if (missing) {
    PARTITA_TRY(const std::string_view name, table_name_in(request.table_name));
    return Error(ErrorCode::TableNotFound, "Table not found: " + std::string(name));
  }
  PARTITA_CHECK(std::move(table));
  return ContinuousBackupsDescription{.continuous_backups_enabled = true};
}

}  // namespace partita
