// How often provisioned capacity may go down: four times a day (UTC), then once an hour.
#pragma once

#include "partita/result.h"
#include "partita/table.h"

#include "base/clock.h"

namespace partita {

// Of a table or of one global index: each has a budget of its own. LimitExceededException if one
// more is too early.
Result<void> check_decrease(const ProvisionedThroughputDescription& capacity, TimePoint now);

// Those of the day of `now`.
std::int64_t decreases_today(const ProvisionedThroughputDescription& capacity, TimePoint now);

}  // namespace partita
