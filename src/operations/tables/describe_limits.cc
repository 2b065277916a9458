// DescribeLimits: the quotas every account starts with. None of them is enforced.
#include "operations/tables/table_operations.h"

namespace partita {

Result<DescribeLimitsResponse> describe_limits(const OperationContext&,
                                               const DescribeLimitsRequest&) {
  return DescribeLimitsResponse{.account_max_read_capacity_units = 80'000,
                                .account_max_write_capacity_units = 80'000,
                                .table_max_read_capacity_units = 40'000,
                                .table_max_write_capacity_units = 40'000};
}

}  // namespace partita
