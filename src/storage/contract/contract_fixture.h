// What the contract's tests are written with: an engine in a directory of its own, batches that own
// their bytes, and reads that collect what a sink was shown.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <functional>
#include <future>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <stdlib.h>

#include "storage/engine.h"

namespace partita {

struct EngineUnderTest {
  std::string name;
  // Opens the engine that lives in the directory, which exists; an engine without files ignores it.
  std::function<std::unique_ptr<Engine>(const std::filesystem::path& directory)> open;
  bool survives_reopen = false;
};

inline void PrintTo(const EngineUnderTest& engine, std::ostream* out) { *out << engine.name; }

namespace contract {

inline TimePoint at_second(std::int64_t seconds) {
  return TimePoint(std::chrono::seconds(seconds));
}

// Partition keys as the key encoding makes them: none is a proper prefix of another.
inline std::string partition_key(std::string_view text) {
  std::string key;
  for (char c : text) {
    key += c;
    if (c == '\0') key += '\xff';
  }
  return key + std::string("\0\1", 2);
}

// Any hash will do as long as a key always has the same; this one spreads over the whole range.
inline std::uint64_t spread_hash(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  hash = (hash ^ (hash >> 31)) * 0x9e3779b97f4a7c15;
  return hash ^ (hash >> 29);
}

// A partition that owns its key.
struct Place {
  Place(SpaceId space_id, std::string_view text) : Place(space_id, text, spread_hash(text)) {}
  Place(SpaceId space_id, std::string_view text, std::uint64_t key_hash)
      : space(space_id), hash(key_hash), key(partition_key(text)) {}
  Partition partition() const { return {space, hash, key}; }

  SpaceId space;
  std::uint64_t hash;
  std::string key;
};

// A PartitionBatch and the bytes it points to.
class Batch {
 public:
  explicit Batch(const Place& place) : place_(place) {}
  Batch(Batch&&) = default;

  Batch& put(std::string_view sort, std::string_view value, Slot slot = Slot::Item) {
    edits_.push_back({{slot, keep(sort)}, keep(value)});
    return *this;
  }
  Batch& erase(std::string_view sort, Slot slot = Slot::Item) {
    edits_.push_back({{slot, keep(sort)}, std::nullopt});
    return *this;
  }
  Batch& expect(std::string_view sort, Version version, Slot slot = Slot::Item) {
    guards_.push_back({{slot, keep(sort)}, version});
    return *this;
  }
  Batch& record(std::string_view text) { return record_in(place_.space, text); }
  Batch& record_in(SpaceId log, std::string_view text) {
    changes_.push_back({log, keep(text)});
    return *this;
  }
  Batch& grow(std::int64_t items, std::int64_t bytes) {
    delta_ = {items, bytes};
    return *this;
  }

  PartitionBatch batch() const { return {place_.partition(), guards_, edits_, changes_, delta_}; }

 private:
  Bytes keep(std::string_view bytes) { return bytes_.emplace_back(bytes); }

  Place place_;
  std::deque<std::string> bytes_;  // a deque: its strings stay where they are
  std::vector<Guard> guards_;
  std::vector<Edit> edits_;
  std::vector<LoggedChange> changes_;
  Size delta_;
};

// A row as a sink was shown it, copied.
struct SeenRow {
  std::uint64_t hash = 0;
  std::string key;
  Slot slot = Slot::Item;
  std::string sort;
  Version version = 0;
  std::string value;

  explicit SeenRow(const RowView& row)
      : hash(row.partition.hash),
        key(row.partition.key),
        slot(row.key.slot),
        sort(row.key.sort),
        version(row.version),
        value(row.value) {}
};

struct SeenChange {
  Version version = 0;
  std::uint32_t ordinal = 0;
  std::string record;
  friend bool operator==(const SeenChange&, const SeenChange&) = default;
};

inline std::vector<std::string> sorts_of(const std::vector<SeenRow>& rows) {
  std::vector<std::string> sorts;
  for (const SeenRow& row : rows) sorts.push_back(row.sort);
  return sorts;
}

inline std::vector<std::string> values_of(const std::vector<SeenRow>& rows) {
  std::vector<std::string> values;
  for (const SeenRow& row : rows) values.push_back(row.value);
  return values;
}

using Strings = std::vector<std::string>;

// Commits and reads against one engine, failing the test when the engine reports an error it has no
// reason for.
class EngineDriver {
 public:
  explicit EngineDriver(Engine& engine) : engine_(&engine) {}

  // Asks again when the engine answers Conflict, which any engine may do without cause. A conflict
  // that stands after this many tries has one.
  static constexpr int kTriesMax = 100;
  Result<Version> try_commit(std::span<const PartitionBatch> batches,
                             TimePoint now = at_second(1)) {
    Result<Version> result = engine_->commit(batches, now);
    for (int i = 1; i < kTriesMax && !result && result.error().code() == ErrorCode::Conflict; ++i) {
      result = engine_->commit(batches, now);
    }
    return result;
  }
  template <typename... Batches>
  Result<Version> try_commit(const Batch& first, const Batches&... others) {
    const std::array batches{first.batch(), others.batch()...};
    return try_commit(std::span<const PartitionBatch>(batches));
  }
  template <typename... Batches>
  Version commit(const Batch& first, const Batches&... others) {
    return commit_at(at_second(1), first, others...);
  }
  template <typename... Batches>
  Version commit_at(TimePoint now, const Batch& first, const Batches&... others) {
    const std::array batches{first.batch(), others.batch()...};
    auto version = try_commit(std::span<const PartitionBatch>(batches), now);
    EXPECT_TRUE(version.has_value()) << version.error().message();
    return version ? *version : 0;
  }

