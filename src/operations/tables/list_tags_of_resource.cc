// ListTagsOfResource: all tags of a table. There are never more than 50, which AWS too gives as one
// page; a NextToken it did not make is ignored there.
#include "operations/tables/table_operations.h"
#include "operations/tables/tagged_table.h"

namespace partita {

Result<ListTagsOfResourceResponse> list_tags_of_resource(const OperationContext& context,
                                                         const ListTagsOfResourceRequest& request) {
  PARTITA_CHECK(check_resource_arn(request.resource_arn));
  PARTITA_TRY(const TablePointer table, tagged_table(context, request.resource_arn));
  return ListTagsOfResourceResponse{table->tags, {}};
}

}  // namespace partita
