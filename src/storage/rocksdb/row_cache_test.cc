#include "storage/rocksdb/row_cache.h"

#include <array>
#include <atomic>
#include <optional>
#include <string>
#include <thread>

#include <gtest/gtest.h>

#include "storage/rocksdb/row_layout.h"

namespace partita {
namespace {

constexpr std::size_t kPlenty = 1 << 20;
constexpr std::uint64_t kHash = 0x1234'5678'9ABC'DEF0;

// One row of one partition, and the cache as an engine uses it.
struct OneRow {
  RowCache cache{kPlenty};
  Partition partition{1, kHash, "key"};
  RowKey key{Slot::Item, "sort"};
  rocksdb_layout::RowKeyBytes bytes{partition, key};

  PartitionBatch write(const Edit& edit) {
    PartitionBatch batch;
    batch.partition = partition;
    batch.edits = {&edit, 1};
    return batch;
  }
  RowCache::Found find() { return cache.find(kHash, bytes.bytes()); }
  void fill(const RowCache::Found& found, Version version, Bytes value) {
    cache.fill(kHash, bytes.bytes(), found.moment, version, value);
  }
};

TEST(RowCache, AnswersWhatAReaderFilledIn) {
  OneRow row;
  const auto missed = row.find();
  EXPECT_FALSE(missed.row);
  row.fill(missed, 7, "value");
  const auto found = row.find();
  ASSERT_TRUE(found.row);
  EXPECT_EQ(found.row->version(), 7U);
  EXPECT_EQ(found.row->value(), "value");
  EXPECT_EQ(row.cache.figures().hits, 1U);
  EXPECT_EQ(row.cache.figures().misses, 1U);
}

TEST(RowCache, RemembersThatARowIsNotThere) {
  OneRow row;
  row.fill(row.find(), 0, {});
  ASSERT_TRUE(row.find().row);
  EXPECT_EQ(row.find().row->version(), 0U);
}

TEST(RowCache, AReaderThatSawTheRowBeforeACommitFillsNothingIn) {
  OneRow row;
  const auto before = row.find();
  const Edit edit{row.key, Bytes("new")};
  const PartitionBatch batch = row.write(edit);
  {
    RowCache::Writing writing(row.cache, {&batch, 1});
    const auto during = row.find();
    EXPECT_FALSE(during.row);
    row.fill(before, 1, "old");
    row.fill(during, 1, "old");
    EXPECT_FALSE(row.find().row);
    writing.committed(2);
  }
  row.fill(before, 1, "old");
  ASSERT_TRUE(row.find().row);
  EXPECT_EQ(row.find().row->value(), "new");
  EXPECT_EQ(row.find().row->version(), 2U);
}

TEST(RowCache, NothingIsAnsweredWhileACommitIsUnderWay) {
  OneRow row;
  row.fill(row.find(), 1, "old");
  const Edit edit{row.key, std::nullopt};
  const PartitionBatch batch = row.write(edit);
  {
    RowCache::Writing writing(row.cache, {&batch, 1});
    EXPECT_FALSE(row.find().row);
    writing.committed(2);
  }
  ASSERT_TRUE(row.find().row);
  EXPECT_EQ(row.find().row->version(), 0U);
}

TEST(RowCache, ACommitThatFailedIsForgotten) {
  OneRow row;
  row.fill(row.find(), 1, "old");
  const Edit edit{row.key, Bytes("new")};
  const PartitionBatch batch = row.write(edit);
  { RowCache::Writing writing(row.cache, {&batch, 1}); }
  EXPECT_FALSE(row.find().row);
}

TEST(RowCache, AReaderKeepsItsRowThroughACommit) {
  OneRow row;
  row.fill(row.find(), 1, "old");
  const auto held = row.find();
  const Edit edit{row.key, Bytes("new")};
  const PartitionBatch batch = row.write(edit);
  {
    RowCache::Writing writing(row.cache, {&batch, 1});
    writing.committed(2);
  }
  EXPECT_EQ(held.row->value(), "old");
}

TEST(RowCache, StaysWithinItsBytesAndKeepsWhatIsRead) {
  constexpr std::size_t kBytes = 256 * 1024;
  RowCache cache(kBytes);
  const std::string value(1000, 'x');
  auto row_key = [](int i) { return "row " + std::to_string(i); };
  auto hash = [](int i) { return static_cast<std::uint64_t>(i) * 0x9E37'79B9'7F4A'7C15; };
  for (int i = 0; i < 5'000; ++i) {
    const auto found = cache.find(hash(i), row_key(i));
    cache.fill(hash(i), row_key(i), found.moment, 1, value);
    const auto first = cache.find(hash(0), row_key(0));  // read all the time
    if (!first.row) cache.fill(hash(0), row_key(0), first.moment, 1, value);
    ASSERT_LE(cache.figures().bytes, kBytes);
  }
  EXPECT_GT(cache.figures().bytes, kBytes / 2);
  EXPECT_GT(cache.figures().hits, 4'900U);
  EXPECT_FALSE(cache.find(hash(1), row_key(1)).row);
}

TEST(RowCache, ALongRowIsNotKept) {
  OneRow row;
  row.fill(row.find(), 1, std::string(100 * 1024, 'x'));
  EXPECT_FALSE(row.find().row);
}

// A writer counts up; readers fill in what the "database" holds. Nobody may see it go down.
TEST(RowCache, ReadersNeverSeeAnOlderRowThanBefore) {
  OneRow row;
  std::atomic<Version> stored{0};
  std::atomic<bool> done{false};
  auto read = [&] {
    Version last = 0;
    while (!done.load()) {
      const auto found = row.find();
      const Version version = found.row ? found.row->version() : stored.load();
      if (!found.row) row.fill(found, version, "value");
      EXPECT_GE(version, last);
      last = version;
    }
  };
  std::array<std::thread, 2> readers{std::thread(read), std::thread(read)};
  const Edit edit{row.key, Bytes("value")};
  const PartitionBatch batch = row.write(edit);
  for (Version version = 1; version <= 20'000; ++version) {
    RowCache::Writing writing(row.cache, {&batch, 1});
    stored.store(version);
    writing.committed(version);
  }
  done.store(true);
  for (std::thread& reader : readers) reader.join();
}

}  // namespace
}  // namespace partita
