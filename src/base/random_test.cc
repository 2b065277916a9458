#include "base/random.h"

#include <set>

#include <gtest/gtest.h>

namespace partita {
namespace {

class FixedRandom final : public RandomSource {
 public:
  explicit FixedRandom(std::uint64_t value) : value_(value) {}
  std::uint64_t next() override { return value_; }

 private:
  std::uint64_t value_;
};

TEST(RandomUuid, carries_version_four_and_its_variant_whatever_the_bits) {
  FixedRandom zeros(0), ones(~std::uint64_t{0});
  EXPECT_EQ(random_uuid(zeros), "00000000-0000-4000-8000-000000000000");
  EXPECT_EQ(random_uuid(ones), "ffffffff-ffff-4fff-bfff-ffffffffffff");
}

TEST(SystemRandom, does_not_repeat_itself) {
  SystemRandom random;
  std::set<std::string> uuids;
  for (int i = 0; i < 1000; ++i) uuids.insert(random_uuid(random));
  EXPECT_EQ(uuids.size(), 1000u);
}

}  // namespace
}  // namespace partita
