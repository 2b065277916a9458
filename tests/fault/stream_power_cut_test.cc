// Power cuts while threads write to a table with a stream, its shards roll, and a consumer reads.
//
// Each thread counts up in items of its own. The consumer keeps its positions across the cuts, as
// whoever holds a shard iterator does. What it has seen of an item must be an unbroken chain that
// ends in what the table holds, with everything acknowledged in it.
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <iostream>
#include <map>
#include <mutex>
#include <random>
#include <set>
#include <thread>

#include <gtest/gtest.h>

#include "execution/executor.h"
#include "execution/stream_reader.h"
#include "fault_file_system.h"
#include "jobs/stream_keeper.h"
#include "scratch_directory.h"
#include "storage/rocksdb/rocksdb_engine.h"

namespace partita {
namespace {

constexpr int kWriters = 4, kItemsEach = 3;
constexpr TimePoint kNow{std::chrono::milliseconds(1'700'000'000'000)};

int number_in(std::optional<ItemView> item) {
  return item ? std::stoi(item->find("n")->number()) : 0;
}

// One opening of the database.
struct Opened {
  explicit Opened(std::unique_ptr<Engine> opened_engine, std::unique_ptr<Catalog> opened_catalog)
      : engine(std::move(opened_engine)), catalog(std::move(opened_catalog)) {}

  std::unique_ptr<Engine> engine;
  std::unique_ptr<Catalog> catalog;
  Executor executor{*engine};
  StreamReader reader{*engine};
  StreamKeeper keeper{*engine, *catalog, {4, std::chrono::milliseconds(0)}};

  // As an answer waits for what it tells of.
  bool wait(Version version) {
    std::mutex mutex;
    std::condition_variable arrived;
    std::optional<bool> durable;
    engine->when_durable(version, [&](Result<void> result) {
      const std::lock_guard lock(mutex);
      durable = result.has_value();
      arrived.notify_one();
    });
    std::unique_lock lock(mutex);
    arrived.wait(lock, [&] { return durable.has_value(); });
    return *durable;
  }
};

struct Consumer {
  std::map<std::string, StreamPosition> positions;  // of shards being read
  std::set<std::string> ended;
  std::map<int, std::vector<std::pair<int, int>>> seen;  // by item: from, to

  // True while there was something new.
  bool poll(Opened& opened) {
    const Version known = opened.reader.known();
    opened.catalog->settle();
    const auto streams = opened.catalog->streams(kNow);
    if (streams.empty() || !opened.wait(streams[0]->version)) return false;
    bool news = false;
    for (const StreamShard& shard : streams[0]->shards) {
      if (ended.contains(shard.id) || (!shard.parent.empty() && !ended.contains(shard.parent))) {
        continue;
      }
      const auto place = positions.try_emplace(shard.id, StreamPosition{shard.opened + 1}).first;
      auto page = opened.reader.read(*streams[0], shard, known, place->second, 5, kNow);
      if (!page) return false;
      for (const KeptRecord& record : page->records) take(record);
      news = news || !page->records.empty() || !page->next;
      if (page->next) {
        place->second = *page->next;
      } else {
        ended.insert(shard.id);
      }
    }
    return news;
  }

  void take(const KeptRecord& record) {
    const auto change = decode_change(record.bytes);
    ASSERT_TRUE(change.has_value());
    const ItemView item = change->after ? *change->after : *change->before;
    seen[std::stoi(item.find("id")->number())].emplace_back(number_in(change->before),
                                                            number_in(change->after));
  }
};

class StreamCuts {
 public:
  explicit StreamCuts(std::uint64_t seed)
      : random_(seed), files_(std::make_shared<FaultFileSystem>(seed)) {}

  void run(int cuts) {
    open();
    ASSERT_NE(opened_, nullptr);
    make_table();
    for (int cut = 0; cut < cuts && !testing::Test::HasFailure(); ++cut) {
      write_until_cut();
      files_->restore_power(static_cast<FaultFileSystem::Tail>(random_() % 3));
      open();
      ASSERT_NE(opened_, nullptr);
      check();
    }
  }
  const Consumer& consumer() const { return consumer_; }

