// Random operations against the engine and against a std::map, compared after every step. The seed
// is printed when they differ.

#include <algorithm>
#include <map>
#include <random>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "storage/contract/contract_fixture.h"

namespace partita::contract {

// What an engine holds, kept in the simplest way that can be right.
struct ModelState {
  struct Key {
    SpaceId space;
    Slot slot;
    std::uint64_t hash;
    std::string key;
    std::string sort;
    auto tie() const { return std::tie(space, slot, hash, key, sort); }
    bool operator<(const Key& other) const { return tie() < other.tie(); }
  };
  struct Row {
    Version version;
    std::string value;
  };
  std::map<Key, Row> rows;
  std::map<std::pair<SpaceId, std::string>, Size> partition_sizes;
  std::map<SpaceId, Size> space_sizes;
  std::map<std::pair<SpaceId, Lane>, std::vector<SeenChange>> changes;
};

class RandomOperations {
 public:
  RandomOperations(Engine& engine, std::uint64_t seed) : random_(seed), driver_(engine) {}

  void attach(Engine& engine) { driver_ = EngineDriver(engine); }
  std::uint64_t below(std::uint64_t end) { return random_() % end; }

  void commit_something();
  void trim_something(Engine& engine);
  void drop_something(Engine& engine);
  void compare_partition(const ModelState& model, const View* view);
  void compare_scan(const ModelState& model, const View* view);
  void compare_sizes_and_changes();

  const ModelState& model() const { return model_; }
  Version last_version() const { return last_version_; }

 private:
  // Few enough names that they meet: seven keys, of which some share a hash.
  Place some_place() {
    const std::uint64_t n = below(7);
    const std::string name(n, n % 2 == 0 ? '\0' : 'k');
    return Place(spaces_[below(spaces_.size())], name, n < 3 ? 42 : spread_hash(name));
  }
  std::string some_sort() {
    std::string sort;
    for (std::uint64_t n = below(4); n > 0; --n) sort += std::string_view("\0a\xff", 3)[below(3)];
    return sort;
  }
  Slot some_slot() { return static_cast<Slot>(below(3) == 0 ? 1 + below(6) : 0); }
  static ModelState::Key key_of(const Place& place, Slot slot, std::string_view sort) {
    return {place.space, slot, place.hash, place.key, std::string(sort)};
  }
  void expect_same(const std::vector<SeenRow>& seen,
                   const std::vector<std::pair<ModelState::Key, ModelState::Row>>& expected);
  void apply(const std::vector<std::pair<Place, Batch>>& batches, Version version);

