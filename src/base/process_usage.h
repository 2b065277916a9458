// What this process takes of its machine, as the operating system sees it.
#pragma once

#include <cstdint>

namespace partita {

struct ProcessUsage {
  std::uint64_t resident_bytes = 0;
  std::uint64_t resident_private_bytes = 0;  // without files and shared memory
  std::uint64_t virtual_bytes = 0;
  std::uint64_t data_bytes = 0;  // of these, what only this process may write
  double cpu_seconds = 0;        // user and system
  std::uint64_t open_files = 0;
  std::uint64_t open_files_max = 0;
};

// Figures that cannot be had (no /proc) are 0.
ProcessUsage process_usage();

}  // namespace partita
