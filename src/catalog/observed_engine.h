// For tests: an engine that forwards to another, keeps a list of what was dropped, and can be told
// to lag in durability, to fail guards for no reason, or to fail altogether.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <vector>

#include "storage/engine.h"

namespace partita {

class ObservedEngine final : public Engine {
 public:
  explicit ObservedEngine(std::unique_ptr<Engine> engine) : engine_(std::move(engine)) {}

  // What a test turns.
  std::atomic<bool> durable_lags = false;  // durable() answers 0
  std::atomic<int> conflicts_to_come = 0;  // so many commits answer Conflict
  std::atomic<bool> commits_fail = false;  // as on a disk that is gone
  std::atomic<bool> drops_fail = false;
  std::atomic<std::uint64_t> rows_read = 0;

  std::vector<SpaceId> dropped() const {
    const std::lock_guard lock(mutex_);
    return dropped_;
  }

  Capabilities capabilities() const override { return engine_->capabilities(); }
  EngineCounters counters() const override { return engine_->counters(); }
  std::shared_ptr<const View> view() override { return engine_->view(); }
  Result<void> get(const Partition& partition, std::span<const RowKey> keys, const View* view,
                   RowSink sink) override {
    return engine_->get(partition, keys, view,
                        [&](const RowView& row) { return count(row, sink); });
  }
  Result<void> range(const Partition& partition, const KeyRange& range, Direction direction,
                     ReadHint hint, const View* view, RowSink sink) override {
    return engine_->range(partition, range, direction, hint, view,
                          [&](const RowView& row) { return count(row, sink); });
  }
  Result<void> scan(SpaceId space, Slot slot, HashRange hashes,
                    const std::optional<ScanStart>& start, ReadHint hint, const View* view,
                    RowSink sink) override {
    return engine_->scan(space, slot, hashes, start, hint, view,
                         [&](const RowView& row) { return count(row, sink); });
  }
  Result<Version> commit(std::span<const PartitionBatch> batches, TimePoint now) override {
    if (commits_fail) return Error::internal("the disk is gone");
    if (conflicts_to_come > 0) {
      --conflicts_to_come;
      return Error(ErrorCode::Conflict, "for no reason");
    }
    return engine_->commit(batches, now);
  }
  void when_durable(Version version, std::function<void(Result<void>)> done) override {
    engine_->when_durable(version, std::move(done));
  }
  Version durable() const override { return durable_lags ? 0 : engine_->durable(); }
  Version last_removal() const override { return engine_->last_removal(); }
  Result<Version> version_at(TimePoint time) override { return engine_->version_at(time); }
  Result<void> changes(SpaceId space, Lane lane, Version after, std::uint32_t after_ordinal,
                       ReadHint hint, ChangeSink sink) override {
    return engine_->changes(space, lane, after, after_ordinal, hint, sink);
  }
  Result<void> trim_changes(SpaceId space, Lane lane, Version before) override {
    return engine_->trim_changes(space, lane, before);
  }
  Result<Size> size(SpaceId space, const Partition* partition) override {
    return engine_->size(space, partition);
  }
  Result<void> drop(SpaceId space) override {
    if (drops_fail) return Error::internal("the disk is gone");
    {
      const std::lock_guard lock(mutex_);
      dropped_.push_back(space);
    }
    return engine_->drop(space);
  }
  Result<std::unique_ptr<Engine>> fork(std::string_view where) override {
    return engine_->fork(where);
  }

 private:
  bool count(const RowView& row, RowSink& sink) {
    ++rows_read;
    return sink(row);
  }

  std::unique_ptr<Engine> engine_;
  mutable std::mutex mutex_;
  std::vector<SpaceId> dropped_;
};

}  // namespace partita
