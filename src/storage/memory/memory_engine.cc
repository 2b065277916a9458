#include "storage/memory/memory_engine.h"

#include <array>
#include <atomic>
#include <memory_resource>
#include <mutex>
#include <string>
#include <utility>

#include "base/memory_reserve.h"
#include "storage/memory/background_release.h"
#include "storage/memory/change_log.h"
#include "storage/memory/memory_commit.h"
#include "storage/memory/stripes.h"
#include "storage/memory/version_clock.h"

namespace partita {
namespace memory {
namespace {

constexpr LaneMask kAllLanes = (LaneMask{1} << kLaneCount) - 1;

class MemoryView final : public View {
 public:
  std::array<Directory, kStripeCount> directories;
};

const Directory& directory_of(const View& view, unsigned stripe) {
  return static_cast<const MemoryView&>(view).directories[stripe];
}

class MemoryEngine final : public Engine {
 public:
  MemoryEngine() = default;
  MemoryEngine(const VersionClock& clock, Version last_removal)
      : clock_(clock), last_removal_(last_removal) {}

  Capabilities capabilities() const override {
    return {.views = true, .forks = true, .cheap_multi_partition = true};
  }
  EngineCounters counters() const override;
  std::shared_ptr<const View> view() override;
  Result<void> get(const Partition&, std::span<const RowKey>, const View*, RowSink) override;
  Result<void> range(const Partition&, const KeyRange&, Direction, ReadHint, const View*,
                     RowSink) override;
  Result<void> scan(SpaceId, Slot, HashRange, const std::optional<ScanStart>&, ReadHint,
                    const View*, RowSink) override;
  Result<Version> commit(std::span<const PartitionBatch>, TimePoint now) override;
  void when_durable(Version, std::function<void(Result<void>)> done) override { done({}); }
  Version durable() const override { return clock_.last(); }
  Version last_removal() const override { return last_removal_.load(std::memory_order_acquire); }
  Result<Version> version_at(TimePoint time) override { return clock_.at(time); }
  Result<void> changes(SpaceId, Lane, Version after, std::uint32_t after_ordinal, ReadHint,
                       ChangeSink) override;
  Result<void> trim_changes(SpaceId, Lane, Version before) override;
  Result<Size> size(SpaceId, const Partition*) override;
  Result<void> drop(SpaceId) override;
  Result<std::unique_ptr<Engine>> fork(std::string_view where) override;

 private:
  void raise_last_removal(Version);
  CowTree<Row> rows_of(unsigned stripe, SpaceId, Slot, const View*);

