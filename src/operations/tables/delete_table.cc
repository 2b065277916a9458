// DeleteTable: the table is gone at once (or DELETING for a while); its rows go in the background.
#include "catalog/table_lifecycle.h"
#include "operations/tables/named_table.h"
#include "operations/tables/table_description.h"
#include "operations/tables/table_operations.h"

namespace partita {

Result<TableDescription> delete_table(const OperationContext& context,
                                      const DeleteTableRequest& request) {
  for (;;) {
    PARTITA_TRY(const TablePointer table, named_table(context, request.table_name));
    const TableStatus status = status_at(*table, context.now);
    if (status != TableStatus::Active) return table_in_use(*table, status);
    if (table->deletion_protection) {
      return Error::validation(
          "Resource cannot be deleted as it is currently protected against deletion. Disable "
          "deletion protection first.");
    }
    PARTITA_TRY(TableDescription description, describe(context, *table));
    auto removed = context.catalog.remove(table, context.now);
    if (!removed && removed.error().code() == ErrorCode::Conflict) continue;  // decide again
    PARTITA_TRY(const Catalog::Change change, std::move(removed));
    depend_on(context, change.version);
    description.table_status = TableStatus::Deleting;
    // DynamoDB's answer no longer tells how the table was made.
    description.creation_date_time = 0;
    description.attribute_definitions.clear();
    description.key_schema.clear();
    description.warm_throughput.reset();
    description.local_secondary_indexes.clear();
    description.global_secondary_indexes.clear();
    return description;
  }
}

}  // namespace partita
