// The contract: what every storage engine does, as tests (storage/contract, compiled once and
// linked into each engine's tests). An engine's own test file includes this and names the engine to
// hold to it:
//
//   INSTANTIATE_TEST_SUITE_P(Memory, EngineContract, testing::Values(EngineUnderTest{
//       "memory", [](const std::filesystem::path&) { return make_memory_engine(); }, false}));
//
// A test that needs a capability the engine does not report passes without running its body; there
// is always one that says what the engine answers instead.
#pragma once

#include "storage/contract/contract_fixture.h"
