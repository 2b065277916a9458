// Ids that sort by the time at which they were made.
//
// Those of one process ascend, also within a millisecond. They are 26 (ULID), 27 (KSUID) and 36
// characters (UUID of version 7).
#pragma once

#include <string>

#include "partita/model/time_points.h"

namespace partita::model {

std::string new_ulid(std::chrono::system_clock::time_point now);
std::string new_ksuid(std::chrono::system_clock::time_point now);
std::string new_uuid7(std::chrono::system_clock::time_point now);

inline std::string new_ulid() { return new_ulid(std::chrono::system_clock::now()); }
inline std::string new_ksuid() { return new_ksuid(std::chrono::system_clock::now()); }
inline std::string new_uuid7() { return new_uuid7(std::chrono::system_clock::now()); }

}  // namespace partita::model
