// TagResource: adds tags to a table, or gives those it has other values.
#include <algorithm>

#include "operations/tables/table_operations.h"
#include "operations/tables/tag_rules.h"
#include "operations/tables/tagged_table.h"

namespace partita {
namespace {

// Returns whether anything changes.
bool put_tag(std::vector<Tag>& tags, const Tag& tag) {
  const auto same_key = [&tag](const Tag& one) { return one.key == tag.key; };
  const auto found = std::find_if(tags.begin(), tags.end(), same_key);
  if (found == tags.end()) {
    tags.push_back(tag);
    return true;
  }
  if (found->value == tag.value) return false;
  found->value = tag.value;
  return true;
}

}  // namespace

Result<TagResourceResponse> tag_resource(const OperationContext& context,
                                         const TagResourceRequest& request) {
  PARTITA_CHECK(check_resource_arn(request.resource_arn));
  if (request.tags.empty()) {
    return Error::validation("Atleast one Tag needs to be provided as Input.");
  }
  PARTITA_CHECK(check_tags(request.tags));
  PARTITA_CHECK(change_tags(context, request.resource_arn, [&](std::vector<Tag>& tags) {
    bool changes = false;
    for (const Tag& tag : request.tags) changes = put_tag(tags, tag) || changes;
    return changes;
  }));
  return TagResourceResponse{};
}

}  // namespace partita
