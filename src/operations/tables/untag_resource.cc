// UntagResource: takes tags from a table. Those it does not have are no error.
#include <algorithm>

#include "operations/tables/table_operations.h"
#include "operations/tables/tag_rules.h"
#include "operations/tables/tagged_table.h"

namespace partita {

Result<UntagResourceResponse> untag_resource(const OperationContext& context,
                                             const UntagResourceRequest& request) {
  PARTITA_CHECK(check_resource_arn(request.resource_arn));
  if (request.tag_keys.empty()) {
    return Error::validation("Atleast one Tag Key needs to be provided as Input.");
  }
  PARTITA_CHECK(check_tag_keys(request.tag_keys));
  const auto& keys = request.tag_keys;
  PARTITA_CHECK(change_tags(context, request.resource_arn, [&](std::vector<Tag>& tags) {
    return std::erase_if(tags, [&](const Tag& tag) {
             return std::find(keys.begin(), keys.end(), tag.key) != keys.end();
           }) > 0;
  }));
  return UntagResourceResponse{};
}

}  // namespace partita
