// DescribeContinuousBackups.
#pragma once

#include <string>

namespace partita {

struct DescribeContinuousBackupsRequest {
  std::string table_name{};
};
struct ContinuousBackupsDescription {
  bool continuous_backups_enabled = false;
  bool point_in_time_recovery_enabled = false;
};

}  // namespace partita
