// ListTagsOfResource: all tags of a table. There are never more than 50, which AWS too gives as one
// page; a NextToken it did not make is ignored there.
#include "operations/tables/table_operations.h"
#include "operations/tables/tagged_table.h"

namespace partita {
namespace {

// An account nobody has, and our name for one as long as nobody chose another.
constexpr std::string_view kNobodysAccount = "000000000000";

}  // namespace

Result<ListTagsOfResourceResponse> list_tags_of_resource(const OperationContext& context,
                                                         const ListTagsOfResourceRequest& request) {
  PARTITA_CHECK(check_resource_arn(request.resource_arn));
  auto table = tagged_table(context, request.resource_arn);
  if (!table && table.error().code() == ErrorCode::ResourceNotFound &&
      context.options.account_id == kNobodysAccount) {
    // What AWS says to this very ARN (recorded by the public conformance suite).
    return Error(ErrorCode::AccessDenied, "Access is denied");
  }
  PARTITA_TRY(const TablePointer found, std::move(table));
  return ListTagsOfResourceResponse{found->tags, {}};
}

}  // namespace partita
