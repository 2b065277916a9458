// The RocksDB engine: the contract every engine keeps, and what only a durable one promises.
#include "storage/rocksdb/rocksdb_engine.h"

#include "storage/engine_contract_test.h"

namespace partita {

namespace {

std::unique_ptr<Engine> open_in(const std::filesystem::path& directory, bool sync) {
  auto engine = open_rocksdb_engine({.directory = directory.string(), .sync = sync});
  EXPECT_TRUE(engine.has_value()) << engine.error().message();
  return engine ? std::move(*engine) : nullptr;
}

}  // namespace

INSTANTIATE_TEST_SUITE_P(
    Rocksdb, EngineContract,
    testing::Values(EngineUnderTest{"rocksdb",
                                    [](const auto& directory) { return open_in(directory, true); },
                                    true},
                    EngineUnderTest{"relaxed",
                                    [](const auto& directory) { return open_in(directory, false); },
                                    true}),
    [](const auto& suite) { return suite.param.name; });

}  // namespace partita