 private:
  void open() {
    auto engine =
        open_rocksdb_engine({.directory = scratch_.data(), .sync = true, .file_system = files_});
    ASSERT_TRUE(engine.has_value()) << engine.error().message();
    Options options;
    options.stream_shards = 4;
    auto catalog = Catalog::open(**engine, options, kNow);
    ASSERT_TRUE(catalog.has_value()) << catalog.error().message();
    opened_ = std::make_unique<Opened>(*std::move(engine), *std::move(catalog));
  }

  void make_table() {
    TableSchema table;
    table.name = "Counters";
    table.arn = "arn:aws:dynamodb:us-east-1:314159265358:table/Counters";
    table.key = {{{"id", ScalarType::N}}, {}};
    table.attribute_definitions = {{"id", ScalarType::N}};
    table.stream = StreamSpecification{true, StreamViewType::NewAndOldImages};
    const auto created = opened_->catalog->create(std::move(table), kNow);
    ASSERT_TRUE(created.has_value());
    ASSERT_TRUE(opened_->wait(created->version));
  }

  void write(int thread) {
    for (int turn = 0; !files_->is_cut(); ++turn) {
      const int id = thread * kItemsEach + turn % kItemsEach;
      const int number = ++attempted_[id];
      const Item item{{"id", Value::number(id)}, {"n", Value::number(number)}};
      auto plan = WritePlan::put(opened_->catalog->find_any("Counters", kNow), item, std::nullopt);
      Version version = 0;
      if (!opened_->executor.write(*plan, {}, kNow, version) || !opened_->wait(version)) return;
      acknowledged_[id] = number;
    }
  }

  void write_until_cut() {
    std::vector<std::thread> threads;
    for (int thread = 0; thread < kWriters; ++thread) {
      for (int i = 0; i < kItemsEach; ++i) {  // so that threads find their own entries only
        attempted_[thread * kItemsEach + i];
        acknowledged_[thread * kItemsEach + i];
      }
    }
    for (int thread = 0; thread < kWriters; ++thread) {
      threads.emplace_back([this, thread] { write(thread); });
    }
    threads.emplace_back([this] {
      while (!files_->is_cut()) consumer_.poll(*opened_);
    });
    threads.emplace_back([this] {
      while (!files_->is_cut()) {
        opened_->keeper.run(kNow);
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
      }
    });
    std::this_thread::sleep_for(std::chrono::milliseconds(20 + random_() % 60));
    files_->cut_power();
    for (std::thread& thread : threads) thread.join();
    opened_.reset();
  }

  void check() {
    while (consumer_.poll(*opened_)) {
    }
    for (auto& [id, attempted] : attempted_) {
      const TablePointer table = opened_->catalog->find_any("Counters", kNow);
      const Item item{{"id", Value::number(id)}};
      const auto place = key_of_request(table->key, item);
      ASSERT_TRUE(place.has_value());
      Version depends_on = 0;
      const auto found = opened_->executor.get(*table, *place, nullptr, nullptr, depends_on);
      ASSERT_TRUE(found.has_value());
      const int stored = found->item ? number_in(found->item->view()) : 0;
      int chain = 0;
      for (const auto& [from, to] : consumer_.seen[id]) {
        ASSERT_EQ(from, chain) << "item " << id << ": something is missing, twice or out of order";
        ASSERT_GT(to, from);
        chain = to;
      }
      EXPECT_EQ(chain, stored) << "item " << id;
      EXPECT_GE(stored, acknowledged_[id]) << "item " << id;
      attempted = std::max(attempted, stored);
    }
  }

  std::mt19937_64 random_;
  const ScratchDirectory scratch_;
  const std::shared_ptr<FaultFileSystem> files_;
  std::unique_ptr<Opened> opened_;
  Consumer consumer_;
  std::map<int, int> attempted_, acknowledged_;
};

TEST(StreamPowerCut, a_consumer_sees_everything_once_and_in_order) {
  const std::uint64_t seed = std::random_device()();
  std::cout << "seed " << seed << '\n';
  StreamCuts cuts(seed);
  cuts.run(25);
  std::size_t records = 0;
  for (const auto& [id, chain] : cuts.consumer().seen) records += chain.size();
  std::cout << records << " records, " << cuts.consumer().ended.size() << " shards ended\n";
  EXPECT_GT(records, 100u);
  EXPECT_GT(cuts.consumer().ended.size(), 10u);
}

}  // namespace
}  // namespace partita
