#include "jobs/stream_keeper.h"

#include <gtest/gtest.h>

#include "execution/executor.h"
#include "execution/stream_reader.h"
#include "storage/memory/memory_engine.h"

namespace partita {
namespace {

using std::chrono::hours;
using std::chrono::milliseconds;
using std::chrono::minutes;

class StreamKeeperTest : public testing::Test {
 protected:
  void SetUp() override {
    Options options;
    options.stream_shards = 2;
    auto opened = Catalog::open(*engine_, options, now_);
    ASSERT_TRUE(opened.has_value());
    catalog_ = *std::move(opened);
    keeper_.emplace(*engine_, *catalog_, StreamKeeper::Wishes{2, hours(4)});
    TableSchema table;
    table.name = "Songs";
    table.arn = "arn:aws:dynamodb:us-east-1:314159265358:table/Songs";
    table.key = {{{"id", ScalarType::N}}, {}};
    table.attribute_definitions = {{"id", ScalarType::N}};
    table.stream = StreamSpecification{true, StreamViewType::NewImage};
    ASSERT_TRUE(catalog_->create(std::move(table), now_).has_value());
  }

  StreamPointer stream() {
    const auto all = catalog_->streams(now_);
    return all.empty() ? nullptr : all.back();
  }
  void put(int id, int value) {
    const Item item{{"id", Value::number(id)}, {"v", Value::number(value)}};
    auto plan = WritePlan::put(catalog_->find_any("Songs", now_), item, std::nullopt);
    Version version = 0;
    ASSERT_TRUE(executor_.write(*plan, {}, now_, version).has_value());
  }
  void put_many(int value) {
    for (int id = 0; id < 20; ++id) put(id, value);
  }
  // Every record from the horizon of a shard, as "id=value".
  std::vector<std::string> read(const StreamShard& shard, bool& ended) {
    std::vector<std::string> seen;
    auto position = reader_.trim_horizon(*stream(), shard, now_);
    EXPECT_TRUE(position.has_value());
    std::optional<StreamPosition> next = *position;
    for (ended = false; next;) {
      auto page = reader_.read(*stream(), shard, reader_.known(), *next, 3, now_);
      EXPECT_TRUE(page.has_value());
      if (!page) return seen;
      for (const KeptRecord& record : page->records) {
        const auto change = decode_change(record.bytes);
        seen.push_back(change->after->find("v")->number());
      }
      next = page->next;
      if (page->records.empty() && next) return seen;
    }
    ended = true;
    return seen;
  }
  std::vector<std::string> read(const StreamShard& shard) {
    bool ended = false;
    return read(shard, ended);
  }
  void pass(milliseconds time) {
    now_ += time;
    keeper_->run(now_);
  }