  std::mt19937_64 random_;
  EngineDriver driver_;
  ModelState model_;
  std::vector<SpaceId> spaces_ = {1, 2, 700};
  SpaceId next_space_ = 701;
  Version last_version_ = 0;
};

inline void RandomOperations::commit_something() {
  std::vector<std::pair<Place, Batch>> batches;
  bool must_fail = false;
  std::map<ModelState::Key, bool> edited;
  for (std::uint64_t n = 1 + below(3); n > 0; --n) {
    const Place place = some_place();
    Batch batch(place);
    for (std::uint64_t guards = below(3); guards > 0; --guards) {
      const Slot slot = some_slot();
      const std::string sort = some_sort();
      const auto found = model_.rows.find(key_of(place, slot, sort));
      const Version actual = found == model_.rows.end() ? 0 : found->second.version;
      const bool wrong = below(10) == 0;
      batch.expect(sort, wrong ? actual + 1 : actual, slot);
      must_fail |= wrong;
    }
    for (std::uint64_t edits = below(6); edits > 0; --edits) {
      const Slot slot = some_slot();
      const std::string sort = some_sort();
      if (!edited.emplace(key_of(place, slot, sort), true).second) continue;
      if (below(3) == 0) {
        batch.erase(sort, slot);
      } else {
        batch.put(sort, std::string(below(50), static_cast<char>('a' + below(26))), slot);
      }
    }
    for (std::uint64_t records = below(3); records > 0; --records) {
      batch.record(std::to_string(below(1000000)));
    }
    batch.grow(static_cast<std::int64_t>(below(3)) - 1, static_cast<std::int64_t>(below(100)) - 50);
    batches.emplace_back(place, std::move(batch));
  }
  std::vector<PartitionBatch> given;
  for (const auto& [place, batch] : batches) given.push_back(batch.batch());
  auto version = driver_.try_commit(given);
  ASSERT_EQ(version.has_value(), !must_fail);
  if (!version) return;
  ASSERT_GT(*version, last_version_);
  last_version_ = *version;
  apply(batches, *version);
}

inline void RandomOperations::apply(const std::vector<std::pair<Place, Batch>>& batches,
                                    Version version) {
  std::map<std::pair<SpaceId, Lane>, std::uint32_t> ordinals;
  for (const auto& [place, owned] : batches) {
    const PartitionBatch batch = owned.batch();
    for (const Edit& edit : batch.edits) {
      const ModelState::Key key = key_of(place, edit.key.slot, edit.key.sort);
      if (edit.value) {
        model_.rows[key] = {version, std::string(*edit.value)};
      } else {
        model_.rows.erase(key);
      }
    }
    for (Size* size :
         {&model_.partition_sizes[{place.space, place.key}], &model_.space_sizes[place.space]}) {
      size->items += batch.delta.items;
      size->bytes += batch.delta.bytes;
    }
    for (const LoggedChange& change : batch.changes) {
      const std::pair lane(change.log, lane_of(place.hash));
      model_.changes[lane].push_back({version, ordinals[lane]++, std::string(change.record)});
    }
  }
}

inline void RandomOperations::trim_something(Engine& engine) {
  const SpaceId space = spaces_[below(spaces_.size())];
  const Lane lane = static_cast<Lane>(below(kLaneCount));
  const Version before = last_version_ < 20 ? 0 : last_version_ - below(20);
  ASSERT_TRUE(engine.trim_changes(space, lane, before).has_value());
  std::erase_if(model_.changes[{space, lane}],
                [&](const SeenChange& change) { return change.version < before; });
}

inline void RandomOperations::drop_something(Engine& engine) {
  SpaceId& space = spaces_[below(spaces_.size())];
  ASSERT_TRUE(engine.drop(space).has_value());
  std::erase_if(model_.rows, [&](const auto& row) { return row.first.space == space; });
  std::erase_if(model_.partition_sizes,
                [&](const auto& size) { return size.first.first == space; });
  std::erase_if(model_.changes, [&](const auto& lane) { return lane.first.first == space; });
  model_.space_sizes.erase(space);
  space = next_space_++;
}

inline void RandomOperations::expect_same(
    const std::vector<SeenRow>& seen,
    const std::vector<std::pair<ModelState::Key, ModelState::Row>>& expected) {
  ASSERT_EQ(seen.size(), expected.size());
  for (std::size_t i = 0; i < seen.size(); ++i) {
    const auto& [key, row] = expected[i];
    ASSERT_EQ(std::tie(seen[i].hash, seen[i].key, seen[i].slot, seen[i].sort),
              std::tie(key.hash, key.key, key.slot, key.sort));
    ASSERT_EQ(seen[i].version, row.version);
    ASSERT_EQ(seen[i].value, row.value);
  }
}

// A get and a range of one partition, with random bounds and a random stop.
inline void RandomOperations::compare_partition(const ModelState& model, const View* view) {
  const Place place = some_place();
  const Slot slot = some_slot();
  const std::string sort = some_sort();
  const auto found = model.rows.find(key_of(place, slot, sort));
  const auto row = driver_.get_one(place, sort, view, slot);
  ASSERT_EQ(row.has_value(), found != model.rows.end());
  if (row) {
    ASSERT_EQ(row->value, found->second.value);
  }

  KeyRange range{.slot = slot, .lower = some_sort(), .upper = {}, .after = {}};
  if (below(2) == 0) range.lower = "";
  if (below(2) == 0) range.upper = some_sort();
  if (below(2) == 0) range.after = some_sort();
  const bool forward = below(2) == 0;
  const std::size_t rows_max = below(2) == 0 ? SIZE_MAX : 1 + below(4);
  std::vector<std::pair<ModelState::Key, ModelState::Row>> expected;
  for (const auto& [key, model_row] : model.rows) {
    if (key.space != place.space || key.slot != slot || key.key != place.key) continue;
    if (key.sort < range.lower || (range.upper && key.sort >= *range.upper)) continue;
    if (range.after && (forward ? key.sort <= *range.after : key.sort >= *range.after)) continue;
    expected.emplace_back(key, model_row);
  }
  if (!forward) std::reverse(expected.begin(), expected.end());
  if (expected.size() > rows_max) expected.resize(rows_max);
  expect_same(driver_.range(place, range, forward ? Direction::Forward : Direction::Backward,
                            rows_max, view),
              expected);
}

inline void RandomOperations::compare_scan(const ModelState& model, const View* view) {
  const SpaceId space = spaces_[below(spaces_.size())];
  const Slot slot = some_slot();
  HashRange hashes;
  if (below(2) == 0) hashes = {below(100), random_()};
  const Place from = some_place();
  const std::string sort = some_sort();
  std::optional<ScanStart> start;
  if (below(2) == 0) start = ScanStart{from.hash, from.key, sort};
  const std::size_t rows_max = below(2) == 0 ? SIZE_MAX : 1 + below(10);
  std::vector<std::pair<ModelState::Key, ModelState::Row>> expected;
  for (const auto& [key, row] : model.rows) {
    if (key.space != space || key.slot != slot) continue;
    if (key.hash < hashes.first || key.hash > hashes.last) continue;
    if (start && std::tie(key.hash, key.key, key.sort) <= std::tie(from.hash, from.key, sort))
      continue;
    if (expected.size() < rows_max) expected.emplace_back(key, row);
  }
  expect_same(driver_.scan(space, hashes, start, rows_max, view, slot), expected);
}

inline void RandomOperations::compare_sizes_and_changes() {
  const Place place = some_place();
  ASSERT_EQ(driver_.size(place), (model_.partition_sizes[{place.space, place.key}]));
  ASSERT_EQ(driver_.size(place.space), model_.space_sizes[place.space]);
  const Lane lane = static_cast<Lane>(below(kLaneCount));
  ASSERT_EQ(driver_.changes(place.space, lane), (model_.changes[{place.space, lane}]));
}

}  // namespace partita::contract

namespace partita {

TEST_P(EngineContract, random_operations_agree_with_a_map) {
  using namespace contract;
  const std::uint64_t seed = std::random_device()();
  SCOPED_TRACE("seed " + std::to_string(seed));
  RandomOperations operations(engine(), seed);
  std::shared_ptr<const View> view;
  ModelState viewed;
  for (int step = 0; step < 1500; ++step) {
    operations.commit_something();
    operations.compare_partition(operations.model(), nullptr);
    operations.compare_scan(operations.model(), nullptr);
    operations.compare_sizes_and_changes();
    if (operations.below(20) == 0) operations.trim_something(engine());
    if (operations.below(200) == 0) operations.drop_something(engine());
    if (engine().capabilities().views && operations.below(50) == 0) {
      view = engine().view();
      viewed = operations.model();
    }
    if (view != nullptr) {
      operations.compare_partition(viewed, view.get());
      operations.compare_scan(viewed, view.get());
    }
    if (GetParam().survives_reopen && operations.below(300) == 0) {
      view.reset();
      wait_until_durable(engine(), operations.last_version());
      reopen();
      operations.attach(engine());
    }
    if (HasFatalFailure() || HasNonfatalFailure()) FAIL() << "at step " << step;
  }
}

}  // namespace partita
