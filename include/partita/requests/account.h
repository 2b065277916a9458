// DescribeLimits, DescribeEndpoints: about the service rather than a table.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace partita {

struct DescribeLimitsRequest {};
struct DescribeLimitsResponse {
  std::int64_t account_max_read_capacity_units = 0;
  std::int64_t account_max_write_capacity_units = 0;
  std::int64_t table_max_read_capacity_units = 0;
  std::int64_t table_max_write_capacity_units = 0;
};

struct DescribeEndpointsRequest {
  std::string host{};  // where the caller found us, with the port; empty in the same process
};
struct Endpoint {
  std::string address{};
  std::int64_t cache_period_in_minutes = 0;
};
struct DescribeEndpointsResponse {
  std::vector<Endpoint> endpoints{};
};

}  // namespace partita
