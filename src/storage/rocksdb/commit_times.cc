#include "storage/rocksdb/commit_times.h"

#include <algorithm>

#include "storage/rocksdb/row_layout.h"

namespace partita {

namespace layout = rocksdb_layout;

namespace {

constexpr std::int64_t kLateMaxMs = kClockLateMax.count();
constexpr std::int64_t kDayMs = 24 * 60 * 60 * 1000;
constexpr std::int64_t kSamplesKeptMs = 36 * kDayMs;  // a restore reaches back 35 days
constexpr std::size_t kRecentMax = 4096;

std::int64_t floor_div(std::int64_t a, std::int64_t b) { return a / b - (a % b < 0 ? 1 : 0); }

}  // namespace

std::int64_t CommitTimes::prepare(std::int64_t time_ms, rocksdb::WriteBatch& batch) const {
  if (last_.version == 0) return time_ms;
  if (time_ms < last_.time_ms) {
    if (last_.time_ms - time_ms <= kLateMaxMs) return last_.time_ms;
    const std::string end =
        layout::key_after_prefix(layout::kind_prefix(layout::kOwnSpace, layout::kCommitTimeKind));
    (void)batch.DeleteRange(layout::commit_time_key(time_ms), end);
    return time_ms;
  }
  if (floor_div(time_ms, 1000) == floor_div(last_.time_ms, 1000)) return time_ms;
  (void)batch.Put(layout::commit_time_key(last_.time_ms), layout::encode_u64(last_.version));
  if (floor_div(time_ms, kDayMs) != floor_div(last_.time_ms, kDayMs)) {
    (void)batch.DeleteRange(layout::kind_prefix(layout::kOwnSpace, layout::kCommitTimeKind),
                            layout::commit_time_key(last_.time_ms - kSamplesKeptMs));
  }
  return time_ms;
}

void CommitTimes::committed(std::int64_t time_ms, Version version) {
  const std::lock_guard lock(mutex_);
  if (time_ms < last_.time_ms) {
    while (!before_.empty() && before_.back().time_ms >= time_ms) before_.pop_back();
  } else if (time_ms > last_.time_ms && last_.version != 0) {
    before_.push_back(last_);
    if (before_.size() > kRecentMax) before_.pop_front();
  }
  last_ = {time_ms, version};
}

std::optional<Version> CommitTimes::recent_version_at(std::int64_t time_ms) const {
  const std::lock_guard lock(mutex_);
  if (last_.version == 0) return Version{0};
  if (time_ms >= last_.time_ms) return last_.version;
  const auto after = std::upper_bound(
      before_.begin(), before_.end(), time_ms,
      [](std::int64_t time, const Moment& moment) { return time < moment.time_ms; });
  if (after == before_.begin()) return std::nullopt;
  return std::prev(after)->version;
}

}  // namespace partita
