// DescribeTimeToLive and UpdateTimeToLive.
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

struct TimeToLiveSpecification {
  bool enabled = false;
  std::string attribute_name{};  // a Number: seconds since 1970
};
struct UpdateTimeToLiveRequest {
  std::string table_name{};
  TimeToLiveSpecification time_to_live_specification{};
};
struct UpdateTimeToLiveResponse {
  TimeToLiveSpecification time_to_live_specification{};
};

}  // namespace partita
