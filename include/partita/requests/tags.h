// TagResource, UntagResource, ListTagsOfResource.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "partita/table.h"

namespace partita {

// A tag whose key is there already replaces it.
struct TagResourceRequest {
  std::string resource_arn{};
  std::vector<Tag> tags{};
};
struct TagResourceResponse {};

// Keys that are not there are no error.
struct UntagResourceRequest {
  std::string resource_arn{};
  std::vector<std::string> tag_keys{};
};
struct UntagResourceResponse {};

struct ListTagsOfResourceRequest {
  std::string resource_arn{};
  std::optional<std::string> next_token{};  // means nothing: all tags are one page
};
struct ListTagsOfResourceResponse {
  std::vector<Tag> tags{};
  std::optional<std::string> next_token{};
};

}  // namespace partita
