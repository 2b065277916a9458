// TagResource, UntagResource and ListTagsOfResource as JSON. The first two answer nothing.
#pragma once

#include "partita/requests/tags.h"

#include "wire/table_messages.h"

namespace partita {

using TagResourceMessage = TableMessage<TagResourceRequest>;
using UntagResourceMessage = TableMessage<UntagResourceRequest>;
using ListTagsOfResourceMessage = TableMessage<ListTagsOfResourceRequest>;

void encode(JsonWriter& json, const ListTagsOfResourceResponse& response);

}  // namespace partita
