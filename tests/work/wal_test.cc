// What writes cost on disk: commits, syncs and bytes of the write-ahead log, counted.
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <random>

#include <gtest/gtest.h>

#include "workload.h"

namespace partita::work {
namespace {

struct Cost {
  double commits, syncs, wal_bytes;  // of one write
};

class WalTest : public testing::Test {
 protected:
  WalTest()
      : directory_(std::filesystem::temp_directory_path() /
                   ("partita-wal-" + std::to_string(std::random_device()()))) {}
  ~WalTest() override { std::filesystem::remove_all(directory_); }

  // Writes come one after the other, so each has a sync to itself.
  Cost cost_of(int indexes, const std::function<bool(Database&, int)>& write, bool stream = false) {
    constexpr int kWrites = 60;
    std::filesystem::remove_all(directory_);
    auto opened = Database::open({.data_directory = directory_.string()});
    EXPECT_TRUE(opened.has_value()) << opened.error().message();
    Database& database = **opened;
    create_table(database, indexes, stream);
    for (int i = 0; i < 2 * kKeys; ++i) EXPECT_TRUE(write(database, i));  // what is replaced then
    const DatabaseFigures before = database.figures();
    const std::uint64_t bytes_before = wal_bytes();
    for (int i = 0; i < kWrites; ++i) EXPECT_TRUE(write(database, i));
    const DatabaseFigures after = database.figures();
    const auto each = [](auto more, auto less) {
      return static_cast<double>(more - less) / kWrites;
    };
    return {each(after.commits, before.commits), each(after.syncs, before.syncs),
            each(wal_bytes(), bytes_before)};
  }

  Cost cost_of_put(int indexes, int groups = kKeys, bool stream = false) {
    const std::vector<Item> items = make_items(groups);
    const auto put = [&](Database& database, int i) {
      const Item& item = items[static_cast<std::size_t>(i) % items.size()];
      return database.put_item({.table_name = "Work", .item = item}).has_value();
    };
    return cost_of(indexes, put, stream);
  }
  Cost cost_together(std::size_t size,
                     bool (*write)(Database&, const std::vector<ItemView>& items)) {
    const std::vector<Item> items = make_items();
    return cost_of(0, [&](Database& database, int i) {
      std::vector<ItemView> next(size);
      for (std::size_t j = 0; j < size; ++j) {
        next[j] = items[(static_cast<std::size_t>(i) + j) % items.size()];
      }
      return write(database, next);
    });
  }

  static void expect_one_commit_and_sync(const Cost& cost) {
    EXPECT_DOUBLE_EQ(cost.commits, 1);
    EXPECT_DOUBLE_EQ(cost.syncs, 1);
  }

 private:
  // Up to the zeros that are written ahead.
  std::uint64_t wal_bytes() const {
    std::uint64_t bytes = 0;
    for (const auto& file : std::filesystem::recursive_directory_iterator(directory_)) {
      if (file.path().extension() != ".log") continue;
      std::ifstream log(file.path(), std::ios::binary);
      const std::string content(std::istreambuf_iterator<char>(log), {});
      bytes += content.find_last_not_of('\0') + 1;
    }
    return bytes;
  }

  std::filesystem::path directory_;
};

TEST_F(WalTest, a_put_writes_its_item_once) {
  const Cost put = cost_of_put(0);
  expect_one_commit_and_sync(put);
  const double item_bytes = static_cast<double>(make_items()[0].view().bytes().size());
  EXPECT_GT(put.wal_bytes, item_bytes);
  EXPECT_LT(put.wal_bytes, item_bytes + 150);
}

TEST_F(WalTest, three_global_indexes_write_three_more_rows_in_the_same_commit) {
  const Cost plain = cost_of_put(0), in_place = cost_of_put(3), moving = cost_of_put(3, 2 * kKeys);
  expect_one_commit_and_sync(in_place);
  expect_one_commit_and_sync(moving);
  EXPECT_LT(in_place.wal_bytes, 4 * plain.wal_bytes);
  EXPECT_LT(moving.wal_bytes, 4 * plain.wal_bytes + 3 * 100) << "and three keys that are deleted";
}

TEST_F(WalTest, a_stream_writes_one_more_record_in_the_same_commit) {
  const Cost plain = cost_of_put(0), streamed = cost_of_put(0, kKeys, true);
  expect_one_commit_and_sync(streamed);
  EXPECT_LT(streamed.wal_bytes, 3 * plain.wal_bytes) << "the item before and after";
}

TEST_F(WalTest, a_batch_of_25_is_one_commit_and_less_than_25_puts) {
  const Cost batch = cost_together(25, work::batch);
  expect_one_commit_and_sync(batch);
  EXPECT_LT(batch.wal_bytes, 25 * cost_of_put(0).wal_bytes);
}

TEST_F(WalTest, a_transaction_of_2_is_one_commit_and_at_most_2_puts) {
  const Cost transaction = cost_together(2, work::transaction);
  expect_one_commit_and_sync(transaction);
  EXPECT_LE(transaction.wal_bytes, 2 * cost_of_put(0).wal_bytes);
}

}  // namespace
}  // namespace partita::work
