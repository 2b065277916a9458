#include "storage/rehearsal/rehearsal_engine.h"

#include <algorithm>
#include <atomic>
#include <string>
#include <utility>
#include <vector>

#include "storage/memory/memory_engine.h"
#include "storage/rehearsal/late_tickets.h"

namespace partita {
namespace {

class RehearsalEngine final : public Engine {
 public:
  RehearsalEngine(std::uint64_t seed, unsigned conflict_percent)
      : inner_(make_memory_engine()), random_(seed), conflict_percent_(conflict_percent) {}

  Capabilities capabilities() const override { return {}; }
  EngineCounters counters() const override {
    EngineCounters counters = inner_->counters();
    counters.syncs = tickets_.rounds();
    return counters;
  }
  std::shared_ptr<const View> view() override { return nullptr; }

  Result<void> get(const Partition& partition, std::span<const RowKey> keys, const View*,
                   RowSink sink) override {
    return inner_->get(partition, keys, nullptr, sink);
  }
  Result<void> range(const Partition& partition, const KeyRange& range, Direction direction,
                     ReadHint hint, const View*, RowSink sink) override {
    if (direction == Direction::Forward) {
      return inner_->range(partition, range, direction, hint, nullptr, sink);
    }
    return range_backward(partition, range, hint, sink);
  }
  Result<void> scan(SpaceId space, Slot slot, HashRange hashes,
                    const std::optional<ScanStart>& start, ReadHint hint, const View*,
                    RowSink sink) override {
    return inner_->scan(space, slot, hashes, start, hint, nullptr, sink);
  }

  Result<Version> commit(std::span<const PartitionBatch> batches, TimePoint now) override {
    if (next_random() % 100 < conflict_percent_) {
      return Error(ErrorCode::Conflict, "a conflict without cause, to be tried again");
    }
    Result<Version> version = inner_->commit(batches, now);
    if (version) tickets_.committed(*version);
    return version;
  }
  void when_durable(Version version, std::function<void(Result<void>)> done) override {
    tickets_.when_durable(version, std::move(done));
  }
  Version durable() const override { return tickets_.durable(); }
  Version last_removal() const override { return inner_->last_removal(); }
  Result<Version> version_at(TimePoint time) override { return inner_->version_at(time); }

  Result<void> changes(SpaceId space, Lane lane, Version after, std::uint32_t after_ordinal,
                       ReadHint hint, ChangeSink sink) override {
    return inner_->changes(space, lane, after, after_ordinal, hint, sink);
  }
  Result<void> trim_changes(SpaceId space, Lane lane, Version before) override {
    return inner_->trim_changes(space, lane, before);
  }
  Result<Size> size(SpaceId space, const Partition* partition) override {
    return inner_->size(space, partition);
  }
  Result<void> drop(SpaceId space) override { return inner_->drop(space); }
  Result<std::unique_ptr<Engine>> fork(std::string_view) override {
    return std::unique_ptr<Engine>();
  }

 private:
  Result<void> range_backward(const Partition&, const KeyRange&, ReadHint, RowSink);
  std::uint64_t next_random();

  std::unique_ptr<Engine> inner_;
  std::atomic<std::uint64_t> random_;
  unsigned conflict_percent_;
  LateTickets tickets_;
};

// Collects the whole range forward, since that is all such a store can do.
Result<void> RehearsalEngine::range_backward(const Partition& partition, const KeyRange& range,
                                             ReadHint hint, RowSink sink) {
  struct Copy {
    std::string sort;
    Version version;
    std::string value;
  };
  KeyRange forward{range.slot, range.lower, range.upper, {}};
  if (range.after && (!range.upper || *range.after < *range.upper)) forward.upper = range.after;
  std::vector<Copy> rows;
  PARTITA_CHECK(
      inner_->range(partition, forward, Direction::Forward, hint, nullptr, [&](const RowView& row) {
        rows.push_back({std::string(row.key.sort), row.version, std::string(row.value)});
        return true;
      }));
  for (auto row = rows.rbegin(); row != rows.rend(); ++row) {
    if (!sink({partition, {range.slot, row->sort}, row->version, row->value})) break;
  }
  return {};
}

// SplitMix64 over a counter: any thread may draw, and a seed always gives the same numbers.
std::uint64_t RehearsalEngine::next_random() {
  std::uint64_t bits = random_.fetch_add(0x9e3779b97f4a7c15, std::memory_order_relaxed);
  bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9;
  bits = (bits ^ (bits >> 27)) * 0x94d049bb133111eb;
  return bits ^ (bits >> 31);
}

}  // namespace

std::unique_ptr<Engine> make_rehearsal_engine(std::uint64_t seed, unsigned conflict_percent) {
  return std::make_unique<RehearsalEngine>(seed, conflict_percent);
}

}  // namespace partita
