// DescribeLimits and DescribeEndpoints as JSON. Their requests have no members.
#pragma once

#include "partita/requests/account.h"

#include "wire/table_messages.h"

namespace partita {

using DescribeLimitsMessage = TableMessage<DescribeLimitsRequest>;
using DescribeEndpointsMessage = TableMessage<DescribeEndpointsRequest>;

void encode(JsonWriter& json, const DescribeLimitsResponse& response);
void encode(JsonWriter& json, const DescribeEndpointsResponse& response);

}  // namespace partita
