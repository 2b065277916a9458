#include "base/memory_limit.h"

#include <algorithm>
#include <fstream>
#include <string>

#include <malloc.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/process_usage.h"

namespace partita {
namespace {

// Not a number ("max"): nothing. Version 1 says it with a number beyond all memory.
void take_least(const std::filesystem::path& file, std::optional<std::uint64_t>& least) {
  std::uint64_t bytes = 0;
  if (std::ifstream(file) >> bytes) least = std::min(least.value_or(bytes), bytes);
}

// In a container the group's name may be the one outside, while its files are found at the top,
// where the walk ends in any case.
void walk_up(const std::filesystem::path& top, std::filesystem::path group, const char* file,
             std::optional<std::uint64_t>& least) {
  for (; !group.empty(); group = group.parent_path()) take_least(top / group / file, least);
  take_least(top / file, least);
}

std::uint64_t memory_of_machine() {
  const auto pages = static_cast<std::uint64_t>(::sysconf(_SC_PHYS_PAGES));
  return pages * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
}

}  // namespace

// A line is "number:controllers:/path"; version 2 has number 0 and no controllers.
std::optional<std::uint64_t> control_group_memory(const std::filesystem::path& root) {
  const std::filesystem::path groups = root / "sys/fs/cgroup";
  std::optional<std::uint64_t> least;
  std::ifstream lines(root / "proc/self/cgroup");
  for (std::string line; std::getline(lines, line);) {
    const std::size_t controllers = line.find(':');
    const std::size_t path = line.find(":/");
    if (controllers == std::string::npos || path == std::string::npos) continue;
    const std::string within = line.substr(path + 2);
    const std::string named = "," + line.substr(controllers + 1, path - controllers - 1) + ",";
    if (named == ",,") {
      walk_up(groups, within, "memory.max", least);
    } else if (named.find(",memory,") != std::string::npos) {
      walk_up(groups / "memory", within, "memory.limit_in_bytes", least);
    }
  }
  return least;
}

std::uint64_t usable_memory() {
  const std::uint64_t machine = memory_of_machine();
  return std::min(machine, control_group_memory().value_or(machine));
}

// By default glibc gives each thread memory of its own, and what one has freed another cannot have.
void share_freed_memory_among_threads() {
  if (usable_memory() < memory_of_machine()) mallopt(M_ARENA_MAX, 1);
}

void fail_before_control_group_kills() {
  const std::uint64_t allowed = usable_memory();
  if (allowed == memory_of_machine()) return;
  // The kernel counts its own there too: buffers of sockets, tables of pages.
  constexpr std::uint64_t kLeastForKernel = 16 << 20;
  const std::uint64_t for_kernel = std::max(allowed / 8, kLeastForKernel);
  // The limit counts what was asked for, not what was touched, as of the stacks of threads.
  const ProcessUsage usage = process_usage();
  const std::uint64_t untouched =
      usage.data_bytes - std::min(usage.data_bytes, usage.resident_private_bytes);
  if (allowed <= for_kernel + usage.resident_bytes) return;  // it would not even start
  rlimit limit{};
  if (::getrlimit(RLIMIT_DATA, &limit) != 0) return;
  limit.rlim_cur = std::min<rlim_t>(limit.rlim_cur, allowed - for_kernel + untouched);
  static_cast<void>(::setrlimit(RLIMIT_DATA, &limit));
}

}  // namespace partita
