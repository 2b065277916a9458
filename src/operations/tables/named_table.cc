#include "operations/tables/named_table.h"

#include "catalog/table_name.h"

namespace partita {

Result<TablePointer> named_table(const OperationContext& context, std::string_view name_or_arn) {
  PARTITA_TRY(const std::string_view name, table_name_in(name_or_arn));
  if (auto problem = name_problem(name)) return *std::move(problem);
  TablePointer table = context.catalog.find_any(name, context.now);
  depend_on(context, context.catalog.latest());
  if (!table) {
    std::string message = "Requested resource not found: Table: ";
    message.append(name).append(" not found");
    return Error::resource_not_found(std::move(message));
  }
  return table;
}

Error table_in_use(const TableSchema& table, TableStatus status) {
  std::string message = "Attempt to change a resource which is still in use: Table is being ";
  message.append(status == TableStatus::Creating   ? "created"
                 : status == TableStatus::Deleting ? "deleted"
                                                   : "updated");
  message.append(": ").append(table.name);
  return Error(ErrorCode::ResourceInUse, std::move(message));
}

}  // namespace partita
