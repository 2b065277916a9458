// DescribeEndpoints: where clients that discover endpoints are to send their requests. To the place
// they found us at: a name of AWS would lead them, and their data, to AWS.
#include "operations/tables/table_operations.h"

namespace partita {
namespace {

constexpr std::int64_t kCachePeriodMinutes = 1440;

}  // namespace

Result<DescribeEndpointsResponse> describe_endpoints(const OperationContext&,
                                                     const DescribeEndpointsRequest& request) {
  const std::string address = request.host.empty() ? "localhost" : request.host;
  return DescribeEndpointsResponse{{{address, kCachePeriodMinutes}}};
}

}  // namespace partita