  Stripes stripes_;
  Lanes lanes_;
  VersionClock clock_;
  std::atomic<Version> last_removal_ = 0;
  std::atomic<std::uint64_t> unlocked_lookups_ = 0;  // those in views; the others a stripe counts
  std::atomic<std::uint64_t> cursors_ = 0;
  BackgroundRelease background_;
};

EngineCounters MemoryEngine::counters() const {
  EngineCounters sum;
  sum.lookups = unlocked_lookups_.load(std::memory_order_relaxed);
  sum.cursors = cursors_.load(std::memory_order_relaxed);
  for (const Stripe& stripe : stripes_) {
    std::lock_guard lock(stripe.mutex);
    sum.lookups += stripe.lookups;
    sum.commits += stripe.commits;
  }
  return sum;
}

std::shared_ptr<const View> MemoryEngine::view() {
  auto view = std::make_shared<MemoryView>();
  const MaskLock lock(stripes_, kAllStripes);
  for (unsigned i = 0; i < kStripeCount; ++i) view->directories[i] = stripes_[i].directory;
  return view;
}

// Rows are pinned one by one: a pinned tree would make writers copy it.
Result<void> MemoryEngine::get(const Partition& partition, std::span<const RowKey> keys,
                               const View* view, RowSink sink) {
  auto show = [&](const Row& row, Slot slot) {
    return sink(row.view(partition.space, partition.hash, slot));
  };
  const unsigned index = stripe_of(partition.hash);
  if (view != nullptr) {
    unlocked_lookups_.fetch_add(keys.size(), std::memory_order_relaxed);
    const SpacePart* part = find_part(directory_of(*view, index), partition.space);
    for (const RowKey& key : keys) {
      const Row* row = part == nullptr ? nullptr : part->find(partition, key);
      if (row != nullptr && !show(*row, key.slot)) break;
    }
    return {};
  }
  std::array<std::byte, 256> room;
  std::pmr::monotonic_buffer_resource memory(room.data(), room.size());
  std::pmr::vector<Ref<Row>> rows(&memory);
  rows.reserve(keys.size());
  {
    Stripe& stripe = stripes_[index];
    std::lock_guard lock(stripe.mutex);
    stripe.lookups += keys.size();
    const SpacePart* part = find_part(stripe.directory, partition.space);
    if (part == nullptr) return {};
    for (const RowKey& key : keys) rows.push_back(Ref<Row>::share(part->find(partition, key)));
  }
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (rows[i] && !show(*rows[i], keys[i].slot)) break;
  }
  return {};
}

// The rows of a stripe as they are now, or were in the view, to be read without a lock.
CowTree<Row> MemoryEngine::rows_of(unsigned stripe, SpaceId space, Slot slot, const View* view) {
  auto rows_in = [&](const Directory& directory) {
    const SpacePart* part = find_part(directory, space);
    return part == nullptr ? CowTree<Row>() : part->rows(slot);
  };
  if (view != nullptr) return rows_in(directory_of(*view, stripe));
  std::lock_guard lock(stripes_[stripe].mutex);
  return rows_in(stripes_[stripe].directory);
}

Result<void> MemoryEngine::range(const Partition& partition, const KeyRange& range,
                                 Direction direction, ReadHint, const View* view, RowSink sink) {
  cursors_.fetch_add(1, std::memory_order_relaxed);
  const CowTree<Row> rows = rows_of(stripe_of(partition.hash), partition.space, range.slot, view);
  CowCursor<Row> cursor(rows);
  auto here = [&] {
    return cursor.valid() && cursor.rank() == partition.hash &&
           cursor.item().key() == partition.key;
  };
  auto show = [&] { return sink(cursor.item().view(partition.space, partition.hash, range.slot)); };
  const Bytes lower = range.lower;
  Position start{partition.hash, partition.key, {}};
  if (direction == Direction::Forward) {
    const bool go_on = range.after && *range.after >= lower;
    start.sort = go_on ? *range.after : lower;
    start.reach = go_on ? Reach::Beyond : Reach::Before;
    for (cursor.seek(start); here(); cursor.next()) {
      if (range.upper && cursor.item().sort() >= *range.upper) break;
      if (!show()) break;
    }
    return {};
  }
  if (range.upper && range.after) {
    start.sort = std::min<Bytes>(*range.upper, *range.after);
  } else if (range.upper || range.after) {
    start.sort = range.upper ? *range.upper : *range.after;
  } else {
    start.reach = Reach::EndOfKey;
  }
  for (cursor.seek_before(start); here(); cursor.previous()) {
    if (cursor.item().sort() < lower || !show()) break;
  }
  return {};
}

Result<void> MemoryEngine::scan(SpaceId space, Slot slot, HashRange hashes,
                                const std::optional<ScanStart>& start, ReadHint, const View* view,
                                RowSink sink) {
  cursors_.fetch_add(1, std::memory_order_relaxed);
  Position position{hashes.first, {}, {}};
  if (start && start->hash >= hashes.first) {
    position = {start->hash, start->key, start->sort, Reach::Beyond};
  }
  if (position.rank > hashes.last) return {};
  for (unsigned i = stripe_of(position.rank); i <= stripe_of(hashes.last); ++i) {
    const CowTree<Row> rows = rows_of(i, space, slot, view);
    CowCursor<Row> cursor(rows);
    for (cursor.seek(position); cursor.valid(); cursor.next()) {
      if (cursor.rank() > hashes.last) return {};
      if (!sink(cursor.item().view(space, cursor.rank(), slot))) return {};
    }
  }
  return {};
}

Result<Version> MemoryEngine::commit(std::span<const PartitionBatch> batches, TimePoint now) {
  MemoryCommit commit(batches);
  // Half a commit would be worse than none. What only removes gets through: it may make room.
  if (commit.puts() && !MemoryReserve::fill()) {
    return Error(ErrorCode::ServiceUnavailable,
                 "The database is out of memory; nothing was written.");
  }
  const MaskLock lock(stripes_, commit.stripes());
  if (!commit.guards_hold(stripes_)) {
    return Error(ErrorCode::Conflict, "a row changed since it was read");
  }
  Version version;
  {
    const MaskLock lanes_lock(lanes_, commit.lanes());
    version = clock_.next(now);
    if (commit.lanes() != 0) commit.append_changes(lanes_, version);
  }
  if (commit.removes()) raise_last_removal(version);
  commit.apply(stripes_, version);
  if (!batches.empty()) ++stripes_[stripe_of(batches.front().partition.hash)].commits;
  return version;
}

// Commits of other stripes raise it at the same time, in any order.
void MemoryEngine::raise_last_removal(Version version) {
  Version last = last_removal_.load(std::memory_order_relaxed);
  while (last < version && !last_removal_.compare_exchange_weak(last, version)) {
  }
}

Result<void> MemoryEngine::changes(SpaceId space, Lane lane, Version after,
                                   std::uint32_t after_ordinal, ReadHint, ChangeSink sink) {
  ChangePosition position{after, after_ordinal};
  std::optional<ChangePosition> end;  // a reader slower than the writers still comes to an end
  auto next_stretch = [&]() -> std::optional<ChangeStretch> {
    std::lock_guard lock(lanes_[lane].mutex);
    const auto found = lanes_[lane].logs.find(space);
    if (found == lanes_[lane].logs.end()) return std::nullopt;
    if (!end) end = found->second.last();
    return found->second.beyond(position);
  };
  while (!end || position < *end) {
    const auto stretch = next_stretch();
    if (!stretch || !stretch->show(position, sink)) break;
  }
  return {};
}

Result<void> MemoryEngine::trim_changes(SpaceId space, Lane lane, Version before) {
  std::lock_guard lock(lanes_[lane].mutex);
  const auto found = lanes_[lane].logs.find(space);
  if (found != lanes_[lane].logs.end()) found->second.trim(before);
  return {};
}

Result<Size> MemoryEngine::size(SpaceId space, const Partition* partition) {
  if (partition != nullptr) {
    const Stripe& stripe = stripes_[stripe_of(partition->hash)];
    std::lock_guard lock(stripe.mutex);
    const SpacePart* part = find_part(stripe.directory, space);
    return part == nullptr ? Size{} : part->size(*partition);
  }
  Size sum;
  for (const Stripe& stripe : stripes_) {
    std::lock_guard lock(stripe.mutex);
    if (const SpacePart* part = find_part(stripe.directory, space)) {
      sum += part->size();
    }
  }
  return sum;
}

Result<void> MemoryEngine::drop(SpaceId space) {
  DroppedSpace dropped;
  for (Stripe& stripe : stripes_) {
    std::lock_guard lock(stripe.mutex);
    if (Ref<SpacePart> part = stripe.directory.erase({space, {}, {}})) {
      dropped.parts.push_back(std::move(part));
    }
  }
  for (LaneLogs& lane : lanes_) {
    std::lock_guard lock(lane.mutex);
    if (auto log = lane.logs.extract(space)) dropped.logs.push_back(std::move(log.mapped()));
  }
  if (!dropped.parts.empty() || !dropped.logs.empty()) background_.add(std::move(dropped));
  return {};
}

Result<std::unique_ptr<Engine>> MemoryEngine::fork(std::string_view) {
  const MaskLock stripes_lock(stripes_, kAllStripes);
  const MaskLock lanes_lock(lanes_, kAllLanes);
  auto fork = std::make_unique<MemoryEngine>(clock_, last_removal());
  for (unsigned i = 0; i < kStripeCount; ++i) fork->stripes_[i].directory = stripes_[i].directory;
  for (unsigned i = 0; i < kLaneCount; ++i) {
    for (auto& [space, log] : lanes_[i].logs) fork->lanes_[i].logs.emplace(space, log.fork());
  }
  return std::unique_ptr<Engine>(std::move(fork));
}

}  // namespace
}  // namespace memory

std::unique_ptr<Engine> make_memory_engine() { return std::make_unique<memory::MemoryEngine>(); }

}  // namespace partita