  std::vector<SeenRow> get(const Place& place, const std::vector<RowKey>& keys,
                           const View* view = nullptr) {
    return collect([&](RowSink sink) { return engine_->get(place.partition(), keys, view, sink); });
  }
  std::optional<SeenRow> get_one(const Place& place, std::string_view sort,
                                 const View* view = nullptr, Slot slot = Slot::Item) {
    auto rows = get(place, {RowKey{slot, sort}}, view);
    EXPECT_LE(rows.size(), 1u);
    return rows.empty() ? std::nullopt : std::optional(rows[0]);
  }
  std::vector<SeenRow> range(const Place& place, const KeyRange& range = {},
                             Direction direction = Direction::Forward,
                             std::size_t rows_max = SIZE_MAX, const View* view = nullptr) {
    return collect(
        [&](RowSink sink) {
          return engine_->range(place.partition(), range, direction, {}, view, sink);
        },
        rows_max);
  }
  std::vector<SeenRow> scan(SpaceId space, HashRange hashes = {},
                            const std::optional<ScanStart>& start = std::nullopt,
                            std::size_t rows_max = SIZE_MAX, const View* view = nullptr,
                            Slot slot = Slot::Item) {
    return collect(
        [&](RowSink sink) { return engine_->scan(space, slot, hashes, start, {}, view, sink); },
        rows_max);
  }
  std::vector<SeenChange> changes(SpaceId space, Lane lane, Version after = 0,
                                  std::uint32_t after_ordinal = 0,
                                  std::size_t records_max = SIZE_MAX) {
    std::vector<SeenChange> seen;
    auto result =
        engine_->changes(space, lane, after, after_ordinal, {}, [&](const ChangeView& change) {
          seen.push_back({change.version, change.ordinal, std::string(change.record)});
          return seen.size() < records_max;
        });
    EXPECT_TRUE(result.has_value()) << result.error().message();
    return seen;
  }
  Size size(SpaceId space) {
    auto size = engine_->size(space);
    EXPECT_TRUE(size.has_value()) << size.error().message();
    return size ? *size : Size{};
  }
  Size size(const Place& place) {
    const Partition partition = place.partition();
    auto size = engine_->size(place.space, &partition);
    EXPECT_TRUE(size.has_value()) << size.error().message();
    return size ? *size : Size{};
  }

 private:
  template <typename Read>
  std::vector<SeenRow> collect(Read read, std::size_t rows_max = SIZE_MAX) {
    std::vector<SeenRow> rows;
    auto result = read([&](const RowView& row) {
      EXPECT_LT(rows.size(), rows_max) << "the sink was called again after it said stop";
      rows.emplace_back(row);
      return rows.size() < rows_max;
    });
    EXPECT_TRUE(result.has_value()) << result.error().message();
    return rows;
  }

  Engine* engine_;
};

}  // namespace contract

class EngineContract : public testing::TestWithParam<EngineUnderTest> {
 protected:
  EngineContract() {
    std::string pattern =
        (std::filesystem::temp_directory_path() / "partita-engine-XXXXXX").string();
    directory_ = mkdtemp(pattern.data());
    open();
  }
  ~EngineContract() override {
    engine_.reset();
    std::error_code ignored;
    std::filesystem::remove_all(directory_, ignored);
  }

  void open() {
    std::filesystem::create_directories(directory_ / "data");
    engine_ = GetParam().open(directory_ / "data");
    ASSERT_NE(engine_, nullptr);
    driver_.emplace(*engine_);
  }
  // Closes the engine and opens it again on the same directory.
  void reopen() {
    engine_.reset();
    open();
  }

  Engine& engine() { return *engine_; }
  contract::EngineDriver& driver() { return *driver_; }
  std::string fork_directory() const { return (directory_ / "fork").string(); }

  // Runs the body on each of so many threads, given the thread's number.
  static void on_threads(int count, const std::function<void(int)>& body) {
    std::vector<std::thread> threads;
    for (int i = 0; i < count; ++i) threads.emplace_back(body, i);
    for (std::thread& thread : threads) thread.join();
  }

 private:
  std::filesystem::path directory_;
  std::unique_ptr<Engine> engine_;
  std::optional<contract::EngineDriver> driver_;
};

// Waits for a version's ticket, which must come within the time a test is willing to wait.
inline void wait_until_durable(Engine& engine, Version version) {
  auto called = std::make_shared<std::promise<bool>>();
  auto future = called->get_future();
  engine.when_durable(version,
                      [called](Result<void> result) { called->set_value(result.has_value()); });
  ASSERT_EQ(future.wait_for(std::chrono::seconds(30)), std::future_status::ready);
  EXPECT_TRUE(future.get());
  EXPECT_GE(engine.durable(), version);
}

}  // namespace partita
