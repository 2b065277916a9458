// How much memory this process may take.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

namespace partita {

// What the control groups of this process allow (a container's, a service's), if they say so: the
// least of its group and those around it. `root` is that of the file system.
std::optional<std::uint64_t> control_group_memory(const std::filesystem::path& root = "/");

// The machine's memory, or what the control groups allow where that is less.
std::uint64_t usable_memory();

// For a server in a control group that allows less than the machine has: a failed allocation is one
// refused write, but a process that exceeds its group is killed by the kernel. Both do nothing
// elsewhere.
void share_freed_memory_among_threads();  // before threads start
void fail_before_control_group_kills();   // when those that are always there have started

}  // namespace partita
