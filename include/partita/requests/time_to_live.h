// DescribeTimeToLive.
#pragma once

#include <cstdint>
#include <string>

namespace partita {

enum class TimeToLiveStatus : std::uint8_t { Enabling, Disabling, Enabled, Disabled };

struct DescribeTimeToLiveRequest {
  std::string table_name{};
};
struct TimeToLiveDescription {
  TimeToLiveStatus status = TimeToLiveStatus::Disabled;
  std::string attribute_name{};  // empty unless there is one
};

}  // namespace partita
