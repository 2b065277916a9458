// ListTables: names in ascending byte order, a page at a time.
#include "operations/tables/constraint_list.h"
#include "operations/tables/table_operations.h"

namespace partita {
namespace {

constexpr std::int32_t kNamesPerPageMax = 100;

Result<void> check_members(const ListTablesRequest& request) {
  ConstraintList constraints;
  if (request.exclusive_start_table_name) {
    constraints.check_name(*request.exclusive_start_table_name, "exclusiveStartTableName");
  }
  if (request.limit && *request.limit < 1) {
    constraints.add(std::to_string(*request.limit), "limit",
                    "Member must have value greater than or equal to 1");
  }
  if (request.limit && *request.limit > kNamesPerPageMax) {
    constraints.add(std::to_string(*request.limit), "limit",
                    "Member must have value less than or equal to 100");
  }
  return constraints.result();
}

}  // namespace

Result<ListTablesResponse> list_tables(const OperationContext& context,
                                       const ListTablesRequest& request) {
  PARTITA_CHECK(check_members(request));
  const auto limit = static_cast<std::size_t>(request.limit.value_or(kNamesPerPageMax));
  ListTablesResponse response;
  // One more than asked for tells whether there are more.
  response.table_names = context.catalog.names(request.exclusive_start_table_name.value_or(""),
                                               limit + 1, context.now);
  depend_on(context, context.catalog.latest());
  if (response.table_names.size() > limit) {
    response.table_names.pop_back();
    response.last_evaluated_table_name = response.table_names.back();
  }
  return response;
}

}  // namespace partita