  std::unique_ptr<Engine> engine_ = make_memory_engine();
  TimePoint now_{milliseconds(1'700'000'000'000)};
  Executor executor_{*engine_};
  StreamReader reader_{*engine_};
  std::unique_ptr<Catalog> catalog_;
  std::optional<StreamKeeper> keeper_;
};

TEST_F(StreamKeeperTest, a_shard_with_records_rolls_and_its_child_goes_on) {
  ASSERT_EQ(stream()->shards.size(), 2u);
  pass(hours(5));
  EXPECT_EQ(stream()->shards.size(), 2u) << "nothing was written, so nothing rolls";
  put_many(1);
  pass(minutes(1));
  ASSERT_EQ(stream()->shards.size(), 4u);
  put_many(2);
  for (std::size_t i = 0; i < 2; ++i) {
    const StreamShard &parent = stream()->shards[i], &child = stream()->shards[i + 2];
    EXPECT_EQ(child.parent, parent.id);
    EXPECT_EQ(child.opened, *parent.closed);
    EXPECT_EQ(child.first_lane, parent.first_lane);
    bool ended = false;
    for (const std::string& value : read(parent, ended)) EXPECT_EQ(value, "1");
    EXPECT_TRUE(ended);
    for (const std::string& value : read(child, ended)) EXPECT_EQ(value, "2");
    EXPECT_FALSE(ended);
  }
  EXPECT_EQ(read(stream()->shards[0]).size() + read(stream()->shards[1]).size(), 20u);
  EXPECT_EQ(read(stream()->shards[2]).size() + read(stream()->shards[3]).size(), 20u);
}

TEST_F(StreamKeeperTest, ids_ascend_when_the_clock_goes_back) {
  put_many(1);
  pass(hours(5));
  put_many(2);
  now_ -= hours(48);
  StreamSchema changed = *stream();
  roll_shard(changed, 2, 2, now_);
  for (std::size_t i = 1; i < changed.shards.size(); ++i) {
    EXPECT_LT(changed.shards[i - 1].id, changed.shards[i].id);
  }
}

TEST_F(StreamKeeperTest, more_shards_are_had_by_splitting) {
  put_many(1);
  keeper_.emplace(*engine_, *catalog_, StreamKeeper::Wishes{4, hours(4)});
  pass(hours(5));
  ASSERT_EQ(stream()->shards.size(), 6u);
  EXPECT_EQ(stream()->shards[2].parent, stream()->shards[0].id);
  EXPECT_EQ(stream()->shards[3].parent, stream()->shards[0].id);
  EXPECT_EQ(stream()->shards[5].parent, stream()->shards[1].id);
}

TEST_F(StreamKeeperTest, what_is_older_than_a_day_cannot_be_read_and_goes) {
  put_many(1);
  now_ += hours(23);
  put_many(2);
  const StreamPosition before{stream()->shards[0].opened + 1};
  now_ += hours(1);
  EXPECT_EQ(reader_.read(*stream(), stream()->shards[0], reader_.known(), before, 10, now_)
                .error()
                .code(),
            ErrorCode::TrimmedDataAccess)
      << "whether or not it has gone already";
  for (const StreamShard& shard : stream()->shards) {
    for (const std::string& value : read(shard)) EXPECT_EQ(value, "2");
  }
  const std::vector<std::string> ids{stream()->shards[0].id, stream()->shards[1].id};
  keeper_->run(now_);
  EXPECT_GT(stream()->trimmed, 0u);
  std::size_t left = 0;
  for (Lane lane = 0; lane < kLaneCount; ++lane) {
    ASSERT_TRUE(engine_->changes(stream()->space, lane, 0, 0, {}, [&](const ChangeView&) {
      ++left;
      return true;
    }));
  }
  EXPECT_EQ(left, 20u);
  EXPECT_EQ(reader_.read(*stream(), stream()->shards[0], reader_.known(), before, 10, now_)
                .error()
                .code(),
            ErrorCode::TrimmedDataAccess);
  pass(hours(24));
  EXPECT_EQ(stream()->find_shard(ids[0]), nullptr) << "closed for a day";
}

TEST_F(StreamKeeperTest, whoever_waits_for_a_record_never_lags_behind_what_is_trimmed) {
  put(1, 1);  // in one lane only
  std::vector<StreamPosition> positions;
  for (const StreamShard& shard : stream()->shards) {
    positions.push_back(
        *reader_.read(*stream(), shard, reader_.known(), {shard.opened + 1}, 10, now_)->next);
  }
  pass(hours(25));
  EXPECT_GT(stream()->trimmed, 0u);
  for (std::size_t i = 0; i < positions.size(); ++i) {
    EXPECT_TRUE(
        reader_.read(*stream(), stream()->shards[i], reader_.known(), positions[i], 10, now_)
            .has_value());
  }
}

TEST_F(StreamKeeperTest, a_disabled_stream_is_readable_for_a_day) {
  put_many(1);
  const TablePointer table = catalog_->find_any("Songs", now_);
  const StreamPointer old = stream();
  ASSERT_TRUE(catalog_->remove(table, now_).has_value());
  ASSERT_NE(catalog_->find_stream(old->arn, now_), nullptr);
  EXPECT_EQ(read(stream()->shards[0]).size() + read(stream()->shards[1]).size(), 20u);
  pass(hours(23));
  ASSERT_NE(catalog_->find_stream(old->arn, now_), nullptr);
  now_ += hours(1);
  EXPECT_EQ(catalog_->find_stream(old->arn, now_), nullptr);
  EXPECT_FALSE(catalog_->streams(now_, true).empty());
  keeper_->run(now_);
  EXPECT_TRUE(catalog_->streams(now_, true).empty());
}

TEST_F(StreamKeeperTest, streams_survive_a_restart) {
  put_many(1);
  pass(hours(5));
  put_many(2);
  const StreamPointer before = stream();
  auto opened = Catalog::open(*engine_, {}, now_);
  ASSERT_TRUE(opened.has_value());
  catalog_ = *std::move(opened);
  ASSERT_EQ(stream()->shards.size(), before->shards.size());
  for (std::size_t i = 0; i < before->shards.size(); ++i) {
    const StreamShard &was = before->shards[i], &is = stream()->shards[i];
    EXPECT_EQ(is.id, was.id);
    EXPECT_EQ(is.parent, was.parent);
    EXPECT_EQ(is.opened, was.opened);
    EXPECT_EQ(is.closed, was.closed);
  }
  EXPECT_EQ(read(stream()->shards[2]).size() + read(stream()->shards[3]).size(), 20u);
}

TEST_F(StreamKeeperTest, two_streams_of_one_moment_have_two_names) {
  const StreamPointer first = stream();
  TableSchema without = *catalog_->find_any("Songs", now_);
  without.stream.reset();
  without.stream_space = 0;
  ASSERT_TRUE(catalog_->update(catalog_->find_any("Songs", now_), without, now_).has_value());
  TableSchema with = *catalog_->find_any("Songs", now_);
  with.stream = StreamSpecification{true, StreamViewType::KeysOnly};
  ASSERT_TRUE(catalog_->update(catalog_->find_any("Songs", now_), with, now_).has_value());
  EXPECT_EQ(catalog_->streams(now_).size(), 2u);
  EXPECT_NE(stream()->arn, first->arn);
  EXPECT_TRUE(catalog_->find_stream(first->arn, now_)->disabled_at.has_value());
}

}  // namespace
}  // namespace partita
