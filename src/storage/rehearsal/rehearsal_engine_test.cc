// The rehearsal engine: the contract of all engines, and that it really makes life hard.
#include "storage/rehearsal/rehearsal_engine.h"

#include <thread>

#include "storage/engine_contract_test.h"

namespace partita {
namespace {

INSTANTIATE_TEST_SUITE_P(Rehearsal, EngineContract,
                         testing::Values(EngineUnderTest{"rehearsal",
                                                         [](const std::filesystem::path&) {
                                                           return make_rehearsal_engine(1, 20);
                                                         },
                                                         false}));

int conflicts_of_1000(std::uint64_t seed, unsigned percent) {
  auto engine = make_rehearsal_engine(seed, percent);
  const contract::Batch batch = std::move(contract::Batch({1, "p"}).put("", "x"));
  int conflicts = 0;
  for (int i = 0; i < 1000; ++i) {
    const PartitionBatch batches[] = {batch.batch()};
    auto result = engine->commit(batches, contract::at_second(1));
    if (!result && result.error().code() == ErrorCode::Conflict) ++conflicts;
  }
  return conflicts;
}

TEST(RehearsalEngine, conflicts_as_often_as_it_was_told) {
  EXPECT_EQ(conflicts_of_1000(7, 0), 0);
  EXPECT_EQ(conflicts_of_1000(7, 100), 1000);
  const int quarter = conflicts_of_1000(7, 25);
  EXPECT_GT(quarter, 150);
  EXPECT_LT(quarter, 350);
  EXPECT_EQ(conflicts_of_1000(7, 25), quarter) << "a seed decides which";
}

TEST(RehearsalEngine, tickets_come_back_later_and_from_another_thread) {
  auto engine = make_rehearsal_engine(7, 0);
  contract::EngineDriver driver(*engine);
  const Version version = driver.commit(contract::Batch({1, "p"}).put("", "x"));
  std::promise<std::thread::id> caller;
  engine->when_durable(version,
                       [&](Result<void>) { caller.set_value(std::this_thread::get_id()); });
  EXPECT_NE(caller.get_future().get(), std::this_thread::get_id());
}

TEST(RehearsalEngine, admits_to_no_capability) {
  const Capabilities capabilities = make_rehearsal_engine(7, 0)->capabilities();
  EXPECT_FALSE(capabilities.views);
  EXPECT_FALSE(capabilities.forks);
  EXPECT_FALSE(capabilities.cheap_multi_partition);
}

}  // namespace
}  // namespace partita
