// The engines' verbs on rows of 1 KB: memory, and RocksDB where it is built in.
#include <filesystem>
#include <random>

#include <benchmark/benchmark.h>

#include "database/engines.h"
#include "sample_item.h"
#include "value/key_encoding.h"

namespace partita {
namespace {

constexpr SpaceId kSpace = 1000;
constexpr TimePoint kNow{};

std::string partition_key(std::uint64_t number) {
  std::string key;
  append_key_component(Value::string("user#" + std::to_string(number)).view(), key);
  return key;
}

// An engine with `rows` rows, one per partition, and its directory if it has one.
class FilledEngine {
 public:
  FilledEngine(EngineKind kind, std::int64_t rows) : rows_(static_cast<std::uint64_t>(rows)) {
    Options options;
    options.engine = kind;
    if (kind == EngineKind::Rocksdb) {
      directory_ = std::filesystem::temp_directory_path() /
                   ("partita-micro-" + std::to_string(std::random_device()()));
      options.data_directory = directory_;
      options.durability = Durability::Relaxed;  // this is about the processor, not the disk
    }
    auto opened = open_engine(options);
    if (!opened) std::abort();
    engine_ = std::move(*opened);
    for (std::uint64_t i = 0; i < rows_; ++i) put(i);
  }
  ~FilledEngine() {
    engine_.reset();
    std::error_code ignored;
    if (!directory_.empty()) std::filesystem::remove_all(directory_, ignored);
  }

  Engine& engine() { return *engine_; }
  std::uint64_t any() { return random_() % rows_; }

  void put(std::uint64_t number) {
    const std::string key = partition_key(number);
    const Edit edit{{Slot::Item, {}}, item_.view().bytes()};
    // As of a table without local indexes.
    const PartitionBatch batch{
        {kSpace, partition_hash(key), key}, {}, std::span(&edit, 1), {}, {1, 1024},
        /*keeps_partition_size=*/false};
    if (!engine_->commit(std::span(&batch, 1), kNow)) std::abort();
  }

 private:
  std::uint64_t rows_;
  Item item_ = sample_item(7);
  std::filesystem::path directory_;
  std::unique_ptr<Engine> engine_;
  std::mt19937_64 random_{1};
};

void get(benchmark::State& state, EngineKind kind) {
  FilledEngine filled(kind, state.range(0));
  for (auto _ : state) {
    const std::string key = partition_key(filled.any());
    const RowKey row{Slot::Item, {}};
    const Partition partition{kSpace, partition_hash(key), key};
    const auto read =
        filled.engine().get(partition, std::span(&row, 1), nullptr, [](const RowView& seen) {
          benchmark::DoNotOptimize(seen.value.data());
          return true;
        });
    if (!read) std::abort();
  }
}

void put(benchmark::State& state, EngineKind kind) {
  FilledEngine filled(kind, state.range(0));
  for (auto _ : state) filled.put(filled.any());
}

void scan_1_mb(benchmark::State& state, EngineKind kind) {
  FilledEngine filled(kind, state.range(0));
  for (auto _ : state) {
    std::size_t bytes = 0;
    const auto read =
        filled.engine().scan(kSpace, Slot::Item, {}, {}, {}, nullptr, [&](const RowView& row) {
          bytes += row.value.size();
          return bytes < 1024 * 1024;
        });
    if (!read) std::abort();
  }
}

BENCHMARK_CAPTURE(get, memory, EngineKind::Memory)->Arg(10'000)->Arg(100'000);
BENCHMARK_CAPTURE(put, memory, EngineKind::Memory)->Arg(10'000)->Arg(100'000);
BENCHMARK_CAPTURE(scan_1_mb, memory, EngineKind::Memory)->Arg(10'000);
#if defined(PARTITA_WITH_ROCKSDB)
BENCHMARK_CAPTURE(get, rocksdb, EngineKind::Rocksdb)->Arg(10'000);
BENCHMARK_CAPTURE(put, rocksdb, EngineKind::Rocksdb)->Arg(10'000);
BENCHMARK_CAPTURE(scan_1_mb, rocksdb, EngineKind::Rocksdb)->Arg(10'000);
#endif

}  // namespace
}  // namespace partita
