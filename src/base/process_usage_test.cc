#include "base/process_usage.h"

#include <gtest/gtest.h>
#include <unistd.h>

namespace partita {
namespace {

TEST(ProcessUsage, a_running_process_takes_something_of_everything) {
  const ProcessUsage usage = process_usage();
  EXPECT_GT(usage.resident_bytes, 100'000u);
  EXPECT_GE(usage.virtual_bytes, usage.resident_bytes);
  EXPECT_GT(usage.cpu_seconds, 0.0);
  EXPECT_GT(usage.open_files, 0u);
  EXPECT_GE(usage.open_files_max, usage.open_files);
}

TEST(ProcessUsage, one_more_open_file_is_one_more) {
  const std::uint64_t before = process_usage().open_files;
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  EXPECT_EQ(process_usage().open_files, before + 2);
  ::close(ends[0]);
  ::close(ends[1]);
}

}  // namespace
}  // namespace partita
