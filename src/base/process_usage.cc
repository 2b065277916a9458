#include "base/process_usage.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <iterator>

#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

namespace partita {
namespace {

void read_memory(ProcessUsage& usage) {
  std::FILE* const file = std::fopen("/proc/self/statm", "re");
  if (file == nullptr) return;
  unsigned long long pages = 0, resident = 0, shared = 0, data = 0;
  if (std::fscanf(file, "%llu %llu %llu %*u %*u %llu", &pages, &resident, &shared, &data) == 4) {
    const auto page_bytes = static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
    usage.virtual_bytes = pages * page_bytes;
    usage.resident_bytes = resident * page_bytes;
    usage.resident_private_bytes = (resident - std::min(shared, resident)) * page_bytes;
    usage.data_bytes = data * page_bytes;
  }
  std::fclose(file);
}

std::uint64_t count_open_files() {
  const char* const folder = "/proc/self/fd";
  struct stat status {};
  // Linux 6.2 and later count for us; going through ten thousand entries takes milliseconds.
  if (::stat(folder, &status) == 0 && status.st_size > 0) {
    return static_cast<std::uint64_t>(status.st_size);
  }
  std::error_code failure;
  std::filesystem::directory_iterator entries(folder, failure);
  if (failure) return 0;
  // One of them is the folder itself, open while we count.
  const auto count = std::distance(entries, std::filesystem::directory_iterator());
  return count > 0 ? static_cast<std::uint64_t>(count - 1) : 0;
}

double seconds(const timeval& time) {
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
}

}  // namespace

ProcessUsage process_usage() {
  ProcessUsage usage;
  read_memory(usage);
  rusage spent{};
  if (::getrusage(RUSAGE_SELF, &spent) == 0) {
    usage.cpu_seconds = seconds(spent.ru_utime) + seconds(spent.ru_stime);
  }
  usage.open_files = count_open_files();
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) == 0) usage.open_files_max = limit.rlim_cur;
  return usage;
}

}  // namespace partita
