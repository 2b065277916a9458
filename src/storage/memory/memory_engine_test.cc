// The memory engine: the contract of all engines, and what is promised of this one alone.
#include "storage/memory/memory_engine.h"

#include "storage/engine_contract_test.h"

namespace partita {

INSTANTIATE_TEST_SUITE_P(
    Memory, EngineContract,
    testing::Values(EngineUnderTest{
        "memory", [](const std::filesystem::path&) { return make_memory_engine(); }, false}));

}  // namespace partita
