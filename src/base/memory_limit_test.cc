#include "base/memory_limit.h"

#include <fstream>
#include <random>
#include <string>

#include <gtest/gtest.h>
#include <unistd.h>

namespace partita {
namespace {

class MemoryLimit : public testing::Test {
 protected:
  MemoryLimit()
      : root_(std::filesystem::temp_directory_path() /
              ("partita-memory-limit-" + std::to_string(std::random_device()()))) {}
  ~MemoryLimit() override { std::filesystem::remove_all(root_); }

  void write(const std::string& path, const std::string& text) {
    std::filesystem::create_directories((root_ / path).parent_path());
    std::ofstream(root_ / path) << text;
  }

  const std::filesystem::path root_;
};

TEST_F(MemoryLimit, is_nothing_where_no_group_says_so) {
  EXPECT_FALSE(control_group_memory(root_));
  write("proc/self/cgroup", "0::/\n");
  EXPECT_FALSE(control_group_memory(root_));
  write("sys/fs/cgroup/memory.max", "max\n");
  EXPECT_FALSE(control_group_memory(root_));
}

TEST_F(MemoryLimit, is_the_least_of_a_group_and_those_around_it) {
  write("proc/self/cgroup", "0::/system.slice/partita.service\n");
  write("sys/fs/cgroup/system.slice/partita.service/memory.max", "max\n");
  write("sys/fs/cgroup/system.slice/memory.max", "300000000\n");
  EXPECT_EQ(control_group_memory(root_), 300'000'000u);
  write("sys/fs/cgroup/system.slice/partita.service/memory.max", "200000000\n");
  EXPECT_EQ(control_group_memory(root_), 200'000'000u);
  write("sys/fs/cgroup/system.slice/memory.max", "100000000\n");
  EXPECT_EQ(control_group_memory(root_), 100'000'000u);
}

TEST_F(MemoryLimit, is_found_in_groups_of_version_1) {
  write("proc/self/cgroup", "5:cpu,cpuacct:/a\n4:hugetlb,memory:/a/b\n1:name=systemd:/\n0::/\n");
  write("sys/fs/cgroup/memory/a/b/memory.limit_in_bytes", "9223372036854771712\n");
  write("sys/fs/cgroup/memory/a/memory.limit_in_bytes", "500000000\n");
  EXPECT_EQ(control_group_memory(root_), 500'000'000u);
}

// A container sees its own group at the top, whatever name it has outside.
TEST_F(MemoryLimit, is_found_at_the_top_of_a_container) {
  write("proc/self/cgroup", "0::/../docker/0123456789ab\n");
  write("sys/fs/cgroup/memory.max", "400000000\n");
  EXPECT_EQ(control_group_memory(root_), 400'000'000u);
}

TEST(UsableMemory, is_at_most_the_machines) {
  const auto pages = static_cast<std::uint64_t>(::sysconf(_SC_PHYS_PAGES));
  EXPECT_GT(usable_memory(), 0u);
  EXPECT_LE(usable_memory(), pages * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE)));
}

}  // namespace
}  // namespace partita
